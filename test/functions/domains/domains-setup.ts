import { afterEach, beforeAll } from 'vitest';
import { handler as createDomain } from '../../../functions/domains/create-domain.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { domainVerifier } from '../../../shared/services/domains/domains.ts';
import { createSandboxVerifier } from '../../../shared/services/domains/domains-sandbox.ts';
import { call, createTestApp, START_MS, type TestApp } from '../../support/app.ts';

export let app: TestApp;
beforeAll(async () => {
  process.env.MAIL_DOMAIN = 'mail.localhost.test';
  app = await createTestApp();
  replace(domainVerifier, createSandboxVerifier);
});
afterEach(() => {
  app.clock.nowMs = START_MS;
});
let count = 0;
export const freshName = (suffix = 'example.com') => {
  count += 1;
  return `d${count}.${suffix}`;
};
export const add = (key: string, sender: unknown) => call(createDomain, { key, body: { sender } });
