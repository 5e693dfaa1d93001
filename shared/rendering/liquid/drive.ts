import { type Budget, checkTime, tooManySteps } from './limits.ts';

const STEPS_PER_TIME_CHECK = 256;

type Steps = Iterator<unknown, unknown, unknown> & {
  throw(error: unknown): IteratorResult<unknown, unknown>;
};

/**
 * Runs one of liquidjs's generators to its end, as its own synchronous driver does, and counts the steps:
 * everything that the library evaluates, including comparisons of lists and filters over items, passes
 * through here. Keeps its own stack, so that deep nesting cannot overflow the machine's. Throws what the
 * generator throws, and RenderProblem at the limits.
 */
export function drive(root: Iterator<unknown, unknown, unknown>, budget: Budget): unknown {
  const callers: Steps[] = [];
  let current = stepsOf(root);
  let input: unknown;
  let failed = false;
  for (;;) {
    budget.stepsLeft -= 1;
    if (budget.stepsLeft < 0) throw tooManySteps();
    if (budget.stepsLeft % STEPS_PER_TIME_CHECK === 0) checkTime(budget, performance.now());
    let result: IteratorResult<unknown, unknown>;
    try {
      result = failed ? current.throw(input) : current.next(input);
      failed = false;
    } catch (error) {
      const caller = callers.pop();
      if (!caller) throw error;
      current = caller;
      input = error;
      failed = true;
      continue;
    }
    input = result.value;
    if (result.done) {
      const caller = callers.pop();
      if (!caller) return input;
      current = caller;
    } else if (isSteps(input)) {
      callers.push(current);
      current = input;
      input = undefined;
    }
  }
}

function isSteps(value: unknown): value is Steps {
  return (
    typeof value === 'object' &&
    value !== null &&
    'next' in value &&
    typeof value.next === 'function' &&
    'throw' in value &&
    typeof value.throw === 'function'
  );
}

function stepsOf(iterator: Iterator<unknown, unknown, unknown>): Steps {
  if (isSteps(iterator)) return iterator;
  throw new TypeError('liquidjs renders by generators');
}
