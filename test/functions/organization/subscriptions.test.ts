import { describe, expect, it } from 'vitest';
import { handler as getOrganization } from '../../../functions/account/get-account-organization.ts';
import { handler as receive } from '../../../functions/organization/receive-payment-event.ts';
import { handler as saveBilling } from '../../../functions/organization/save-billing.ts';
import { freeCaps } from '../../../shared/domain/costs/usage-caps.ts';
import { call, type TestAccount } from '../../support/app.ts';
import { STRIPE_PRICE } from '../../support/fakes/stripe.ts';
import { customerAccount, NOW, signed, stored, stripe, usePayment } from './payment-setup.ts';

usePayment();

const read = async ({ secret: { key } }: TestAccount) => (await call(getOrganization, { key })).json;
const URLS = { successUrl: 'https://e.com/', cancelUrl: 'https://e.com/no' };
type Step = [id: string, what: string, more?: object, at?: number];

/** Caps by subscription: A 100, B 200, C 300 messages. */
const CAPS: Record<string, number> = { A: 100, B: 200, C: 300 };
const CREATED: Record<string, number> = { A: NOW - 30, B: NOW - 20, C: NOW - 10 };

async function play(steps: readonly Step[]) {
  const { account, customer } = await customerAccount();
  let at = NOW;
  for (const [id, what, more = {}, offset] of steps) {
    at += 1;
    const price = { currency: 'usd', unit_amount: 500, metadata: { messagesCap: String(CAPS[id]) } };
    const type = `customer.subscription.${['created', 'deleted'].includes(what) ? what : 'updated'}`;
    const status = ['created', 'deleted'].includes(what) ? 'active' : what;
    const object = {
      id: `sub_${id}`,
      customer,
      status,
      created: CREATED[id],
      items: { data: [{ price }] },
      ...more,
    };
    const { status: code } = await call(
      receive,
      signed({ type, created: offset === undefined ? at : NOW + offset, object }),
    );
    expect(code).toBe(200);
  }
  return { account, customer, plan: await read(account) };
}

const FREE = { organizationType: 'free', messagesCap: 10_000_000 };
const paid = (id: string) => ({ organizationType: 'paid', messagesCap: CAPS[id] });

describe('the plan of an organization follows from all of its subscriptions', () => {
  it.each<[string, Step[], object]>([
    [
      'the older one ends',
      [
        ['A', 'created'],
        ['B', 'created'],
        ['A', 'deleted'],
      ],
      paid('B'),
    ],
    [
      'the older one is to end, then ends',
      [
        ['A', 'created'],
        ['B', 'created'],
        ['A', 'active', { cancel_at_period_end: true }],
        ['A', 'deleted'],
      ],
      paid('B'),
    ],
    [
      'the older one is unpaid, then ends',
      [
        ['A', 'created'],
        ['B', 'created'],
        ['A', 'past_due'],
        ['A', 'unpaid'],
        ['A', 'deleted'],
      ],
      paid('B'),
    ],
    [
      'the newer one ends',
      [
        ['A', 'created'],
        ['B', 'created'],
        ['B', 'deleted'],
      ],
      paid('A'),
    ],
    [
      'three, the newest ends',
      [
        ['C', 'created'],
        ['A', 'created'],
        ['B', 'created'],
        ['C', 'deleted'],
      ],
      paid('B'),
    ],
    [
      'both end',
      [
        ['A', 'created'],
        ['B', 'created'],
        ['B', 'deleted'],
        ['A', 'deleted'],
      ],
      FREE,
    ],
    [
      'an update comes late, in the same second',
      [
        ['A', 'created', {}, 1],
        ['A', 'deleted', {}, 5],
        ['A', 'active', {}, 5],
      ],
      FREE,
    ],
    [
      'an update comes late, with a later time',
      [
        ['A', 'created', {}, 1],
        ['A', 'deleted', {}, 5],
        ['A', 'active', {}, 9],
      ],
      FREE,
    ],
    [
      'the end comes first',
      [
        ['A', 'deleted', {}, 5],
        ['A', 'created', {}, 1],
      ],
      FREE,
    ],
    [
      'an older update comes late',
      [
        ['A', 'past_due', {}, 5],
        ['A', 'unpaid', {}, 3],
      ],
      paid('A'),
    ],
    [
      'it is paused',
      [
        ['A', 'created'],
        ['A', 'paused'],
      ],
      FREE,
    ],
    [
      'its payment collection is paused',
      [
        ['A', 'created'],
        ['A', 'active', { pause_collection: { behavior: 'void' } }],
      ],
      FREE,
    ],
    [
      'it is paused and resumed',
      [
        ['A', 'created'],
        ['A', 'paused'],
        ['A', 'active'],
      ],
      paid('A'),
    ],
    [
      'it is unpaid, then paid',
      [
        ['A', 'created'],
        ['A', 'unpaid'],
        ['A', 'active'],
      ],
      paid('A'),
    ],
    ['it is incomplete', [['A', 'incomplete']], FREE],
    [
      'an incomplete one expires beside an active one',
      [
        ['A', 'created'],
        ['B', 'incomplete'],
        ['B', 'incomplete_expired'],
      ],
      paid('A'),
    ],
  ])('%s', async (_, steps, expected) => {
    expect((await play(steps)).plan).toMatchObject(expected);
  });

  it('a checkout whose payment is open gives no plan yet, and one of an ended subscription none any more', async () => {
    const { account, customer } = await play([['B', 'deleted']]);
    const complete = (subscription: string, payment_status: string) => {
      const object = { mode: 'subscription', customer, subscription, payment_status };
      return call(receive, signed({ type: 'checkout.session.completed', object }));
    };
    await complete('sub_A', 'unpaid');
    await complete('sub_B', 'paid');
    expect(await read(account)).toMatchObject(FREE);
    await complete('sub_A', 'paid');
    expect(await read(account)).toMatchObject({ organizationType: 'paid' });
  });
});

