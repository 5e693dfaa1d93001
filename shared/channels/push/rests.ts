/** Failures in a row after which a service rests for an account, and the longest rest. */
const FAILURES_MAX = 5;
const REST_MS = 15_000;
const REST_MS_MAX = 120_000;
const REMEMBERED_MAX = 10_000;

type State = { failures: number; rests: number; untilMs: number; isTried: boolean };

/** Services that rest in this process. After a rest, one call tries the service; the others wait for it. */
export type Rests = {
  /** Seconds until the service may be called; 0: now. */
  secondsLeft(key: string): number;
  called(key: string, isFailure: boolean): void;
};

export function createRests(now: () => number): Rests {
  const states = new Map<string, State>();
  return {
    secondsLeft(key) {
      const state = states.get(key);
      if (!state || state.rests === 0) return 0;
      const leftMs = state.untilMs - now();
      if (leftMs > 0) return Math.ceil(leftMs / 1000);
      Object.assign(state, { untilMs: now() + REST_MS, isTried: true });
      return 0;
    },

    called(key, isFailure) {
      if (!isFailure) return void states.delete(key);
      const state = states.get(key) ?? { failures: 0, rests: 0, untilMs: 0, isTried: false };
      // Calls that were made side by side begin one rest.
      if (!state.isTried && state.untilMs > now()) return;
      if (states.size >= REMEMBERED_MAX) states.clear();
      states.set(key, state);
      state.failures += 1;
      state.isTried = false;
      if (state.failures < FAILURES_MAX) return;
      state.untilMs = now() + Math.min(REST_MS_MAX, REST_MS * 2 ** state.rests);
      state.rests += 1;
    },
  };
}
