import { laterAccount, laterApp } from '../../support/use-app.ts';
import { use } from '../../support/use-started.ts';

export const app = laterApp();
export const shared = laterAccount(app);

export const ada = { userId: 'ada' };

/** Starts this set-up for the tests of a file. */
export function useUsers(): void {
  use(app, shared);
}
