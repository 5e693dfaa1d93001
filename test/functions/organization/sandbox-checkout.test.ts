import { beforeAll, describe, expect, it } from 'vitest';
import { handler as getOrganization } from '../../../functions/account/get-account-organization.ts';
import { handler as receive } from '../../../functions/organization/receive-payment-event.ts';
import { handler as saveBilling } from '../../../functions/organization/save-billing.ts';
import { checkoutRoutes } from '../../../infra/local/sandbox/checkout-pages.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { payment } from '../../../shared/services/payment/payment.ts';
import { createSandboxPayment } from '../../../shared/services/payment/sandbox-payment.ts';
import { call } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');
beforeAll(() => {
  process.env.PUBLIC_BASE_URL = 'http://localhost:3000';
  replace(payment, () => createSandboxPayment());
});

const pages = checkoutRoutes();
const body = {
  budgetPriceId: 'price_any',
  successUrl: 'https://shop.example.com/ok',
  cancelUrl: 'https://shop.example.com/?a="1"&b=2',
};

describe('the sandbox of the payment provider', () => {
  it('serves a checkout page that charges nothing before payment, then makes the organization paid', async () => {
    const { status, json } = await call(saveBilling, { key: account.secret.key, body });
    expect(status).toBe(200);
    const { pathname, origin } = new URL(json.url);
    expect(origin).toBe('http://localhost:3000');
    const typeOf = async () =>
      (await call(getOrganization, { key: account.secret.key })).json.organizationType;

    const page = await pages({ method: 'GET', path: pathname });
    expect(page?.statusCode).toBe(200);
    expect(page?.body).not.toContain('a="1"');
    expect(page?.body).toContain('price_any');
    expect(page?.body).toContain('$5,000.00 per month');
    expect(await typeOf()).toBe('free');

    const paid = await pages({ method: 'POST', path: pathname });
    expect([paid?.statusCode, paid?.headers.location]).toEqual([303, body.successUrl]);
    expect(await typeOf()).toBe('paid');
  });

  it.each([
    ['price_any', { costCap: 5000, messagesCap: 50_000_000 }],
    ['price_budget_200', { costCap: 200, messagesCap: 2_000_000 }],
  ])('gives the organization the caps of its plan once it is paid: %s', async (budgetPriceId, caps) => {
    const { json } = await call(saveBilling, { key: account.secret.key, body: { ...body, budgetPriceId } });
    await pages({ method: 'POST', path: new URL(json.url).pathname });
    expect((await call(getOrganization, { key: account.secret.key })).json).toMatchObject(caps);
  });

  it('redirects to an address with characters that a header cannot contain', async () => {
    const successUrl = 'https://shop.example.com/erfolgreich-日本?straße=1';
    const { json } = await call(saveBilling, { key: account.secret.key, body: { ...body, successUrl } });
    const paid = await pages({ method: 'POST', path: new URL(json.url).pathname });
    expect([paid?.statusCode, paid?.headers.location]).toEqual([303, new URL(successUrl).href]);
  });

  it('rejects checkouts that it did not start and events that it did not sign', async () => {
    const { json } = await call(saveBilling, { key: account.secret.key, body });
    const { pathname } = new URL(json.url);
    for (const path of [
      `${pathname}x`,
      pathname.replace('cs_sandbox_', 'cs_sandbox_A'),
      '/_sandbox/checkout/',
    ]) {
      expect((await pages({ method: 'POST', path }))?.statusCode).toBe(400);
      const shown = await pages({ method: 'GET', path });
      expect([shown?.statusCode, shown?.body]).toEqual([400, expect.stringContaining('<h1>')]);
    }
    expect(await pages({ method: 'GET', path: '/_sandbox/other' })).toBeUndefined();
    const rawBody = JSON.stringify({ id: 'evt_1', type: 'invoice.paid', created: 1, data: { object: {} } });
    for (const headers of [{}, { 'stripe-signature': 'x' }]) {
      expect((await call(receive, { rawBody, headers })).status).toBe(401);
    }
  });
});
