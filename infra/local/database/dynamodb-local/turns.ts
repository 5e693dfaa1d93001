/**
 * Concurrent calls to the database, enough to keep it busy. The responses to more of them arrive together, and what
 * follows one delays what follows the others.
 */
const AT_ONCE = 2;

/**
 * The order of work in a process that does everything. Until the outcome of a message is recorded, a kill may send that
 * message a second time, so that everything else waits for outcomes.
 */
export type Turns = {
  /** Makes a call in the order requested. Its caller continues when no outcome is being recorded. */
  call<T>(call: () => Promise<T>): Promise<T>;
  /** Makes the call that records an outcome, immediately. */
  outcome<T>(call: () => Promise<T>): Promise<T>;
  /** Resolves when no outcome is being recorded. Callers continue one by one, each in a separate turn of the event loop. */
  resume(): Promise<void>;
};

export function openTurns(): Turns {
  const waiting: (() => void)[] = [];
  const resuming: (() => void)[] = [];
  let calls = 0;
  let outcomes = 0;
  let isResuming = false;

  function startCalls(): void {
    while (outcomes === 0 && calls < AT_ONCE) {
      const start = waiting.shift();
      if (!start) return;
      calls += 1;
      start();
    }
  }

  function resumeNext(): void {
    if (isResuming || outcomes > 0 || resuming.length === 0) return;
    isResuming = true;
    setImmediate(() => {
      isResuming = false;
      if (outcomes === 0) resuming.shift()?.();
      resumeNext();
    });
  }

  function resume(): Promise<void> {
    return new Promise((next) => {
      resuming.push(next);
      resumeNext();
    });
  }

  return {
    resume,
    async call(call) {
      await new Promise<void>((start) => {
        waiting.push(start);
        startCalls();
      });
      try {
        return await call();
      } finally {
        calls -= 1;
        startCalls();
        await resume();
      }
    },
    async outcome(call) {
      outcomes += 1;
      try {
        return await call();
      } finally {
        outcomes -= 1;
        startCalls();
        resumeNext();
      }
    },
  };
}
