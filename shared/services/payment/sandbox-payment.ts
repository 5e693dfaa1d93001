import * as v from 'valibot';
import { signer } from '../../database/entities/access/deployment-secret.ts';
import { requireSetting } from '../../runtime/config.ts';
import { resolve } from '../../runtime/dependency.ts';
import { newId } from '../../runtime/values/ids.ts';
import { signed, verified } from '../../tokens/signed-text.ts';
import type { Signer } from '../../tokens/signer.ts';
import { Checkout, type Payment, parsePaymentEvent } from './payment-port.ts';

/** Path of the sandbox's checkout page; the session's id follows. */
export const CHECKOUT_PATH = '/_sandbox/checkout/';
const SESSION_PREFIX = 'cs_sandbox_';
const SESSION_PURPOSE = 'sandbox-checkout';
const EVENT_PURPOSE = 'sandbox-payment-event';

/** A callback of the sandbox as Stripe would send it. */
export type SandboxCallback = { rawBody: string; signature: string };

/** A payment provider without payments: its checkout page is served by the local run at `PUBLIC_BASE_URL`. */
export function createSandboxPayment(sign: Signer = resolve(signer)): Payment {
  return {
    isConfigured: async () => true,
    createCustomer: async ({ organizationId }) => `cus_sandbox_${organizationId}`,
    async createCheckout(checkout) {
      const sessionId = SESSION_PREFIX + (await signed(sign, SESSION_PURPOSE, JSON.stringify(checkout)));
      return { sessionId, url: `${requireSetting('PUBLIC_BASE_URL')}${CHECKOUT_PATH}${sessionId}` };
    },
    expireCheckouts: async () => {},
    findPortal: async () => undefined,
    async readEvent(rawBody, signature) {
      if (!signature || !(await sign.verify(EVENT_PURPOSE, rawBody, signature))) return undefined;
      return parsePaymentEvent(rawBody);
    },
  };
}

/** The checkout that a session's ID represents; undefined for any other text. */
export async function findSandboxCheckout(sign: Signer, sessionId: string): Promise<Checkout | undefined> {
  const payload = await verified(sign, SESSION_PURPOSE, sessionId.replace(SESSION_PREFIX, ''));
  return payload === undefined ? undefined : v.parse(Checkout, JSON.parse(payload));
}

/** Stripe's callback after the checkout is paid: the session and its subscription. */
export async function paidCallbacks(
  sign: Signer,
  sessionId: string,
  checkout: Checkout,
  nowMs: number,
): Promise<SandboxCallback[]> {
  const created = Math.floor(nowMs / 1000);
  const subscription = `sub_sandbox_${newId()}`;
  const { customerId: customer, organizationId, priceId } = checkout;
  const objects: [type: string, object: Record<string, unknown>][] = [
    [
      'checkout.session.completed',
      {
        id: sessionId,
        mode: 'subscription',
        payment_status: 'paid',
        client_reference_id: organizationId,
        customer,
        subscription,
      },
    ],
    [
      'customer.subscription.updated',
      {
        id: subscription,
        customer,
        status: 'active',
        billing_cycle_anchor: created,
        metadata: { organizationId },
        items: { data: [{ price: sandboxPrice(priceId) }] },
      },
    ],
    ['invoice.paid', { id: `in_sandbox_${newId()}`, customer }],
  ];
  return Promise.all(
    objects.map(async ([type, object]) => {
      const rawBody = JSON.stringify({ id: `evt_sandbox_${newId()}`, type, created, data: { object } });
      return { rawBody, signature: await sign.sign(EVENT_PURPOSE, rawBody) };
    }),
  );
}

const BUDGET_USD_DEFAULT = 5000;
const MESSAGES_PER_USD = 10_000;

/** A budget tier of the sandbox: `price_200` has a budget of 200 USD, any other 5,000, and 10,000 messages per dollar. */
export function sandboxPrice(priceId: string) {
  const budgetUsd = Number(/(\d{1,7})$/.exec(priceId)?.[1] ?? BUDGET_USD_DEFAULT);
  const metadata = { messagesCap: String(budgetUsd * MESSAGES_PER_USD) };
  return { id: priceId, currency: 'usd', unit_amount: budgetUsd * 100, metadata };
}
