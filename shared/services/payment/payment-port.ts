import * as v from 'valibot';
import { AppError } from '../../runtime/errors.ts';
import { Id } from '../../schemas/fields/text.ts';

/** The end of the year 9999, in seconds. */
export const EPOCH_SECONDS_MAX = 253_402_300_799;

/** A checkout to start: a monthly subscription of `priceId` by a customer. */
export const Checkout = v.object({
  organizationId: v.string(),
  customerId: v.string(),
  priceId: v.string(),
  successUrl: v.string(),
  cancelUrl: v.string(),
});
export type Checkout = v.InferOutput<typeof Checkout>;

/**
 * An event of the payment provider, in Stripe's shape, which the sandbox speaks too. `created` is in seconds; `object` is
 * the checkout session, subscription or invoice.
 */
export const PaymentEvent = v.object({
  id: Id,
  type: v.string(),
  created: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(EPOCH_SECONDS_MAX)),
  data: v.object({ object: v.record(v.string(), v.unknown()) }),
});
export type PaymentEvent = v.InferOutput<typeof PaymentEvent>;

/**
 * Returns the event in a callback's body, whose signature has been verified. Throws INVALID_REQUEST for
 * anything else.
 */
export function parsePaymentEvent(rawBody: string): PaymentEvent {
  const json = v.safeParse(v.pipe(v.string(), v.parseJson(), PaymentEvent), rawBody);
  if (json.success) return json.output;
  throw unreadableEvent();
}

/** The error for an event that the provider signed and that is not one this version reads. */
export const unreadableEvent = () =>
  new AppError('INVALID_REQUEST', {
    message: 'The event does not have the shape of its type.',
    fix: 'Set the API version of the webhook endpoint to the one of the stripe package in package.json.',
  });

type NewCustomer = {
  organizationId: string;
  name: string;
  email: string;
  formerId?: string | undefined;
};

/** The payment provider: Stripe, or a sandbox with its own checkout page. Calls throw PROVIDER_ERROR. */
export type Payment = {
  /** False without the provider's key: no customer can be created and no checkout started. */
  isConfigured(): Promise<boolean>;
  /**
   * The organization's customer: repeating the call with the same arguments returns the same customer. `formerId` is a customer
   * that the provider no longer has.
   */
  createCustomer(customer: NewCustomer): Promise<string>;
  /** Throws INVALID_REQUEST when the price cannot be bought. Undefined when the provider has no such customer. */
  createCheckout(checkout: Checkout, nowMs: number): Promise<{ sessionId: string; url: string } | undefined>;
  /** Ends the customer's open checkouts that began until `untilSeconds`: another checkout was paid then. */
  expireCheckouts(customerId: string, untilSeconds: number): Promise<void>;
  /** The page where the customer changes or cancels the plan; undefined where there is none. */
  findPortal(customerId: string, returnUrl: string): Promise<string | undefined>;
  /** The event of a callback's body, or undefined when its signature is missing, wrong or too old. */
  readEvent(rawBody: string, signature: string | undefined, nowMs: number): Promise<PaymentEvent | undefined>;
};
