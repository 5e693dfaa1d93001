import * as v from 'valibot';
import type { OrganizationChange, StoredOrganization } from '../../shared/database/entities/organizations.ts';
import { freeCaps } from '../../shared/domain/free-plan.ts';
import { defined } from '../../shared/runtime/defined.ts';
import { Id } from '../../shared/schemas/text.ts';
import { EPOCH_SECONDS_MAX, type PaymentEvent } from '../../shared/services/payment/payment-port.ts';

const Metadata = v.optional(v.nullable(v.record(v.string(), v.string())));
const CheckoutSession = v.object({
  mode: v.optional(v.nullable(v.string())),
  subscription: v.optional(v.nullable(Id)),
});
const Price = v.object({
  metadata: Metadata,
  currency: v.optional(v.nullable(v.string())),
  /** In cents. */
  unit_amount: v.optional(v.nullable(v.number())),
});
const Subscription = v.object({
  id: Id,
  status: v.string(),
  billing_cycle_anchor: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(EPOCH_SECONDS_MAX)),
  ),
  metadata: Metadata,
  items: v.optional(v.object({ data: v.array(v.object({ price: v.optional(Price) })) })),
});

/**
 * Subscription states in which the plan is active, including the grace period of a failed payment, and those
 * in which it has ended.
 */
const HAD = ['active', 'trialing', 'past_due'];
const OVER = ['canceled', 'unpaid', 'incomplete_expired'];

/**
 * Returns the changes that an event makes to the billing item: none for events that are late or concern
 * something else. Throws `ValiError` if the event's object does not have the shape of its type.
 */
export function changeOfEvent(event: PaymentEvent, organization: StoredOrganization): OrganizationChange {
  const { type, created, data } = event;
  if (type === 'invoice.paid' || type === 'invoice.payment_failed') {
    if (created < organization.paymentEventAt) return {};
    return { paymentStatus: type === 'invoice.paid' ? 'paid' : 'failed', paymentEventAt: created };
  }
  if (created < organization.subscriptionEventAt) return {};
  switch (type) {
    case 'checkout.session.completed':
      return checkoutChange(v.parse(CheckoutSession, data.object));
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
      return subscriptionChange(v.parse(Subscription, data.object), organization, created);
    case 'customer.subscription.deleted':
      return subscriptionChange(
        { ...v.parse(Subscription, data.object), status: 'canceled' },
        organization,
        created,
      );
    default:
      return {};
  }
}

// The subscription's own events may be older than this one and arrive later: only they move
// subscriptionEventAt.
function checkoutChange(session: v.InferOutput<typeof CheckoutSession>): OrganizationChange {
  if (session.mode !== 'subscription' || !session.subscription) return {};
  return { organizationType: 'paid', subscriptionId: session.subscription };
}

function subscriptionChange(
  subscription: v.InferOutput<typeof Subscription>,
  organization: StoredOrganization,
  created: number,
): OrganizationChange {
  const { id, status, billing_cycle_anchor: anchor } = subscription;
  const isOther = organization.subscriptionId !== undefined && organization.subscriptionId !== id;
  const known = { subscriptionStatus: status, subscriptionEventAt: created };
  if (OVER.includes(status)) {
    // The end of an earlier subscription does not end the one that replaced it.
    if (isOther) return {};
    return { ...known, organizationType: 'free', subscriptionId: null, ...wholeCaps({}) };
  }
  if (!HAD.includes(status)) return isOther ? {} : known;
  return {
    ...known,
    organizationType: 'paid',
    subscriptionId: id,
    ...wholeCaps({ ...capsOfPrice(subscription.items?.data[0]?.price), ...subscription.metadata }),
    ...defined({
      anchorDate: anchor === undefined ? undefined : new Date(anchor * 1000).toISOString().slice(0, 10),
    }),
  };
}

/**
 * Reads the caps from a price's metadata. Without a costCap there, a price in dollars is itself the monthly
 * budget.
 */
function capsOfPrice(price: v.InferOutput<typeof Price> | undefined): Record<string, string> {
  const { metadata, currency, unit_amount: cents } = price ?? {};
  const isBudget = currency === 'usd' && typeof cents === 'number';
  return { ...(isBudget ? { costCap: String(cents / 100) } : undefined), ...metadata };
}

/** Every cap: the value under the cap's name in the price's metadata, or else the free plan's. */
function wholeCaps(metadata: Record<string, string>): OrganizationChange {
  const free = freeCaps();
  return {
    messagesCap: capOf(metadata.messagesCap) ?? free.messagesCap,
    costCap: capOf(metadata.costCap) ?? free.costCap,
    smsCap: capOf(metadata.smsCap) ?? free.smsCap ?? null,
    callCap: capOf(metadata.callCap) ?? free.callCap ?? null,
    allowOverage: metadata.allowOverage === 'true',
  };
}

function capOf(text: string | undefined): number | undefined {
  const cap = text?.trim() ? Number(text) : Number.NaN;
  return cap >= 0 && cap <= Number.MAX_SAFE_INTEGER ? cap : undefined;
}
