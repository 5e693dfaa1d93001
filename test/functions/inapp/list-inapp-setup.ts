import type { TestAccount } from '../../support/app.ts';
import { laterApp } from '../../support/use-app.ts';
import { use } from '../../support/use-started.ts';
import { notify } from './inapp-setup.ts';

export const app = laterApp();

export const query = { userId: 'ada' };

export async function notifyMany(account: TestAccount, count: number, stepMs = 1): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    app.clock.nowMs += stepMs;
    await notify(app, account, { title: `n${index}` });
  }
}

/** Starts this set-up for the tests of a file. */
export function useInapp(): void {
  use(app);
}
