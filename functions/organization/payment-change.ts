import * as v from 'valibot';
import type {
  OrganizationChange,
  StoredOrganization,
  StoredSubscription,
} from '../../shared/database/entities/accounts/organizations.ts';
import { freeCaps } from '../../shared/domain/costs/usage-caps.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { Id } from '../../shared/schemas/fields/text.ts';
import type { PaymentEvent } from '../../shared/services/payment/payment-port.ts';
import { capsOfSubscription, Subscription } from './subscription-caps.ts';

const CheckoutSession = v.object({
  mode: v.optional(v.nullable(v.string())),
  subscription: v.optional(v.nullable(Id)),
  payment_status: v.optional(v.nullable(v.string())),
});

/**
 * What the provider's states of a subscription mean: the plan counts, including the grace period of a failed payment; it rests and
 * may come back; or it has ended, for good.
 */
const MEANINGS: Readonly<Record<string, StoredSubscription['state']>> = {
  active: 'counts',
  trialing: 'counts',
  past_due: 'counts',
  unpaid: 'rests',
  paused: 'rests',
  incomplete: 'rests',
  canceled: 'ended',
  incomplete_expired: 'ended',
};
/** Of the subscriptions of an organization, the newest are kept. */
const SUBSCRIPTIONS_MAX = 10;

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
  switch (type) {
    case 'checkout.session.completed':
      return checkoutChange(v.parse(CheckoutSession, data.object), organization);
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
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

/** The subscription's own events may be older than this one and arrive later: they count whenever they come. */
function checkoutChange(
  session: v.InferOutput<typeof CheckoutSession>,
  organization: StoredOrganization,
): OrganizationChange {
  const { mode, subscription: id, payment_status: paymentStatus } = session;
  if (mode !== 'subscription' || !id || paymentStatus === 'unpaid') return {};
  const known = subscriptionsOf(organization);
  if (known[id]) return {};
  return planOf(organization, { ...known, [id]: { state: 'counts', at: 0 } }, id);
}

function subscriptionChange(
  subscription: v.InferOutput<typeof Subscription>,
  organization: StoredOrganization,
  created: number,
): OrganizationChange {
  const {
    id,
    status,
    billing_cycle_anchor: anchor,
    created: createdAt,
    pause_collection: pause,
  } = subscription;
  const known = subscriptionsOf(organization);
  const before = known[id];
  // An ended subscription does not come back: a later event of it is late.
  if (before?.state === 'ended' || created < (before?.at ?? 0)) return {};
  const state = pause ? 'rests' : (MEANINGS[status] ?? 'rests');
  const caps = state === 'counts' ? capsOfSubscription(subscription, organization) : undefined;
  const anchorDate = anchor === undefined ? undefined : new Date(anchor * 1000).toISOString().slice(0, 10);
  const next = { state, at: created, ...defined({ createdAt, caps, anchorDate }) };
  const changed = planOf(organization, { ...known, [id]: next }, id);
  return { ...changed, subscriptionStatus: status, subscriptionEventAt: created };
}

type Subscriptions = NonNullable<StoredOrganization['subscriptions']>;

/** The subscriptions of an organization; earlier releases stored the current one alone. */
function subscriptionsOf(organization: StoredOrganization): Subscriptions {
  const { subscriptions, subscriptionId, subscriptionEventAt: at, anchorDate } = organization;
  if (subscriptions || subscriptionId === undefined) return subscriptions ?? {};
  const { messagesCap, costCap, smsCap, callCap, allowOverage } = organization;
  const caps = { messagesCap, costCap, allowOverage, ...defined({ smsCap, callCap }) };
  return { [subscriptionId]: { state: 'counts', at, caps, anchorDate } };
}

/** The plan is paid while any subscription counts, with the caps of the newest of them. */
function planOf(organization: StoredOrganization, all: Subscriptions, lastId: string): OrganizationChange {
  const isLast = (id: string) => Number(id === lastId);
  const newestFirst = Object.entries(all).sort(
    ([leftId, left], [rightId, right]) => ageOf(right) - ageOf(left) || isLast(rightId) - isLast(leftId),
  );
  const subscriptions = Object.fromEntries(newestFirst.slice(0, SUBSCRIPTIONS_MAX));
  const counting = newestFirst.filter(([, { state }]) => state === 'counts');
  const [newest] = counting;
  if (!newest) {
    const { smsCap = null, callCap = null, ...free } = freeCaps();
    const hadPlan = organization.organizationType === 'paid';
    return {
      subscriptions,
      organizationType: 'free',
      subscriptionId: null,
      ...(hadPlan ? { ...free, smsCap, callCap, allowOverage: false } : {}),
    };
  }
  const withCaps = counting.find(([, { caps }]) => caps !== undefined)?.[1];
  const { smsCap = null, callCap = null, ...caps } = withCaps?.caps ?? {};
  return {
    subscriptions,
    organizationType: 'paid',
    subscriptionId: newest[0],
    ...(withCaps ? { ...caps, smsCap, callCap } : {}),
    ...defined({ anchorDate: withCaps?.anchorDate }),
  };
}

const ageOf = ({ createdAt, at }: StoredSubscription) => createdAt ?? at;
