import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as getOrganization } from '../../../functions/account/get-account-organization.ts';
import { handler as updateAccount } from '../../../functions/account/update-account.ts';
import { handler as saveBilling } from '../../../functions/organization/save-billing.ts';
import { organizationKey } from '../../../shared/database/keys/account.ts';
import { secrets } from '../../../shared/providers/settings/secrets.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { payment } from '../../../shared/services/payment/payment.ts';
import { createStripePayment } from '../../../shared/services/payment/stripe.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { STRIPE_KEY, STRIPE_PRICE, startStripeFake, stripeError } from '../../support/fakes/stripe.ts';
import { skipPauses } from '../../support/skip-pauses.ts';
import { addTestMember, expectRefusedValues, NOT_TEXT } from '../../support/strangers.ts';
import { useAccount, useApp } from '../../support/use-app.ts';
import { useStarted } from '../../support/use-started.ts';

const app = useApp();
const account = useAccount(app, 'test');
const stripe = useStarted(startStripeFake);
let key: string | undefined = STRIPE_KEY;
beforeAll(() => {
  process.env.STRIPE_BASE_URL = stripe.url;
});
beforeEach(() => {
  key = STRIPE_KEY;
  replace(secrets, () => ({ find: async (name) => (name === 'STRIPE_SECRET_KEY' ? key : undefined) }));
  replace(payment, createStripePayment);
});

const URLS = {
  successUrl: 'https://shop.example.com/ok?s={CHECKOUT_SESSION_ID}',
  cancelUrl: 'http://localhost:5173/',
};
const billing = (account: TestAccount, body: object = URLS) =>
  call(saveBilling, { key: account.secret.key, body });
const stored = (account: TestAccount) => app.database.get(organizationKey(account.account.accountId));
const customersOf = (account: TestAccount) =>
  stripe.customers.filter((form) => form.get('metadata[organizationId]') === account.account.accountId);

