const BUSY_MS_MAX = 5;

/**
 * Returns a wait that ends at once, but that lets the rest of the process work when it was long kept from it: operations on
 * the table wait for nothing, so that a worker with many would keep requests waiting.
 */
export function openFairTurn(): () => Promise<void> | undefined {
  let sinceMs = performance.now();
  return () => {
    if (performance.now() - sinceMs < BUSY_MS_MAX) return undefined;
    return new Promise((resume) =>
      setImmediate(() => {
        sinceMs = performance.now();
        resume();
      }),
    );
  };
}
