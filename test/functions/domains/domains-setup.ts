import { afterEach, beforeAll } from 'vitest';
import { handler as createDomain } from '../../../functions/domains/create-domain.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { createSandboxVerifier, domainVerifier } from '../../../shared/services/domains/domains.ts';
import { call, START_MS } from '../../support/app.ts';
import { laterApp } from '../../support/use-app.ts';
import { use } from '../../support/use-started.ts';

export const app = laterApp();
let count = 0;
export const freshName = (suffix = 'example.com') => {
  count += 1;
  return `d${count}.${suffix}`;
};
export const add = (key: string, sender: unknown) => call(createDomain, { key, body: { sender } });

/** Starts this set-up for the tests of a file. */
export function useDomains(): void {
  use(app);
  beforeAll(() => {
    process.env.MAIL_DOMAIN = 'mail.localhost.test';
    process.env.MAIL_RECEIVING = 'on';
    replace(domainVerifier, createSandboxVerifier);
  });
  afterEach(() => {
    app.clock.nowMs = START_MS;
  });
}
