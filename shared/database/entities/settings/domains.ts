import * as v from 'valibot';
import { mailFromOf } from '../../../domain/domains/sender-domain.ts';
import { createDkimKeys, type DkimKeys } from '../../../encryption/dkim-keys.ts';
import type { Keyring } from '../../../encryption/keyring.ts';
import { createLoadingCache, type LoadingCache } from '../../../runtime/async/cache.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { defined } from '../../../runtime/values/defined.ts';
import type { TransactAction } from '../../client/transactions.ts';
import { type Database, database } from '../../database.ts';
import { AGAIN, untilSettled } from '../../items/settle.ts';
import { readEach, readStored } from '../../items/stored.ts';
import {
  ADDRESS_PREFIX,
  addressKey,
  DOMAIN_PREFIX,
  domainKey,
  domainRemovalKey,
} from '../../keys/account.ts';
import { domainPollKeys } from '../../keys/indexes.ts';
import { accountPk, claimKey } from '../../keys/key.ts';
import { keyring } from '../accounts/data-keys.ts';
import { readDomain, type StoredDomain } from './stored-domain.ts';

/** Outcomes of adding a domain; `taken`: another account has verified it. */
type DomainStart = 'started' | 'taken';

/** The key that signs email of a sender domain (RFC 6376), and its MAIL FROM subdomain if the records of that are right too. */
export type SigningKey = { domain: string; selector: string; privateKeyPem: string; mailFrom?: string };

/** Sender domains are named in lower-case ASCII. */
export type Domains = ReturnType<typeof createDomains>;

/** Lifetime of the email path's data in memory. */
const CACHE_MS = 10_000;
const CACHED_MAX = 1000;

const Claim = v.object({ accountId: v.string() });

export const dkimContext = (accountId: string, sender: string) => ({ accountId, kind: 'dkim', id: sender });

type Store = {
  table: Database;
  ring: Keyring;
  keys: DkimKeys;
  monotonicMs: () => number;
  verified: LoadingCache<StoredDomain[]>;
  signing: LoadingCache<SigningKey | undefined>;
};

/** `monotonicMs` dates the cache. */
export function createDomains(
  table: Database,
  ring: Keyring,
  keys: DkimKeys,
  monotonicMs: () => number = () => performance.now(),
) {
  const cacheOptions = { max: CACHED_MAX, ttlMs: CACHE_MS, now: monotonicMs };
  const verified = createLoadingCache<StoredDomain[]>(cacheOptions);
  const signing = createLoadingCache<SigningKey | undefined>(cacheOptions);
  const store: Store = { table, ring, keys, monotonicMs, verified, signing };
  return {
    /** All domains of the account, oldest first. */
    listAll: (accountId: string): Promise<StoredDomain[]> => listAll(store, accountId),
    /** The domains with status SUCCESS, at most 10 seconds old, or as they are now. */
    listVerified(accountId: string, isFresh: boolean = false): Promise<StoredDomain[]> {
      if (isFresh) verified.delete(accountId);
      return verified.get(accountId, async () =>
        (await listAll(store, accountId)).filter((domain) => domain.status === 'SUCCESS'),
      );
    },
    find: (accountId: string, sender: string): Promise<StoredDomain | undefined> =>
      findDomain(store, accountId, sender),
    /** The signing key of a verified domain of the account, at most 10 seconds old. */
    findSigningKey: (accountId: string, domain: string): Promise<SigningKey | undefined> =>
      signing.get(`${accountId} ${domain}`, () => readSigningKey(store, accountId, domain)),
    /**
     * Adds the domain with a new key pair, or restarts the verification of an existing one with the same keys,
     * so that published records stay correct. A verified domain stays verified and is checked soon.
     */
    start: (accountId: string, sender: string, nowMs: number): Promise<DomainStart> =>
      startDomain(store, accountId, sender, nowMs),
    /** Removes the domain with its claim and the addresses on it. False when the account has no such domain. */
    remove: (accountId: string, sender: string, nowMs: number): Promise<boolean> =>
      removeDomain(store, accountId, sender, nowMs),
    /** The account that has the domain verified. */
    findHolder: (sender: string): Promise<string | undefined> => findHolder(store, sender),
  };
}

async function findDomain(
  store: Store,
  accountId: string,
  sender: string,
): Promise<StoredDomain | undefined> {
  const item = await store.table.get(domainKey(accountId, sender), { consistent: true });
  return item && readDomain(item);
}

async function listAll(store: Store, accountId: string): Promise<StoredDomain[]> {
  const items = await store.table.queryAll(accountPk(accountId), DOMAIN_PREFIX, { consistent: true });
  return readEach(items, readDomain).sort(
    (left, right) => left.createdAtMs - right.createdAtMs || left.sender.localeCompare(right.sender),
  );
}

async function findHolder(store: Store, sender: string): Promise<string | undefined> {
  const item = await store.table.get(claimKey('domain', sender), { consistent: true });
  return item && readStored('domain claim', Claim, item).accountId;
}

async function readSigningKey(
  store: Store,
  accountId: string,
  sender: string,
): Promise<SigningKey | undefined> {
  const domain = await findDomain(store, accountId, sender);
  if (domain?.status !== 'SUCCESS') {
    store.signing.delete(`${accountId} ${sender}`);
    return undefined;
  }
  const privateKeyPem = await store.ring.decrypt(dkimContext(accountId, sender), domain.sealedKey);
  const mailFrom = domain.mailFromDomainStatus === 'SUCCESS' ? mailFromOf(sender) : undefined;
  return { domain: sender, selector: domain.selector, privateKeyPem, ...defined({ mailFrom }) };
}

