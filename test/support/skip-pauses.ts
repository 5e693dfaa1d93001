import { onTestFinished, vi } from 'vitest';

/** Longer timers limit what is awaited, and stay. */
const PAUSE_MS_MAX = 2000;

/**
 * Until the test ends, the pauses before retries take no time. Returns how many milliseconds each would take. Not for requests by
 * `fetch`, which counts the ticks of a timer as its time.
 */
export function skipPauses(): readonly number[] {
  const { setTimeout } = globalThis;
  const pauses: number[] = [];
  const skip = (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    if (ms === 0 || ms > PAUSE_MS_MAX) return setTimeout(run, ms, ...given);
    pauses.push(ms);
    return setTimeout(run, 0, ...given);
  };
  vi.stubGlobal('setTimeout', Object.assign(skip, setTimeout));
  onTestFinished(() => void vi.unstubAllGlobals());
  return pauses;
}
