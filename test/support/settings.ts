import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import './resolved-once.ts';
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

/** Only what differs: the system takes its time over each. */
function restore(before: NodeJS.ProcessEnv): void {
  const now = { ...process.env };
  for (const name of Object.keys(now)) if (!(name in before)) delete process.env[name];
  for (const [name, value] of Object.entries(before)) if (now[name] !== value) process.env[name] = value;
}
