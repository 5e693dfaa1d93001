import { createTestAccount, createTestApp, type TestAccount, type TestApp } from './app.ts';
import { type Lifetime, useStarted } from './use-started.ts';

/** A table of the file's own, with test adapters in the place of AWS. */
export const useApp = (): TestApp => useStarted(createTestApp);

/** An account that the tests of the file share, or a fresh one for each test. */
export const useAccount = (app: TestApp, lifetime: Lifetime = 'file'): TestAccount =>
  useStarted(() => createTestAccount(app), lifetime);
