import { createHash } from 'node:crypto';
import Stripe from 'stripe';
import { requireSecret, secrets } from '../../providers/settings/secrets.ts';
import { loadOnce } from '../../runtime/async/lazily.ts';
import { setting } from '../../runtime/config.ts';
import { resolve } from '../../runtime/dependency.ts';
import { AppError } from '../../runtime/errors.ts';
import { defined } from '../../runtime/values/defined.ts';
import { type Payment, parsePaymentEvent } from './payment-port.ts';

const TIMEOUT_MS = 8000;
const SIGNATURE_AGE_SECONDS_MAX = 300;

/**
 * Stripe by `STRIPE_SECRET_KEY`, at `STRIPE_BASE_URL` when it is not Stripe's own; callbacks are checked with
 * `STRIPE_WEBHOOK_SECRET`.
 */
export function createStripePayment(): Payment {
  const stripe = loadOnce(async () => clientOf(await requireSecret('STRIPE_SECRET_KEY')));
  return {
    isConfigured: async () => Boolean(await resolve(secrets).find('STRIPE_SECRET_KEY')),

    async createCustomer({ organizationId, name, email, formerId }) {
      const customer = await called(async () =>
        (await stripe()).customers.create(
          {
            name,
            metadata: { organizationId },
            ...defined({ email: email.includes('@') ? email : undefined }),
          },
          // Stripe rejects a key that comes with other values than at first, for a day.
          {
            idempotencyKey: `cust_${organizationId}_${hashOf([name, email, ...(formerId ? [formerId] : [])])}`,
          },
        ),
      );
      return customer.id;
    },

    async createCheckout({ organizationId, customerId, priceId, successUrl, cancelUrl }) {
      const session = await calledFor(async () =>
        (await stripe()).checkout.sessions.create({
          mode: 'subscription',
          customer: customerId,
          client_reference_id: organizationId,
          line_items: [{ price: priceId, quantity: 1 }],
          subscription_data: { metadata: { organizationId } },
          success_url: successUrl,
          cancel_url: cancelUrl,
        }),
      );
      if (session === undefined) return undefined;
      if (session.currency && session.currency !== 'usd') {
        const { sessions } = (await stripe()).checkout;
        await called(() => sessions.expire(session.id));
        throw new AppError('INVALID_REQUEST', {
          message: 'body.budgetPriceId must be a price in US dollars, as caps are.',
          path: 'budgetPriceId',
          fix: 'Create a price in USD at the payment provider.',
        });
      }
      if (!session.url) throw providerError('NO_CHECKOUT_URL');
      return { sessionId: session.id, url: session.url };
    },

    async expireCheckouts(customer, untilSeconds) {
      const { sessions } = (await stripe()).checkout;
      const open = await calledFor(() => sessions.list({ customer, status: 'open', limit: 100 }));
      // One that was paid or expired meanwhile cannot be ended.
      for (const { id, created } of open?.data ?? [])
        if (created <= untilSeconds) await sessions.expire(id).catch(() => {});
    },

    async findPortal(customer, returnUrl) {
      try {
        const portal = (await stripe()).billingPortal.sessions;
        return (await portal.create({ customer, return_url: returnUrl })).url;
      } catch (error) {
        // The account at Stripe has no settings for it, or the customer is gone.
        if (error instanceof Stripe.errors.StripeInvalidRequestError) return undefined;
        return called(() => Promise.reject(error));
      }
    },

    async readEvent(rawBody, signature, nowMs) {
      const secret = await resolve(secrets).find('STRIPE_WEBHOOK_SECRET');
      if (!secret || !signature) return undefined;
      try {
        const age = SIGNATURE_AGE_SECONDS_MAX;
        // Throws for the signature first, then for a body that is not JSON, which `parsePaymentEvent` reports.
        Stripe.webhooks.constructEvent(rawBody, signature, secret, age, undefined, nowMs);
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) return undefined;
        if (!(error instanceof SyntaxError)) throw error;
      }
      return parsePaymentEvent(rawBody);
    },
  };
}

const hashOf = (values: string[]) =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 12);

function clientOf(key: string): Stripe {
  const { hostname, port, protocol } = new URL(setting('STRIPE_BASE_URL'));
  const isPlain = protocol === 'http:';
  return new Stripe(key, {
    host: hostname,
    port: port || (isPlain ? 80 : 443),
    protocol: isPlain ? 'http' : 'https',
    maxNetworkRetries: 2,
    timeout: TIMEOUT_MS,
    telemetry: false,
  });
}

/** As `called`; undefined if Stripe no longer has the customer: deleted, or of the other mode's key. */
async function calledFor<T>(call: () => Promise<T>): Promise<T | undefined> {
  return called(() =>
    call().catch((error: unknown) => {
      const isInvalid = error instanceof Stripe.errors.StripeInvalidRequestError;
      if (isInvalid && error.code === 'resource_missing' && error.param === 'customer') return undefined;
      throw error;
    }),
  );
}

async function called<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.param?.startsWith('line_items')) {
      throw new AppError('INVALID_REQUEST', {
        message: 'body.budgetPriceId must be the id of an active recurring price.',
        path: 'budgetPriceId',
        fix: "Copy the price's id from the payment provider's dashboard.",
        cause: error,
      });
    }
    throw providerError(error.code ?? error.type, error);
  }
}

function providerError(providerCode: string, cause?: unknown): AppError {
  return new AppError('PROVIDER_ERROR', {
    message: 'The payment provider rejected or failed the request.',
    fix: 'Try again later; if it persists, check the configured key and the status of the provider.',
    provider: 'stripe',
    providerCode,
    cause,
  });
}
