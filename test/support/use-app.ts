import { createTestAccount, createTestApp, type TestAccount, type TestApp } from './app.ts';
import { type Lifetime, later, use } from './use-started.ts';

/** A table of the file's own, with test adapters in the place of AWS. A set-up module declares it with `laterApp`. */
export const useApp = (): TestApp => used(laterApp());
export const laterApp = (): TestApp => later(createTestApp);

/** An account that the tests of the file share, or a fresh one for each test. */
export const useAccount = (app: TestApp, lifetime: Lifetime = 'file'): TestAccount =>
  used(laterAccount(app, lifetime));
export const laterAccount = (app: TestApp, lifetime: Lifetime = 'file'): TestAccount =>
  later(() => createTestAccount(app), lifetime);

function used<T extends object>(fixture: T): T {
  use(fixture);
  return fixture;
}