async function newDomain(
  store: Store,
  accountId: string,
  sender: string,
  nowMs: number,
): Promise<StoredDomain> {
  const { selector, publicKey, privateKeyPem } = await store.keys.create();
  return {
    sender,
    accountId,
    status: 'PENDING',
    mailFromDomainStatus: 'PENDING',
    selector,
    publicKey,
    sealedKey: await store.ring.encrypt(dkimContext(accountId, sender), privateKeyPem),
    isRegistered: false,
    sinceMs: nowMs,
    polls: 0,
    lastSyncMs: nowMs,
    createdAtMs: nowMs,
  };
}

const startDomain = (store: Store, accountId: string, sender: string, nowMs: number): Promise<DomainStart> =>
  untilSettled<DomainStart>(async () => {
    const current = await findDomain(store, accountId, sender);
    const holder = await findHolder(store, sender);
    if (holder !== undefined && holder !== accountId) return 'taken';
    const write = current
      ? restartOf(current, nowMs)
      : {
          put: {
            ...domainKey(accountId, sender),
            ...(await newDomain(store, accountId, sender, nowMs)),
            ...domainPollKeys(nowMs, accountId, sender),
          },
          condition: 'attribute_not_exists(pk)',
        };
    const outcome = await store.table.transact([checkNotOthers(accountId, sender), write]);
    return outcome.written ? 'started' : AGAIN;
  });

async function removeAddresses(store: Store, accountId: string, sender: string): Promise<void> {
  for (const item of await store.table.queryAll(accountPk(accountId), ADDRESS_PREFIX, { consistent: true })) {
    if (item.type === 'custom' && item.domain === sender)
      await removeAddress(store.table, accountId, String(item.fullAddress));
  }
}

async function removeDomain(
  store: Store,
  accountId: string,
  sender: string,
  nowMs: number,
): Promise<boolean> {
  // Addresses go first: were they left behind, no second DELETE would find them.
  await removeAddresses(store, accountId, sender);
  const isRemoved = await untilSettled(async () => {
    const domain = await findDomain(store, accountId, sender);
    if (!domain) return false;
    const isHeld = (await findHolder(store, sender)) === accountId;
    const outcome = await store.table.transact(removalOf(domain, nowMs, isHeld));
    if (outcome.written) return true;
    return AGAIN;
  });
  // Without the claim, none is created any more: these were created in the meantime.
  if (isRemoved) await removeAddresses(store, accountId, sender);
  return isRemoved;
}

const ownClaim = (accountId: string) => ({
  condition: 'attribute_not_exists(pk) OR accountId = :account',
  values: { ':account': accountId },
});

function checkNotOthers(accountId: string, sender: string): TransactAction {
  return { check: claimKey('domain', sender), ...ownClaim(accountId) };
}

function restartOf(current: StoredDomain, nowMs: number): TransactAction {
  const isVerified = current.status === 'SUCCESS';
  const isMailFromKept = isVerified && current.mailFromDomainStatus !== 'FAILED';
  const due = domainPollKeys(nowMs, current.accountId, current.sender);
  return {
    update: domainKey(current.accountId, current.sender),
    expression:
      'SET #status = :status, mailFromDomainStatus = :mailFrom, isRegistered = :registered, sinceMs = :now, polls = :zero, ' +
      'duePk = :duePk, dueSk = :dueSk REMOVE reminderSentAtMs, problem',
    condition: 'sinceMs = :since AND polls = :polls AND #status = :was',
    names: { '#status': 'status' },
    values: {
      ':status': isVerified ? 'SUCCESS' : 'PENDING',
      ':mailFrom': isMailFromKept ? (current.mailFromDomainStatus ?? 'PENDING') : 'PENDING',
      ':registered': isMailFromKept && current.isRegistered,
      ':now': nowMs,
      ':zero': 0,
      ':since': current.sinceMs,
      ':polls': current.polls,
      ':was': current.status,
      ':duePk': due.duePk,
      ':dueSk': due.dueSk,
    },
  };
}

function removalOf(
  { accountId, sender, selector }: StoredDomain,
  nowMs: number,
  isHeld: boolean,
): TransactAction[] {
  const key = claimKey('domain', sender);
  const values = { ':account': accountId };
  const removal = { ...domainRemovalKey(accountId, sender), accountId, sender, selector };
  return [
    {
      delete: domainKey(accountId, sender),
      condition: 'selector = :selector',
      values: { ':selector': selector },
    },
    isHeld
      ? { delete: key, condition: 'accountId = :account', values }
      : { check: key, condition: 'attribute_not_exists(pk) OR accountId <> :account', values },
    { put: { ...removal, ...domainPollKeys(nowMs, accountId, sender) } },
  ];
}

async function removeAddress(table: Database, accountId: string, fullAddress: string): Promise<void> {
  await table.delete(claimKey('address', fullAddress), ownClaim(accountId));
  await table.delete(addressKey(accountId, fullAddress));
}

export const domains = dependency('domains', () =>
  createDomains(resolve(database), resolve(keyring), createDkimKeys()),
);
