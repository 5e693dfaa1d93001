import { beforeAll } from 'vitest';
import { createTestAccount, createTestApp, type TestAccount, type TestApp } from '../../support/app.ts';

export let app: TestApp;
export let shared: TestAccount;
beforeAll(async () => {
  app = await createTestApp();
  shared = await createTestAccount(app);
});

export const ada = { userId: 'ada' };