describe('POST /billing', () => {
  it('returns the billing record and creates the customer once', async () => {
    const first = await billing(account);
    expect(first).toMatchObject({
      status: 200,
      json: { organizationId: account.account.accountId, organizationType: 'free', name: 'Test' },
    });
    expect(first.json).not.toHaveProperty('url');
    app.clock.nowMs += 60_000;
    expect((await billing(account)).json).toEqual(first.json);
    expect(customersOf(account).map((form) => [form.get('name'), form.get('email')])).toEqual([
      ['Test', account.admin.email],
    ]);
    const read = await call(getOrganization, { key: account.secret.key });
    expect(read.json).toEqual(first.json);
  });

  it("returns the account's current name, even after the record is stored", async () => {
    await billing(account);
    await call(updateAccount, { key: account.secret.key, body: { name: 'Shop' } });
    expect((await billing(account)).json.name).toBe('Shop');
    expect((await call(getOrganization, { key: account.secret.key })).json.name).toBe('Shop');
  });

  it('creates one customer from many concurrent calls', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => billing(account)));
    expect(responses.map((each) => each.status)).toEqual(Array(8).fill(200));
    expect(customersOf(account)).toHaveLength(1);
    expect((await stored(account))?.customerId).toMatch(/^cus_/);
  });

  it('starts a subscription checkout for the customer when a price is given', async () => {
    const { status, json } = await billing(account, { ...URLS, budgetPriceId: STRIPE_PRICE });
    expect(status).toBe(200);
    expect(json.url).toBe(`https://checkout.stripe.com/c/pay/${json.sessionId}`);
    expect(Object.fromEntries(stripe.sessions.at(-1) ?? [])).toEqual({
      mode: 'subscription',
      customer: (await stored(account))?.customerId,
      client_reference_id: account.account.accountId,
      'line_items[0][price]': STRIPE_PRICE,
      'line_items[0][quantity]': '1',
      'subscription_data[metadata][organizationId]': account.account.accountId,
      success_url: URLS.successUrl,
      cancel_url: URLS.cancelUrl,
    });
    expect(json.organizationType).toBe('free');
  });

  it('returns 400 for a price that is not for sale, without repeating it', async () => {
    const { status, json } = await billing(account, { ...URLS, budgetPriceId: 'price_not_there' });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain('budgetPriceId');
    expect(JSON.stringify(json)).not.toContain('price_not_there');
  });

  it("returns 502 with the provider's code when it fails, and works when it has recovered", async () => {
    const failures = [
      [stripeError(401, { type: 'invalid_request_error' }), 'StripeAuthenticationError'],
      [stripeError(402, { type: 'card_error', code: 'card_declined' }), 'card_declined'],
      [stripeError(400, { type: 'idempotency_error' }), 'StripeIdempotencyError'],
    ] as const;
    for (const [reply, providerCode] of failures) {
      stripe.respondWith('/v1/customers', reply);
      const { status, json } = await billing(account);
      expect([status, json.error]).toEqual([
        502,
        expect.objectContaining({ code: 'PROVIDER_ERROR', provider: 'stripe', providerCode }),
      ]);
    }
    expect((await billing(account)).status).toBe(200);
  });

  it('works again once the key can be read', async () => {
    let reads = 0;
    replace(secrets, () => ({
      find: async () => {
        reads += 1;
        if (reads === 2) throw new Error('the secrets are unavailable');
        return STRIPE_KEY;
      },
    }));
    expect((await billing(account)).status).toBe(500);
    expect((await billing(account)).status).toBe(200);
  });

  it('repeats a call that Stripe did not respond to and still creates one customer', async () => {
    skipPauses();
    stripe.respondWith('/v1/customers', stripeError(500, { type: 'api_error' }), 'drop');
    expect((await billing(account)).status).toBe(200);
    expect(customersOf(account)).toHaveLength(1);
  });

  it('creates one customer and one checkout when Stripe has carried a call out and its answer is lost', async () => {
    const sessions = stripe.sessions.length;
    skipPauses();
    for (const path of ['/v1/customers', '/v1/checkout/sessions']) stripe.loseResponse(path);
    const { status, json } = await billing(account, { ...URLS, budgetPriceId: STRIPE_PRICE });
    expect([status, json.url]).toEqual([200, expect.stringContaining('checkout.stripe.com')]);
    expect([customersOf(account).length, stripe.sessions.length - sessions]).toEqual([1, 1]);
  });

  it('works when the name of the account changes after every answer about its new customer was lost', async () => {
    skipPauses();
    stripe.loseResponse('/v1/customers', 3);
    expect((await billing(account, { ...URLS, budgetPriceId: STRIPE_PRICE })).status).toBe(502);
    const renamed = { key: account.secret.key, body: { name: 'Another name' } };
    expect((await call(updateAccount, renamed)).status).toBe(200);
    expect((await billing(account, { ...URLS, budgetPriceId: STRIPE_PRICE })).status).toBe(200);
    expect(customersOf(account).at(-1)?.get('name')).toBe('Another name');
  });

  it('returns the record without a provider key, and 502 only when a checkout is requested', async () => {
    key = undefined;
    const calls = stripe.calls();
    expect((await billing(account)).status).toBe(200);
    const asked = await billing(account, { ...URLS, budgetPriceId: STRIPE_PRICE });
    expect([asked.status, asked.json.error.providerCode]).toEqual([502, 'NOT_CONFIGURED']);
    expect(stripe.calls()).toBe(calls);
    expect((await stored(account))?.customerId).toBeUndefined();
    key = STRIPE_KEY;
    expect((await billing(account, { ...URLS, budgetPriceId: STRIPE_PRICE })).status).toBe(200);
  });

  it('returns 400 for every invalid field', async () => {
    const request = { key: account.secret.key, body: URLS };
    const urls = [
      '',
      'shop',
      '/done',
      'http://shop.example.com/',
      'javascript:alert(1)',
      `https://e.com/${'x'.repeat(2048)}`,
    ];
    for (const field of ['successUrl', 'cancelUrl']) {
      await expectRefusedValues(saveBilling, request, field, [...NOT_TEXT, ...urls]);
    }
    const ids = [...NOT_TEXT.filter((value) => value !== undefined), '', ' ', 'x'.repeat(2048)];
    await expectRefusedValues(saveBilling, request, 'budgetPriceId', ids);
    expect(await stored(account)).toBeUndefined();
  });

  it('bills each organization separately', async () => {
    const [mine, theirs] = [await createTestAccount(app), await createTestAccount(app)];
    await billing(mine);
    expect(await stored(theirs)).toBeUndefined();
    await billing(theirs);
    expect((await stored(theirs))?.customerId).not.toBe((await stored(mine))?.customerId);
  });

  it('accepts the access token of an administrator', async () => {
    const { token } = await addTestMember(app, account, 'admin');
    expect((await call(saveBilling, { key: token, body: URLS })).status).toBe(200);
  });
});