describe('the caps of a subscription', () => {
  const usd = (unit_amount: number | null, more: object = {}) => ({ currency: 'usd', unit_amount, ...more });
  const yearly = { recurring: { interval: 'year', interval_count: 1 } };

  it.each<[string, object[], object, object]>([
    [
      'the item that has some',
      [{ price: usd(500) }, { price: usd(9900, { metadata: { messagesCap: '7' } }) }],
      {},
      { messagesCap: 7, costCap: 99 },
    ],
    ['the sum of items', [{ price: usd(500) }, { price: usd(2000), quantity: 2 }], {}, { costCap: 45 }],
    ['quantity', [{ price: usd(1000), quantity: 5 }], {}, { costCap: 50 }],
    ['a decimal amount', [{ price: usd(null, { unit_amount_decimal: '1250.5' }) }], {}, { costCap: 12.51 }],
    ['a yearly price', [{ price: usd(12_000, yearly) }], {}, { costCap: 10 }],
    [
      'a quarterly price',
      [{ price: usd(3000, { recurring: { interval: 'month', interval_count: 3 } }) }],
      {},
      { costCap: 10 },
    ],
    [
      'the metadata of the subscription',
      [{ price: usd(500, { metadata: { smsCap: '9' } }) }],
      { smsCap: '4' },
      { smsCap: 4 },
    ],
    [
      'another currency',
      [{ price: { currency: 'eur', unit_amount: 900 } }],
      {},
      { costCap: freeCaps().costCap },
    ],
  ])('come from %s', async (_, data, metadata, expected) => {
    const { plan } = await play([['A', 'active', { items: { data }, metadata }]]);
    expect(plan).toMatchObject({ organizationType: 'paid', ...expected });
  });

  it.each(['1,000', 'many', '-1', '1e9', '0x10', 'NaN'])(
    'stay as they were when one reads %j',
    async (messagesCap) => {
      const price = usd(500, { metadata: { messagesCap } });
      const { plan } = await play([
        ['A', 'created'],
        ['A', 'active', { items: { data: [{ price }] } }],
      ]);
      expect(plan).toMatchObject(paid('A'));
    },
  );
});

describe('POST /billing', () => {
  const buy = ({ secret: { key } }: TestAccount, budgetPriceId?: string) =>
    call(saveBilling, { key, body: { ...URLS, ...(budgetPriceId ? { budgetPriceId } : {}) } });

  it('sells no second plan while one is active, and has the page to change it', async () => {
    const { account, customer } = await play([['A', 'created']]);
    const { status, json } = await buy(account, STRIPE_PRICE);
    expect([status, json.error.code]).toEqual([400, 'PLAN_ACTIVE']);
    expect((await buy(account)).json.url).toBe(`https://billing.stripe.com/p/${customer}`);
  });

  it('ends the checkouts that are open when another is paid', async () => {
    const { account, customer } = await customerAccount();
    const { sessionId } = (await buy(account, STRIPE_PRICE)).json;
    const object = { mode: 'subscription', customer, subscription: 'sub_A', payment_status: 'paid' };
    const complete = (more: object) =>
      call(receive, signed({ type: 'checkout.session.completed', object: { ...object, ...more } }));
    await complete({ payment_status: 'unpaid' });
    stripe.openAt(NOW + 1);
    await complete({});
    expect(stripe.expired).not.toContain(sessionId);
    stripe.openAt(NOW - 1);
    await complete({});
    expect(stripe.expired).toContain(sessionId);
  });

  it('makes a new customer, once, for one that the provider no longer has', async () => {
    const { account, customer } = await customerAccount();
    stripe.remove(customer);
    const before = stripe.customers.length;
    expect((await buy(account, STRIPE_PRICE)).status).toBe(200);
    expect((await buy(account, STRIPE_PRICE)).status).toBe(200);
    expect(stripe.customers).toHaveLength(before + 1);
    expect((await stored(account))?.customerId).not.toBe(customer);
  });

  it('forgets a customer who was deleted', async () => {
    const { account, customer } = await customerAccount();
    await call(receive, signed({ type: 'customer.deleted', object: { id: customer } }));
    expect(await stored(account)).not.toHaveProperty('customerId');
  });

  it('rejects a price in another currency', async () => {
    const { account } = await customerAccount();
    const body = {
      id: 'cs_eur',
      object: 'checkout.session',
      currency: 'eur',
      url: 'https://checkout.stripe.com/x',
    };
    stripe.respondWith('/v1/checkout/sessions', { status: 200, body });
    const { status, json } = await buy(account, STRIPE_PRICE);
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(stripe.expired).toContain('cs_eur');
  });
});
