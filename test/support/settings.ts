import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { restoreAll } from '../../shared/runtime/dependency.ts';

/**
 * Undoes what a test file did to its process, for the files that run in it afterwards: settings, which are also restored after
 * every test to what they were when it began, replaced dependencies, spies and timers.
 */
const atStart = { ...process.env };
let atTestStart = atStart;
beforeEach(() => {
  atTestStart = { ...process.env };
});
afterEach(() => restore(atTestStart));
afterAll(() => {
  restore(atStart);
  restoreAll();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function restore(before: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
}
