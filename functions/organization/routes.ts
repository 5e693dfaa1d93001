import * as v from 'valibot';
import { FREE_PLAN_SETTINGS } from '../../shared/domain/costs/usage-caps.ts';
import { isDate } from '../../shared/domain/costs/usage-months.ts';
import { ADMIN_ACCESS, SERVER_ACCESS } from '../../shared/http/access/access.ts';
import { route } from '../../shared/http/rows/route.ts';
import {
  BillingRequest,
  CurrentUsage,
  Organization,
  UsageMonth,
} from '../../shared/schemas/account/organization.ts';
import { exampleOrganization } from './example-organization.ts';

const Day = v.pipe(v.string(), v.check(isDate, 'must be a calendar date, YYYY-MM-DD'));

const counts = { EMAIL: 1204, INAPP_WEB: 310, SMS: 12, CALL: 0, PUSH: 88, WEB_PUSH: 5, CHAT: 0 };

export const getUsageRoute = route({
  id: 'getUsage',
  method: 'GET',
  path: '/organization/usage',
  access: SERVER_ACCESS,
  response: { kind: 'json', body: CurrentUsage },
  settings: FREE_PLAN_SETTINGS,
  grants: { table: ['get', 'query', 'update'] },
  summary: 'Get the usage of this month and of the billing period, with the caps',
  description:
    'Counts are per calendar month in UTC; the caps apply to the billing period, which begins on the anniversary. costUsd is the cost of SMS and CALL.',
  example: {
    response: {
      yearMonth: '2026-11',
      counts,
      costUsd: 0.09,
      billingPeriod: { startDate: '2026-11-21', endDate: '2026-12-21', counts, costUsd: 0.09 },
      caps: { messagesCap: 10_000_000, costCap: 1000, allowOverage: false },
    },
  },
});

export const getUsageHistoryRoute = route({
  id: 'getUsageHistory',
  method: 'GET',
  path: '/organization/usage/history',
  access: SERVER_ACCESS,
  query: v.object({ startDate: Day, endDate: Day }),
  response: { kind: 'json', body: v.object({ items: v.array(UsageMonth) }) },
  grants: { table: ['get', 'query', 'update'] },
  summary: 'Get the usage of each month of a range',
  description:
    'One item for each month from startDate to endDate, ascending, at most 36. A month without data has zeros. days has each day (UTC) of the month when messages were sent.',
  example: {
    response: { items: [{ yearMonth: '2026-11', counts, days: [{ date: '2026-11-21', counts }] }] },
  },
});

export const saveBillingRoute = route({
  id: 'saveBilling',
  method: 'POST',
  replaces: true,
  path: '/billing',
  access: ADMIN_ACCESS,
  body: BillingRequest,
  response: { kind: 'json', body: Organization },
  grants: {
    table: ['get', 'query', 'put', 'update'],
    keyring: ['encrypt', 'decrypt'],
    services: ['secrets'],
  },
  settings: ['PAYMENT_PROVIDER', 'STRIPE_BASE_URL', 'PUBLIC_BASE_URL', ...FREE_PLAN_SETTINGS],
  summary: 'Get or create the billing record, and start a checkout if a price is given',
  description:
    "Creates the payment provider's customer once. With budgetPriceId, starts a checkout, which is rejected while a plan is active. Without it, url is the page to change or cancel the active plan, if there is one. Administrators only.",
  example: {
    request: {
      budgetPriceId: 'price_1QZ0budget',
      successUrl: 'https://shop.example.com/billing/done',
      cancelUrl: 'https://shop.example.com/billing',
    },
    response: {
      ...exampleOrganization,
      sessionId: 'cs_test_a1b2',
      url: 'https://checkout.stripe.com/c/pay/cs_test_a1b2',
    },
  },
  errors: ['PLAN_ACTIVE', 'PROVIDER_ERROR'],
});

export const receivePaymentEventRoute = route({
  id: 'receivePaymentEvent',
  method: 'POST',
  path: '/callbacks/stripe',
  signedBy: ['stripe-signature'],
  bodyBytesMax: 256 * 1024,
  access: 'none',
  response: { kind: 'json', body: v.object({ received: v.boolean() }) },
  grants: { table: ['get', 'put'], keyring: ['encrypt', 'decrypt'], services: ['secrets'] },
  settings: ['PAYMENT_PROVIDER', 'STRIPE_BASE_URL', ...FREE_PLAN_SETTINGS],
  summary: 'Receive an event of the payment provider',
  description:
    'The signature header over the raw body is the credential. Applies checkout.session.completed, customer.subscription.*, invoice.paid and invoice.payment_failed once each; other events are accepted and ignored.',
  example: { response: { received: true } },
});
