import { afterAll, expect, it } from 'vitest';
import {
  PLATFORM_CLIENT,
  PLATFORM_PROJECT,
  startBackendPlatformFake,
} from '../support/fakes/backend-platform.ts';
import { STRIPE_KEY, STRIPE_PRICE, startStripeFake } from '../support/fakes/stripe.ts';
import { startLocalRun } from '../support/local-run.ts';
import { createOpenapiCheck } from '../support/openapi-check.ts';
import { URLS, walkOf } from './walk.ts';

const closers: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(closers.map((close) => close())));

it('uses Stripe for the checkout and the backend platform for projects and SMTP settings when they are configured', async () => {
  const [stripe, platform] = await Promise.all([startStripeFake(), startBackendPlatformFake()]);
  closers.push(stripe.close, platform.close);
  const live = await startLocalRun({
    settings: {
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_BASE_URL: stripe.url,
      STRIPE_SECRET_KEY: STRIPE_KEY,
      BACKEND_PLATFORM: 'live',
      BACKEND_PLATFORM_BASE_URL: platform.url,
      BACKEND_PLATFORM_CLIENT_ID: PLATFORM_CLIENT.id,
      BACKEND_PLATFORM_CLIENT_SECRET: PLATFORM_CLIENT.secret,
      BACKEND_SMTP_HOST: 'smtp.example.com',
      BACKEND_SMTP_USER: 'smtp-user',
      BACKEND_SMTP_PASSWORD: 'smtp-password',
    },
  });
  closers.push(live.stop);
  const { ok, sandbox } = walkOf(createOpenapiCheck(), live);
  const billed = await ok('saveBilling', { body: { ...URLS, budgetPriceId: STRIPE_PRICE } });
  expect(billed.url).toBe('https://checkout.stripe.com/c/pay/cs_test_1');
  const redirect_uri = 'https://shop.example.com/cb';
  const code_verifier = 'v'.repeat(43);
  platform.authorize('c0de', redirect_uri, code_verifier);
  await ok('connectBackend', { body: { code: 'c0de', redirect_uri, code_verifier } });
  await ok('listBackendProjects', {});
  const sender = { senderName: 'Shop', senderEmail: 'hello@news.example.com' };
  const body = { projectRef: PLATFORM_PROJECT, projectName: 'shop', ...sender };
  await ok('createDomain', { body: { sender: 'news.example.com' } });
  await sandbox('clock', { advance: 'PT1H' });
  await ok('configureBackend', { body });
  expect(platform.configured.map(({ ref }) => ref)).toEqual([PLATFORM_PROJECT]);
  await ok('disconnectBackend', {});
  expect(platform.refreshTokens.size).toBe(0);
});
