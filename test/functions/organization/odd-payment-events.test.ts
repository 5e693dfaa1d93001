import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { handler as receive } from '../../../functions/organization/receive-payment-event.ts';
import { call } from '../../support/app.ts';
import { customerAccount, NOW, SECRET, signed, stored, usePayment } from './payment-setup.ts';

usePayment();

describe('a signed event with unexpected content', () => {
  const raw = (rawBody: string) => ({
    rawBody,
    headers: {
      'stripe-signature': Stripe.webhooks.generateTestHeaderString({
        payload: rawBody,
        secret: SECRET,
        timestamp: NOW,
      }),
    },
  });

  it.each([
    'not json',
    '[]',
    'null',
    '{}',
    '{"id":"e","type":"t","created":1e400,"data":{"object":{}}}',
    `{"id":"${'e'.repeat(3000)}","type":"t","created":1,"data":{"object":{}}}`,
  ])('returns 400: %s', async (rawBody) => {
    const { status, json } = await call(receive, raw(rawBody));
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
  });

  it("returns 400 and changes nothing when a customer's subscription has another shape", async () => {
    const { account, customer } = await customerAccount();
    const before = await stored(account);
    const odd = [
      { customer, id: 7, status: 'active' },
      { customer, id: 's', status: 'active', billing_cycle_anchor: 1e20 },
      { customer, id: 's'.repeat(3000), status: 'active' },
      { customer, id: 's', status: 'active', items: { data: [7] } },
    ];
    for (const object of odd) {
      const { status } = await call(receive, signed({ type: 'customer.subscription.updated', object }));
      expect(status).toBe(400);
    }
    expect(await stored(account)).toEqual(before);
  });

  it.each([7, '', 'c'.repeat(3000), { id: 'cus_1' }])(
    'changes nothing for a customer %j',
    async (customer) => {
      const event = signed({ type: 'customer.subscription.updated', object: { customer } });
      expect((await call(receive, event)).status).toBe(200);
    },
  );
});
