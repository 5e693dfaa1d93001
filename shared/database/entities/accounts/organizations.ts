import * as v from 'valibot';
import { freeCaps } from '../../../domain/costs/usage-caps.ts';
import { nextAnniversary } from '../../../domain/costs/usage-months.ts';
import { isoOf } from '../../../runtime/clock.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { DAY_SECONDS, secondsAfter } from '../../../runtime/values/durations.ts';
import { Organization } from '../../../schemas/account/organization.ts';
import { type Database, database } from '../../database.ts';
import { AGAIN, atRevision, untilSettled } from '../../items/settle.ts';
import { readStored } from '../../items/stored.ts';
import { organizationKey } from '../../keys/account.ts';
import { claimKey } from '../../keys/key.ts';
import type { Item } from '../../table.ts';
import { type Members, members } from '../access/members.ts';
import { type Account, type Accounts, accounts } from './accounts.ts';

const SubscriptionCaps = v.object(
  v.pick(v.object(Organization.entries), ['messagesCap', 'costCap', 'smsCap', 'callCap', 'allowOverage'])
    .entries,
);
export type SubscriptionCaps = v.InferOutput<typeof SubscriptionCaps>;

const StoredSubscription = v.object({
  /** Whether it gives the plan: an ended one never does again. */
  state: v.picklist(['counts', 'rests', 'ended']),
  /** Time of the newest applied event, seconds: older events that arrive late are ignored. */
  at: v.number(),
  /** Seconds. */
  createdAt: v.optional(v.number()),
  caps: v.optional(SubscriptionCaps),
  anchorDate: v.optional(v.string()),
});
export type StoredSubscription = v.InferOutput<typeof StoredSubscription>;

const StoredOrganization = v.object({
  ...v.omit(Organization, ['billingVersion', 'anniversaryDate', 'sessionId', 'url']).entries,
  /** First day (YYYY-MM-DD) of the billing periods. */
  anchorDate: v.string(),
  customerId: v.optional(v.string()),
  /** By ID; the plan follows from all. */
  subscriptions: v.optional(v.record(v.string(), StoredSubscription)),
  /** The newest subscription that gives the plan. */
  subscriptionId: v.optional(v.string()),
  /** Of the last event applied: its state, and its time in seconds. */
  subscriptionStatus: v.optional(v.string()),
  subscriptionEventAt: v.optional(v.number(), 0),
  /** Outcome of the last invoice, and the time of its event, seconds. */
  paymentStatus: v.optional(v.picklist(['paid', 'failed'])),
  paymentEventAt: v.optional(v.number(), 0),
  revision: v.optional(v.number(), 0),
});
/** Billing item of an organization, which is the account's. */
export type StoredOrganization = v.InferOutput<typeof StoredOrganization>;

/** Caps of an organization per billing period; `costCap` in USD, for SMS and CALL. */
export type Caps = Pick<
  StoredOrganization,
  'messagesCap' | 'costCap' | 'smsCap' | 'callCap' | 'allowOverage' | 'anchorDate'
>;

/** Caps of an account, from its stored billing item. Defaults to the caps of the free plan. */
export function capsOf(account: Account, organization: Item | undefined): Caps {
  return organization
    ? readStored('organization', StoredOrganization, organization)
    : { ...freeCaps(), anchorDate: account.createdAt.slice(0, 10) };
}

/** The changes of a payment event; absent fields stay, null removes. */
export type OrganizationChange = {
  [K in keyof StoredOrganization]?: StoredOrganization[K] | null;
};

export type Organizations = ReturnType<typeof createOrganizations>;

/** Event ids are kept for this long: the provider repeats for three days. */
const EVENT_KEPT_SECONDS = 30 * DAY_SECONDS;

type Store = { table: Database; accounts: Accounts; members: Members };

function createOrganizations(table: Database, accounts: Accounts, members: Members) {
  const store: Store = { table, accounts, members };
  return {
    /** The stored billing item, or the item to be stored for an account that has none, with the account's present name. */
    get: (accountId: string): Promise<StoredOrganization> => getOrganization(store, accountId),
    /** As `get`; the first concurrent caller stores it. */
    getOrCreate: (accountId: string, nowMs: number): Promise<StoredOrganization> =>
      getOrCreate(store, accountId, nowMs),
    /** Notes the payment provider's customer; false when the organization had one already. */
    setCustomer: (accountId: string, customerId: string, nowMs: number): Promise<boolean> =>
      setCustomer(store, accountId, customerId, nowMs),

    /** Forgets a customer that the payment provider no longer has. */
    async forgetCustomer(accountId: string, customerId: string, nowMs: number): Promise<void> {
      await table.update(
        organizationKey(accountId),
        'SET updatedAt = :now REMOVE customerId ADD revision :one',
        {
          condition: 'customerId = :customer',
          values: { ':now': isoOf(nowMs), ':one': 1, ':customer': customerId },
        },
      );
    },

    async findAccountOfCustomer(customerId: string): Promise<string | undefined> {
      const claim = await table.get(claimKey('payment-customer', customerId), { consistent: true });
      return claim && readStored('claim', v.object({ accountId: v.string() }), claim).accountId;
    },

    /**
     * Applies an event once: its id is stored together with the change that `changeOf` makes of the item as it is now.
     * False when the event was applied before.
     */
    applyEvent: (
      accountId: string,
      eventId: string,
      nowMs: number,
      changeOf: (organization: StoredOrganization) => OrganizationChange,
    ): Promise<boolean> => applyEvent(store, { accountId, eventId, nowMs, changeOf }),
  };
}

