import * as v from 'valibot';
import { dependency, machineClock, resolve } from '../../../runtime/dependency.ts';
import { defined } from '../../../runtime/values/defined.ts';
import type { AccountChangeBody } from '../../../schemas/account/account.ts';
import { QuietWindows } from '../../../schemas/users/quiet-hours.ts';
import { type Database, database } from '../../database.ts';
import { assertExpected, isSameState, stampOf } from '../../items/edition.ts';
import { recentReads } from '../../items/held-items.ts';
import { AGAIN, untilSettled } from '../../items/settle.ts';
import { readStored } from '../../items/stored.ts';
import { assignmentOf } from '../../items/update-expression.ts';
import { accountKey } from '../../keys/account.ts';
import type { Item } from '../../table.ts';

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
  contentDays: v.optional(v.number()),
  defaultSender: v.optional(v.object({ address: v.string(), name: v.optional(v.string()) })),
  /** Layout component of emails whose template has no layout, in each environment that contains the component. */
  defaultLayout: v.optional(v.string()),
  /** App schemes that links in notifications may have. */
  linkSchemes: v.optional(v.array(v.string())),
  /** Of users without their own. */
  quietHours: v.optional(QuietWindows),
  smsAnswers: v.optional(v.record(v.string(), v.record(v.string(), v.string()))),
  phoneNumbers: v.optional(
    v.array(v.object({ number: v.string(), countries: v.optional(v.array(v.string())) })),
  ),
  postalAddress: v.optional(v.string()),
  trackingNeedsConsent: v.optional(v.boolean()),
  /** No release stored opt-outs of texts for the account or its environments: those of the number are all. */
  hasOptOutsByNumber: v.optional(v.boolean()),
  /** Orders of providers that differ, or have differed, from the deployment's. */
  emailProviders: v.optional(ProviderOrder),
  smsProviders: v.optional(ProviderOrder),
  callProviders: v.optional(ProviderOrder),
  feedShards: v.optional(v.number(), 1),
  disabled: v.optional(v.boolean(), false),
  createdAt: v.string(),
  updatedAtMs: v.optional(v.number()),
  updatedBy: v.optional(v.string()),
  /** Grows with each change of settings. */
  revision: v.optional(v.number()),
});
/** An account: its settings and its default environment. `feedShards` is how many partitions its feeds spread over. */
export type Account = v.InferOutput<typeof StoredAccount>;

export type Accounts = ReturnType<typeof createAccounts>;

/** The mutable settings of an account; null removes one. */
type AccountChange = v.InferOutput<typeof AccountChangeBody> & {
  emailProviders?: AccountProviders | undefined;
  smsProviders?: AccountProviders | undefined;
  callProviders?: AccountProviders | undefined;
};

export function readAccount(item: Item): Account {
  return readStored('account', StoredAccount, item);
}

/** The order of providers that an account has set for a channel. */
export type AccountProviders = v.InferOutput<typeof ProviderOrder>;

export function retentionDaysOf({ retentionInDays }: Pick<Account, 'retentionInDays'>): number {
  return retentionInDays ?? RETENTION_DAYS_DEFAULT;
}

/** Days that the content in them is kept. */
export function contentDaysOf(account: Pick<Account, 'retentionInDays' | 'contentDays'>): number {
  return Math.min(account.contentDays ?? Number.POSITIVE_INFINITY, retentionDaysOf(account));
}

/** What the requests that change settings and orders of providers may change, with its dates. */
export function editedParts(account: Account) {
  const { feedShards: _, disabled: __, revision: ___, ...rest } = account;
  const { emailProviders, smsProviders, callProviders, ...settings } = rest;
  return { account: settings, providers: { emailProviders, smsProviders, callProviders } };
}

const withoutNulls = (change: AccountChange) =>
  Object.fromEntries(Object.entries(defined(change)).map(([name, value]) => [name, value ?? undefined]));

function createAccounts(table: Database, machineNow: () => number) {
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
    find: (accountId: string): Promise<Account | undefined> => find(accountId),
    /** The current account. Throws if it is missing: an account named by a valid credential exists. */
    get,
    /** The account as it was at most some seconds ago: from this process's memory, or an eventual read. */
    async findRecent(accountId: string): Promise<Account | undefined> {
      const item = await readRecent(accountKey(accountId));
      return item && readAccount(item);
    },
    /** The account with the given settings replaced, and removed where they are null. */
    update: (accountId: string, change: AccountChange): Promise<Account> =>
      untilSettled(async () => {
        const before = await get(accountId);
        const { revision = 0 } = before;
        if (isSameState({ ...before, ...withoutNulls(change) }, before)) return before;
        const parts = editedParts(before);
        for (const kind of ['account', 'providers'] as const) assertExpected(kind, parts[kind]);
        const assigned = { ...change, ...stampOf('account'), revision: revision + 1 };
        const [expression, options] = assignmentOf(assigned);
        const outcome = await table.update(accountKey(accountId), expression, {
          ...options,
          condition: `${options.condition} AND (revision = :before OR attribute_not_exists(revision))`,
          values: { ...options.values, ':before': revision },
        });
        return outcome.written && outcome.item ? readAccount(outcome.item) : AGAIN;
      }),
  };
}

export const accounts = dependency('accounts', () =>
  createAccounts(resolve(database), () => resolve(machineClock).now()),
);
