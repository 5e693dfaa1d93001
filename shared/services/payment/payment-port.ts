import * as v from 'valibot';

/** A checkout to start: a monthly subscription of `priceId` by a customer. */
export type Checkout = {
  organizationId: string;
  customerId: string;
  priceId: string;
  successUrl: string;
  cancelUrl: string;
};

/**
 * An event of the payment provider, in Stripe's shape, which the sandbox speaks too. `created` is in seconds; `object` is
 * the checkout session, subscription or invoice.
 */
export const PaymentEvent = v.object({
  id: v.string(),
  type: v.string(),
  created: v.number(),
  data: v.object({ object: v.record(v.string(), v.unknown()) }),
});
export type PaymentEvent = v.InferOutput<typeof PaymentEvent>;

/** The payment provider: Stripe, or a sandbox with a checkout page of its own. Calls throw PROVIDER_ERROR. */
export type Payment = {
  /** False without the provider's key: no customer can be made and no checkout started. */
  isConfigured(): Promise<boolean>;
  /** The organization's customer: repeats with the same arguments answer the same one. */
  createCustomer(customer: { organizationId: string; name: string; email: string }): Promise<string>;
  /** Throws INVALID_REQUEST when the price cannot be bought. */
  createCheckout(checkout: Checkout, nowMs: number): Promise<{ sessionId: string; url: string }>;
  /** The event of a callback's body, or undefined when its signature is missing, wrong or too old. */
  readEvent(rawBody: string, signature: string | undefined, nowMs: number): Promise<PaymentEvent | undefined>;
};
