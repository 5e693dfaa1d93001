import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { handler as getOrganization } from '../../../functions/account/get-account-organization.ts';
import { handler as receive } from '../../../functions/organization/receive-payment-event.ts';
import { call, type TestAccount } from '../../support/app.ts';
import { customerAccount, NOW, SECRET, signed, stored, usePayment } from './payment-setup.ts';

usePayment();

const read = async (account: TestAccount) => (await call(getOrganization, { key: account.secret.key })).json;
const subscription = (customer: string, more: object = {}) => ({
  id: 'sub_1',
  customer,
  status: 'active',
  items: {
    data: [{ price: { id: 'price_1', metadata: { messagesCap: '500', smsCap: '50', costCap: '12.5' } } }],
  },
  ...more,
});

describe('POST /callbacks/stripe', () => {
  it('makes the organization paid when its checkout completes, and sets the caps of the price', async () => {
    const { account, customer } = await customerAccount();
    const session = { id: 'cs_1', mode: 'subscription', customer, subscription: 'sub_1' };
    const completed = await call(receive, signed({ type: 'checkout.session.completed', object: session }));
    expect(completed).toMatchObject({ status: 200, json: { received: true } });
    expect(await read(account)).toMatchObject({ organizationType: 'paid', messagesCap: 10_000_000 });

    // The subscription was made before the checkout completed; its event arrives after.
    const object = subscription(customer, {
      billing_cycle_anchor: Date.parse('2026-11-05T10:00:00Z') / 1000,
    });
    await call(receive, signed({ type: 'customer.subscription.created', created: NOW - 5, object }));
    expect(await read(account)).toMatchObject({
      organizationType: 'paid',
      messagesCap: 500,
      smsCap: 50,
      costCap: 12.5,
      allowOverage: false,
      anniversaryDate: '2026-12-05',
    });
  });

  it('sets the budget from a dollar price without costCap, otherwise from its metadata', async () => {
    const { account, customer } = await customerAccount();
    const prices = [
      [{ currency: 'usd', unit_amount: 4900, metadata: {} }, 49],
      [{ currency: 'usd', unit_amount: 4900, metadata: { costCap: '12' } }, 12],
      [{ currency: 'eur', unit_amount: 4900, metadata: {} }, 1000],
    ] as const;
    for (const [index, [price, costCap]] of prices.entries()) {
      const object = subscription(customer, { items: { data: [{ price }] } });
      await call(receive, signed({ type: 'customer.subscription.updated', created: NOW + index, object }));
      expect(await read(account)).toMatchObject({ organizationType: 'paid', costCap });
    }
  });

  it('applies a repeated event once', async () => {
    const { account, customer } = await customerAccount();
    const event = {
      id: `evt_${randomUUID()}`,
      type: 'customer.subscription.updated',
      object: subscription(customer),
    };
    const responses = await Promise.all(Array.from({ length: 5 }, () => call(receive, signed(event))));
    expect(responses.map((each) => each.status)).toEqual(Array(5).fill(200));
    const once = await stored(account);
    await call(receive, signed(event));
    expect(await stored(account)).toEqual(once);
    expect(once?.revision).toBe(2);
  });

  it('ignores an event older than one already applied, whatever the order of arrival', async () => {
    const { account, customer } = await customerAccount();
    const deleted = {
      type: 'customer.subscription.deleted',
      created: NOW + 9,
      object: subscription(customer),
    };
    await call(receive, signed(deleted));
    await call(receive, signed({ type: 'customer.subscription.updated', object: subscription(customer) }));
    const session = { mode: 'subscription', customer, subscription: 'sub_1' };
    await call(receive, signed({ type: 'checkout.session.completed', object: session }));
    expect(await read(account)).toMatchObject({ organizationType: 'free', messagesCap: 10_000_000 });
  });

  it('restores the free caps when the subscription ends, but not when an earlier one does', async () => {
    const { account, customer } = await customerAccount();
    const update = (more: object, type = 'customer.subscription.updated') =>
      call(receive, signed({ type, object: subscription(customer, more) }));
    await update({});
    await update({ id: 'sub_2', metadata: { allowOverage: 'true' } });
    expect(await read(account)).toMatchObject({ messagesCap: 500, allowOverage: true });
    await update({}, 'customer.subscription.deleted');
    expect(await read(account)).toMatchObject({ organizationType: 'paid', messagesCap: 500 });
    await update({ id: 'sub_2', status: 'past_due' });
    expect(await read(account)).toMatchObject({ organizationType: 'paid' });
    await update({ id: 'sub_2', status: 'unpaid' });
    const ended = await read(account);
    expect(ended).toMatchObject({ organizationType: 'free', messagesCap: 10_000_000, allowOverage: false });
    expect(ended).not.toHaveProperty('smsCap');
  });

  it('records whether the last invoice was paid', async () => {
    const { account, customer } = await customerAccount();
    const invoice = (type: string, created: number) =>
      call(receive, signed({ type, created, object: { id: 'in_1', customer } }));
    await invoice('invoice.payment_failed', NOW + 1);
    expect((await stored(account))?.paymentStatus).toBe('failed');
    await invoice('invoice.paid', NOW);
    expect((await stored(account))?.paymentStatus).toBe('failed');
    await invoice('invoice.paid', NOW + 2);
    expect((await stored(account))?.paymentStatus).toBe('paid');
  });

  it('accepts events of other types and of unknown customers, and changes nothing', async () => {
    const { account, customer } = await customerAccount();
    const before = await read(account);
    const events = [
      { type: 'customer.created', object: { id: customer, customer } },
      { type: 'customer.subscription.updated', object: subscription('cus_unknown') },
      { type: 'checkout.session.completed', object: { customer, mode: 'payment' } },
      { type: 'payout.paid', object: {} },
    ];
    for (const event of events) expect((await call(receive, signed(event))).status).toBe(200);
    expect(await read(account)).toEqual(before);
  });

  it('changes only the organization of the customer in the event', async () => {
    const [mine, theirs] = [await customerAccount(), await customerAccount()];
    const before = await read(theirs.account);
    const object = subscription(mine.customer, {
      metadata: { organizationId: theirs.account.account.accountId },
    });
    await call(receive, signed({ type: 'customer.subscription.updated', object }));
    expect(await read(theirs.account)).toEqual(before);
    expect((await read(mine.account)).organizationType).toBe('paid');
  });

  it('returns 401 for events that Stripe did not sign', async () => {
    const { account, customer } = await customerAccount();
    const event = { type: 'customer.subscription.updated', object: subscription(customer) };
    const good = signed(event);
    const refused = [
      { rawBody: good.rawBody },
      { rawBody: good.rawBody, headers: { 'stripe-signature': 'nonsense' } },
      { rawBody: `${good.rawBody} `, headers: good.headers },
      { headers: good.headers },
      signed(event, { secret: 'whsec_other' }),
      signed(event, { at: NOW - 301 }),
    ];
    for (const request of refused) {
      const { status, json } = await call(receive, request);
      expect([status, json.error.code]).toEqual([401, 'UNAUTHORIZED']);
    }
    expect((await read(account)).organizationType).toBe('free');
  });
});

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
