import { vi } from 'vitest';

/** Runs `work` while the monotonic clock is stopped, so that only limits on steps and sizes end it, on any machine. */
export function withStillClock<T>(work: () => T): T {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  try {
    return work();
  } finally {
    clock.mockRestore();
  }
}
