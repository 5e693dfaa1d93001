import * as v from 'valibot';
import type {
  StoredOrganization,
  SubscriptionCaps,
} from '../../shared/database/entities/accounts/organizations.ts';
import { freeCaps } from '../../shared/domain/costs/usage-caps.ts';
import { log } from '../../shared/runtime/logger.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { Id } from '../../shared/schemas/fields/text.ts';
import { EPOCH_SECONDS_MAX } from '../../shared/services/payment/payment-port.ts';

const Metadata = v.optional(v.nullable(v.record(v.string(), v.string())));
const EpochSeconds = v.optional(
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(EPOCH_SECONDS_MAX)),
);
const Recurring = v.object({ interval: v.string(), interval_count: v.optional(v.number(), 1) });
const Price = v.object({
  metadata: Metadata,
  currency: v.optional(v.nullable(v.string())),
  /** In cents; absent where it has fractions, which only the decimal form has. */
  unit_amount: v.optional(v.nullable(v.number())),
  unit_amount_decimal: v.optional(v.nullable(v.string())),
  recurring: v.optional(v.nullable(Recurring)),
});
const Item = v.object({ price: v.optional(v.nullable(Price)), quantity: v.optional(v.nullable(v.number())) });
type Item = v.InferOutput<typeof Item>;

/** A subscription of the payment provider, as far as it decides the plan. */
export const Subscription = v.object({
  id: Id,
  status: v.string(),
  created: EpochSeconds,
  billing_cycle_anchor: EpochSeconds,
  pause_collection: v.optional(v.nullable(v.object({}))),
  metadata: Metadata,
  items: v.optional(v.object({ data: v.array(Item) })),
});

const CAPS = ['messagesCap', 'costCap', 'smsCap', 'callCap'] as const;

/** How many of an interval there are in a month. */
const PER_MONTH: Readonly<Record<string, number>> = { day: 365 / 12, week: 52 / 12, month: 1, year: 1 / 12 };

/**
 * The caps of a subscription: its own, then the caps in the metadata of an item. Without a costCap, the monthly budget is the
 * price of that item in dollars, or the sum of all prices. A cap that cannot be read stays as it was, and is reported: a wrong
 * cap could be a thousand times too high.
 */
export function capsOfSubscription(
  { id, items, metadata }: v.InferOutput<typeof Subscription>,
  organization: StoredOrganization,
): SubscriptionCaps {
  const all = items?.data ?? [];
  const named = all.find(({ price }) => CAPS.some((cap) => price?.metadata?.[cap] !== undefined));
  const budgets = (named ? [named] : all).map(budgetOf);
  const budget = budgets.some((each) => each !== undefined)
    ? String(Math.round(budgets.reduce<number>((sum, each) => sum + (each ?? 0), 0) * 100) / 100)
    : undefined;
  const texts: Record<string, string> = {
    ...defined({ costCap: budget }),
    ...named?.price?.metadata,
    ...metadata,
  };
  const free = freeCaps();
  const capOf = (cap: (typeof CAPS)[number]): number | undefined => {
    const text = texts[cap]?.trim();
    if (text === undefined || text === '') return free[cap];
    if (/^\d{1,12}(?:\.\d{1,6})?$/.test(text)) return Number(text);
    log.error(
      `the ${cap} of a subscription cannot be read`,
      {},
      new Error(`the metadata of ${id} has no number`),
    );
    return organization[cap];
  };
  return {
    messagesCap: capOf('messagesCap') ?? free.messagesCap,
    costCap: capOf('costCap') ?? free.costCap,
    ...defined({ smsCap: capOf('smsCap'), callCap: capOf('callCap') }),
    allowOverage: texts.allowOverage === 'true',
  };
}

/** The price of an item a month, in dollars; undefined for another currency, or a price without one amount. */
function budgetOf({ price, quantity }: Item): number | undefined {
  const cents = Number(price?.unit_amount_decimal ?? price?.unit_amount ?? Number.NaN);
  if (price?.currency !== 'usd' || !Number.isFinite(cents)) return undefined;
  const { interval = 'month', interval_count: count = 1 } = price.recurring ?? {};
  return ((cents / 100) * (quantity ?? 1) * (PER_MONTH[interval] ?? 1)) / count;
}