async function findOrganization(store: Store, accountId: string): Promise<StoredOrganization | undefined> {
  const item = await store.table.get(organizationKey(accountId), { consistent: true });
  return item && readStored('organization', StoredOrganization, item);
}

async function buildFree(store: Store, { accountId, name, createdAt }: Account): Promise<StoredOrganization> {
  const people = await store.members.listAll(accountId);
  return {
    organizationId: accountId,
    organizationType: 'free',
    creator: people.find((each) => each.role === 'admin')?.email ?? accountId,
    name,
    ...freeCaps(),
    anchorDate: createdAt.slice(0, 10),
    subscriptionEventAt: 0,
    paymentEventAt: 0,
    createdAt,
    updatedAt: createdAt,
    revision: 0,
  };
}

async function getOrganization(store: Store, accountId: string): Promise<StoredOrganization> {
  const [stored, account] = await Promise.all([
    findOrganization(store, accountId),
    store.accounts.get(accountId),
  ]);
  return stored ? { ...stored, name: account.name } : buildFree(store, account);
}

async function getOrCreate(store: Store, accountId: string, nowMs: number): Promise<StoredOrganization> {
  if (!(await findOrganization(store, accountId))) {
    const built = await buildFree(store, await store.accounts.get(accountId));
    const item = { ...built, createdAt: isoOf(nowMs), updatedAt: isoOf(nowMs) };
    await store.table.put(
      { ...organizationKey(accountId), ...item },
      { condition: 'attribute_not_exists(pk)' },
    );
  }
  return getOrganization(store, accountId);
}

function setCustomer(store: Store, accountId: string, customerId: string, nowMs: number): Promise<boolean> {
  return untilSettled(async () => {
    const outcome = await store.table.transact([
      {
        update: organizationKey(accountId),
        expression: 'SET customerId = :customer, updatedAt = :now ADD revision :one',
        condition: 'attribute_exists(pk) AND attribute_not_exists(customerId)',
        values: { ':customer': customerId, ':now': isoOf(nowMs), ':one': 1 },
      },
      { put: { ...claimKey('payment-customer', customerId), accountId } },
    ]);
    return outcome.written || outcome.failed.length > 0 ? outcome.written : AGAIN;
  });
}

function applyEvent(
  store: Store,
  {
    accountId,
    eventId,
    nowMs,
    changeOf,
  }: {
    accountId: string;
    eventId: string;
    nowMs: number;
    changeOf: (organization: StoredOrganization) => OrganizationChange;
  },
): Promise<boolean> {
  return untilSettled(async () => {
    const current = await findOrganization(store, accountId);
    if (!current) throw new Error('the organization of a payment customer does not exist');
    const change = changeOf(current);
    const isChanged = Object.keys(change).length > 0;
    const outcome = await store.table.transact([
      {
        put: {
          ...claimKey('payment-event', eventId),
          accountId,
          expiresAt: secondsAfter(nowMs, EVENT_KEPT_SECONDS),
        },
        condition: 'attribute_not_exists(pk)',
      },
      {
        put: {
          ...organizationKey(accountId),
          ...changedItem(current, change),
          ...defined({ updatedAt: isChanged ? isoOf(nowMs) : undefined }),
          revision: current.revision + 1,
        },
        ...atRevision(current.revision),
      },
    ]);
    if (outcome.written) return true;
    return outcome.failed.some((each) => each.index === 0) ? false : AGAIN;
  });
}

/** The item after a change: null removes a field. */
function changedItem(current: StoredOrganization, change: OrganizationChange): Item {
  return Object.fromEntries(
    Object.entries({ ...current, ...change }).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** A billing item as returned: `anniversaryDate` is the next monthly reset. */
export function organizationResponse(organization: StoredOrganization, nowMs: number): Organization {
  const { smsCap, callCap } = organization;
  return {
    organizationId: organization.organizationId,
    organizationType: organization.organizationType,
    creator: organization.creator,
    name: organization.name,
    messagesCap: organization.messagesCap,
    costCap: organization.costCap,
    ...defined({ smsCap, callCap }),
    billingVersion: 3,
    anniversaryDate: nextAnniversary(organization.anchorDate, nowMs),
    allowOverage: organization.allowOverage,
    createdAt: organization.createdAt,
    updatedAt: organization.updatedAt,
  };
}

export const organizations = dependency('organizations', () =>
  createOrganizations(resolve(database), resolve(accounts), resolve(members)),
);
