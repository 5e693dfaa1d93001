import { beforeAll } from 'vitest';
import { createTestApp, type TestAccount, type TestApp } from '../../support/app.ts';
import { notify } from './inapp-setup.ts';

export let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});

export const query = { userId: 'ada' };

export async function notifyMany(account: TestAccount, count: number, stepMs = 1): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    app.clock.nowMs += stepMs;
    await notify(app, account, { title: `n${index}` });
  }
}
