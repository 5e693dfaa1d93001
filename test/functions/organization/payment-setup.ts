import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { beforeAll } from 'vitest';
import { handler as saveBilling } from '../../../functions/organization/save-billing.ts';
import { organizationKey } from '../../../shared/database/keys/account.ts';
import { secrets } from '../../../shared/providers/settings/secrets.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { payment } from '../../../shared/services/payment/payment.ts';
import { createStripePayment } from '../../../shared/services/payment/stripe.ts';
import { call, createTestAccount, START_MS, type TestAccount } from '../../support/app.ts';
import { STRIPE_KEY, startStripeFake } from '../../support/fakes/stripe.ts';
import { laterApp } from '../../support/use-app.ts';
import { later, use } from '../../support/use-started.ts';

export const SECRET = 'whsec_test';
export const NOW = START_MS / 1000;
const app = laterApp();
export const stripe = later(startStripeFake);

type Event = { id?: string; type: string; created?: number; object: Record<string, unknown> };

export function signed(event: Event, options: { secret?: string; at?: number } = {}) {
  const rawBody = JSON.stringify({
    id: event.id ?? `evt_${randomUUID()}`,
    object: 'event',
    type: event.type,
    created: event.created ?? NOW,
    data: { object: event.object },
  });
  const header = Stripe.webhooks.generateTestHeaderString({
    payload: rawBody,
    secret: options.secret ?? SECRET,
    timestamp: options.at ?? NOW,
  });
  return { rawBody, headers: { 'stripe-signature': header } };
}

export async function customerAccount(): Promise<{ account: TestAccount; customer: string }> {
  const account = await createTestAccount(app);
  const urls = { successUrl: 'https://e.com/', cancelUrl: 'https://e.com/' };
  await call(saveBilling, { key: account.secret.key, body: urls });
  return { account, customer: String((await stored(account))?.customerId) };
}
export const stored = (account: TestAccount) => app.database.get(organizationKey(account.account.accountId));

/** Starts this set-up for the tests of a file. */
export function usePayment(): void {
  use(app, stripe);
  beforeAll(() => {
    process.env.STRIPE_BASE_URL = stripe.url;
    const known: Record<string, string> = { STRIPE_SECRET_KEY: STRIPE_KEY, STRIPE_WEBHOOK_SECRET: SECRET };
    replace(secrets, () => ({ find: async (name) => known[name] }));
    replace(payment, createStripePayment);
  });
}
