import { afterAll, afterEach, beforeEach } from 'vitest';

/**
 * Restores the environment after every test file, and after every test to what it was when the test began, so that no test
 * needs to unset a setting.
 */
const atStart = { ...process.env };
let atTestStart = atStart;
beforeEach(() => {
  atTestStart = { ...process.env };
});
afterEach(() => restore(atTestStart));
afterAll(() => restore(atStart));

function restore(before: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
}
