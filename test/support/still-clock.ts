/**
 * Runs `work` while the monotonic clock is stopped, so that only limits on steps and sizes end it, on any machine. A spy would keep
 * every one of the million calls.
 */
export function withStillClock<T>(work: () => T): T {
  const { now } = performance;
  const atMs = performance.now();
  performance.now = () => atMs;
  try {
    return work();
  } finally {
    performance.now = now;
  }
}
