import * as v from 'valibot';
import { numberKeyOf, spellingsOf } from '../../../domain/phone/number-spellings.ts';
import type { SmsOptOut } from '../../../domain/phone/sms-opt-outs.ts';
import { dependency, machineClock, resolve } from '../../../runtime/dependency.ts';
import { type Database, database } from '../../database.ts';
import { evictHeld, recentReads } from '../../items/held-items.ts';
import { readStored } from '../../items/stored.ts';
import type { Key } from '../../keys/key.ts';
import {
  EVERY_ACCOUNT,
  readServiceNumber,
  SMS_OPT_OUT_SK_PREFIX,
  smsOptOutKey,
  smsOptOutPk,
} from '../../keys/phone.ts';
import { type Accounts, accounts } from '../accounts/accounts.ts';

const StoredOptOut = v.object({ sk: v.string(), isOptedOut: v.boolean(), atMs: v.optional(v.number(), 0) });
const StoredOptOuts = v.object({ decisions: v.array(StoredOptOut) });

type Scope = { accountId: string; environmentId: string };

/** Opt-outs and opt-ins of a phone number. */
export type SmsOptOuts = ReturnType<typeof createSmsOptOuts>;

/** The decisions about a number as one item of the cache. */
const listKey = (number: string): Key => ({
  pk: smsOptOutPk(EVERY_ACCOUNT, numberKeyOf(number)),
  sk: SMS_OPT_OUT_SK_PREFIX,
});

function createSmsOptOuts(table: Database, accounts: Pick<Accounts, 'findRecent'>, machineNow: () => number) {
  const query = (pk: string, consistent: boolean) =>
    table.queryAll(pk, SMS_OPT_OUT_SK_PREFIX, { consistent });
  const read = async (key: Key) => ({ ...key, decisions: await query(key.pk, true) });
  const readRecent = recentReads(read, machineNow);

  /**
   * Decisions that earlier releases stored for an account or an environment, which apply there, or under the other spelling of
   * a number. Newer accounts have none.
   */
  async function listEarlier({ accountId, environmentId }: Scope, number: string) {
    if ((await accounts.findRecent(accountId))?.hasOptOutsByNumber) return [];
    const partitions = [environmentId, accountId, EVERY_ACCOUNT].flatMap((owner) =>
      spellingsOf(number).map((each) => smsOptOutPk(owner, each)),
    );
    // They receive no writes any more, and these reads cost half.
    const others = partitions.filter((pk) => pk !== listKey(number).pk);
    const items = await Promise.all(others.map((pk) => query(pk, false)));
    return items.flat().map((item) => readStored('opt-out', StoredOptOut, item));
  }

  return {
    /**
     * Lists a person's last decision for each of the deployment's numbers, by one query. The decisions apply to every account.
     * They may be three seconds old (never older than this process's own writes), unless `isPresent`.
     */
    async list(scope: Scope, number: string, isPresent: boolean = false): Promise<SmsOptOut[]> {
      const key = listKey(number);
      const [earlier, item] = await Promise.all([
        listEarlier(scope, number),
        isPresent ? read(key) : readRecent(key),
      ]);
      const { decisions } = readStored('opt-outs', StoredOptOuts, item ?? { decisions: [] });
      const all = [...earlier.sort((left, right) => left.atMs - right.atMs), ...decisions].map(
        ({ sk, ...decided }) => ({ number, serviceNumber: readServiceNumber(sk), ...decided }),
      );
      // The last record is the latest.
      return [...new Map(all.map((each) => [each.serviceNumber, each])).values()];
    },

    /** Stores a decision, unless a later one is stored. */
    async decide({ number, serviceNumber, isOptedOut, atMs }: SmsOptOut): Promise<void> {
      const item = { ...smsOptOutKey(EVERY_ACCOUNT, numberKeyOf(number), serviceNumber), isOptedOut, atMs };
      const condition = 'attribute_not_exists(pk) OR atMs < :at';
      // Also of a write whose outcome is not known.
      await table.put(item, { condition, values: { ':at': atMs } }).finally(() => evictHeld(listKey(number)));
    },
  };
}

export const smsOptOuts = dependency('smsOptOuts', () =>
  createSmsOptOuts(resolve(database), resolve(accounts), () => resolve(machineClock).now()),
);
