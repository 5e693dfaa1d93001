import * as v from 'valibot';
import { dependency, machineClock, resolve } from '../../runtime/dependency.ts';
import { QuietWindows } from '../../schemas/quiet-hours.ts';
import type { SmsAnswers } from '../../schemas/sms-answers.ts';
import { type Database, database } from '../database.ts';
import { recentReads } from '../held-items.ts';
import { accountKey } from '../keys/account.ts';
import type { Item } from '../table.ts';
import { readStored } from './stored.ts';
import { assignmentOf } from './update-expression.ts';

/** Default log retention of an account, in days. */
export const RETENTION_DAYS_DEFAULT = 30;

const ProviderOrder = v.object({
  /** Entries of the account's own order; absent: the deployment's applies again. */
  order: v.optional(v.array(v.string())),
  changedAtMs: v.number(),
  /** The first entry before the last change. */
  formerFirst: v.optional(v.string()),
});

const StoredAccount = v.object({
  accountId: v.string(),
  name: v.string(),
  defaultEnvironmentId: v.string(),
  logo: v.optional(v.string()),
  timezone: v.optional(v.string()),
  /** Language of users without their own. */
  locale: v.optional(v.string()),
  retentionInDays: v.optional(v.number()),
  defaultSender: v.optional(v.object({ address: v.string(), name: v.optional(v.string()) })),
  /** The component in which emails of templates without a layout are shown, in each environment that has it. */
  defaultLayout: v.optional(v.string()),
  /** App schemes that links in notifications may have. */
  linkSchemes: v.optional(v.array(v.string())),
  /** Of users without their own. */
  quietHours: v.optional(QuietWindows),
  smsAnswers: v.optional(v.record(v.string(), v.record(v.string(), v.string()))),
  postalAddress: v.optional(v.string()),
  /** Orders of providers that differ, or have differed, from the deployment's. */
  emailProviders: v.optional(ProviderOrder),
  smsProviders: v.optional(ProviderOrder),
  callProviders: v.optional(ProviderOrder),
  feedShards: v.optional(v.number(), 1),
  disabled: v.optional(v.boolean(), false),
  createdAt: v.string(),
});
/** An account: its settings and its default environment. `feedShards` is how many partitions its feeds spread over. */
export type Account = v.InferOutput<typeof StoredAccount>;

/** Accounts by id. */
export type Accounts = {
  find(accountId: string): Promise<Account | undefined>;
  /** The account as it was at most some seconds ago: from this process's memory, or an eventual read. */
  findRecent(accountId: string): Promise<Account | undefined>;
  /** The current account. Throws if it is missing: an account named by a valid credential exists. */
  get(accountId: string): Promise<Account>;
  /** The account with the given settings replaced, and removed where they are null. */
  update(accountId: string, change: AccountChange): Promise<Account>;
};

/** The mutable settings of an account; null removes one. */
type AccountChange = {
  name?: string | undefined;
  logo?: string | null | undefined;
  timezone?: string | null | undefined;
  locale?: string | null | undefined;
  retentionInDays?: number | null | undefined;
  defaultSender?: { address: string; name?: string | undefined } | null | undefined;
  defaultLayout?: string | null | undefined;
  linkSchemes?: readonly string[] | null | undefined;
  quietHours?: QuietWindows | null | undefined;
  smsAnswers?: SmsAnswers | null | undefined;
  postalAddress?: string | null | undefined;
  emailProviders?: AccountProviders | undefined;
  smsProviders?: AccountProviders | undefined;
  callProviders?: AccountProviders | undefined;
};

/** Reads an account item from a batch. */
export function readAccount(item: Item): Account {
  return readStored('account', StoredAccount, item);
}

/** The order of providers that an account has set for a channel. */
export type AccountProviders = v.InferOutput<typeof ProviderOrder>;

/** Days that new log items of the account are kept. */
export function retentionDaysOf(account: Account): number {
  return account.retentionInDays ?? RETENTION_DAYS_DEFAULT;
}

function createAccounts(table: Database, machineNow: () => number): Accounts {
  const readRecent = recentReads((key) => table.get(key), machineNow);

  async function find(accountId: string, consistent = false): Promise<Account | undefined> {
    const item = await table.get(accountKey(accountId), { consistent });
    return item && readAccount(item);
  }
  async function get(accountId: string): Promise<Account> {
    const account = await find(accountId, true);
    if (!account) throw new Error('the account of a valid credential does not exist');
    return account;
  }
  return {
    find: (accountId) => find(accountId),
    get,
    async findRecent(accountId) {
      const item = await readRecent(accountKey(accountId));
      return item && readAccount(item);
    },
    async update(accountId, change) {
      if (Object.values(change).every((value) => value === undefined)) return get(accountId);
      const outcome = await table.update(accountKey(accountId), ...assignmentOf(change));
      if (!outcome.written || !outcome.item) {
        throw new Error('the account of a valid credential does not exist');
      }
      return readAccount(outcome.item);
    },
  };
}

export const accounts = dependency('accounts', () =>
  createAccounts(resolve(database), () => resolve(machineClock).now()),
);
