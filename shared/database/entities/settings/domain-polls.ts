import * as v from 'valibot';
import type { AdvancedVerification } from '../../../domain/domains/domain-verification.ts';
import type { Keyring } from '../../../encryption/keyring.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { defined } from '../../../runtime/values/defined.ts';
import type { CheckedRecords, DomainProblem } from '../../../schemas/domains/sender-domain.ts';
import type { TransactAction } from '../../client/transactions.ts';
import { type Database, database } from '../../database.ts';
import { readStored } from '../../items/stored.ts';
import { assignmentOf } from '../../items/update-expression.ts';
import { DOMAIN_REMOVAL_PREFIX, domainKey, domainRemovalKey } from '../../keys/account.ts';
import { DOMAIN_POLL_PK, domainPollKeys, indexTime, receivingKeys } from '../../keys/indexes.ts';
import { claimKey, type Key } from '../../keys/key.ts';
import type { Item } from '../../table.ts';
import { keyring } from '../accounts/data-keys.ts';
import { dkimContext } from './domains.ts';
import { readDomain, type StoredDomain } from './stored-domain.ts';

/** Due work: a check of a domain, or the removal of a deleted one. */
export type DuePoll =
  | { kind: 'look'; domain: StoredDomain }
  | ({ kind: 'removal' } & v.InferOutput<typeof Removal>);

type LookResult = {
  verification: AdvancedVerification;
  verificationTokens?: string[] | undefined;
  isRegistered: boolean;
  problem?: DomainProblem | undefined;
  records?: CheckedRecords | undefined;
  /** The account has an address on the domain: while it is verified, email to it is received. */
  isAddressed: boolean;
  /** Set once the reminder of this start was sent. */
  reminderSentAtMs?: number | undefined;
  nowMs: number;
};

/** `taken`: another account verified the domain first. `changed`: restarted or deleted in the meantime. */
type CheckOutcome = 'saved' | 'taken' | 'changed';

const TRIES_MAX = 3;
const PAGE = 50;
const Removal = v.object({ accountId: v.string(), sender: v.string(), selector: v.string() });

/** Data of the worker that checks sender domains; one runs at a time. */
function createDomainPolls(table: Database, ring: Keyring) {
  async function save(domain: StoredDomain, result: LookResult): Promise<CheckOutcome> {
    for (let attempt = 0; attempt < TRIES_MAX; attempt += 1) {
      const outcome = await table.transact([updateOf(domain, result), ...claimOf(domain, result)]);
      if (outcome.written) return 'saved';
      if (outcome.failed.some(({ index }) => index === 0)) return 'changed';
      if (outcome.failed.length > 0) {
        await table.transact([updateOf(domain, lost(result))]);
        return 'taken';
      }
    }
    throw new Error('a sender domain kept changing while its check was stored');
  }

  return {
    /** Work due at `nowMs`, longest waiting first, each once; read page by page. */
    async *listDue(nowMs: number): AsyncGenerator<DuePoll> {
      let lastKey: Item | undefined;
      do {
        const page = await table.query({
          IndexName: 'due',
          KeyConditionExpression: 'duePk = :pk AND dueSk < :end',
          ExpressionAttributeValues: { ':pk': DOMAIN_POLL_PK, ':end': indexTime(nowMs + 1) },
          Limit: PAGE,
          ExclusiveStartKey: lastKey,
        });
        const keys = page.items.map((item): Key => ({ pk: String(item.pk), sk: String(item.sk) }));
        const items = await table.batchGet(keys, { consistent: true });
        yield* items.flatMap((item) => (item ? [duePollOf(item)] : []));
        lastKey = page.lastKey;
      } while (lastKey);
    },
    /**
     * Stores the result of a check. SUCCESS acquires the domain's claim in the same transaction, FAILED
     * releases it, so that at most one account has a domain verified; the second is FAILED.
     */
    save,
    /** The removal is done. */
    async recordRemoval(accountId: string, sender: string): Promise<void> {
      await table.delete(domainRemovalKey(accountId, sender));
    },
    /** The removal is retried at `atMs`. */
    async postponeRemoval(accountId: string, sender: string, atMs: number): Promise<void> {
      const { dueSk } = domainPollKeys(atMs, accountId, sender);
      await table.update(domainRemovalKey(accountId, sender), 'SET dueSk = :dueSk', {
        condition: 'attribute_exists(pk)',
        values: { ':dueSk': dueSk },
      });
    },
    privateKeyPem: (domain: StoredDomain): Promise<string> =>
      ring.decrypt(dkimContext(domain.accountId, domain.sender), domain.sealedKey),
  };
}

function duePollOf(item: Item): DuePoll {
  if (!String(item.sk).startsWith(DOMAIN_REMOVAL_PREFIX)) return { kind: 'look', domain: readDomain(item) };
  return { kind: 'removal', ...readStored('domain removal', Removal, item) };
}

function lost(result: LookResult): LookResult {
  const { mailFromDomainStatus, sinceMs, polls } = result.verification;
  return {
    ...result,
    isRegistered: false,
    verification: { status: 'FAILED', mailFromDomainStatus, sinceMs, polls },
  };
}

function updateOf(domain: StoredDomain, result: LookResult): TransactAction {
  const { verification, nowMs } = result;
  const due =
    verification.nextPollMs === undefined
      ? { duePk: undefined, dueSk: undefined }
      : domainPollKeys(verification.nextPollMs, domain.accountId, domain.sender);
  const attributes: Record<string, unknown> = {
    status: verification.status,
    mailFromDomainStatus: verification.mailFromDomainStatus,
    verificationTokens: result.verificationTokens,
    isRegistered: result.isRegistered,
    problem: result.problem,
    records: result.records,
    sinceMs: verification.sinceMs,
    polls: verification.polls,
    reminderSentAtMs: result.reminderSentAtMs,
    lastSyncMs: nowMs,
    ...due,
  };
  const names = Object.keys(attributes);
  const set = names.filter((name) => attributes[name] !== undefined);
  const removed = names.filter((name) => attributes[name] === undefined);
  return {
    update: domainKey(domain.accountId, domain.sender),
    expression:
      `SET ${set.map((name) => `#${name} = :${name}`).join(', ')}` +
      (removed.length > 0 ? ` REMOVE ${removed.map((name) => `#${name}`).join(', ')}` : ''),
    condition: 'selector = :seenSelector AND #sinceMs = :seenSince AND #polls = :seenPolls',
    names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    values: {
      ...Object.fromEntries(set.map((name) => [`:${name}`, attributes[name]])),
      ':seenSelector': domain.selector,
      ':seenSince': domain.sinceMs,
      ':seenPolls': domain.polls,
    },
  };
}

const MINE = 'attribute_not_exists(pk) OR accountId = :accountId';

function claimOf(domain: StoredDomain, { verification, isAddressed }: LookResult): TransactAction[] {
  const key = claimKey('domain', domain.sender);
  const { accountId, sender } = domain;
  if (verification.status === 'SUCCESS') {
    // An update: an address that is created meanwhile keeps the domain receiving.
    const claim = { accountId, holder: sender, ...(isAddressed ? receivingKeys(sender) : {}) };
    const [expression, { values, names }] = assignmentOf(claim);
    return [{ update: key, expression, condition: MINE, names, ...defined({ values }) }];
  }
  if (verification.status !== 'FAILED') return [];
  return [
    {
      delete: key,
      condition: MINE,
      values: { ':accountId': accountId },
    },
  ];
}

export const domainPolls = dependency('domainPolls', () =>
  createDomainPolls(resolve(database), resolve(keyring)),
);
