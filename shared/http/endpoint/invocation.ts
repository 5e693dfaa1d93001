import type { Context } from 'aws-lambda';
import type { Clock } from '../../runtime/clock.ts';
import { clock, resolve } from '../../runtime/dependency.ts';

/** The input of every worker in addition to its event. */
export type Invocation = {
  clock: Clock;
  /** Milliseconds until the function is stopped; infinite without a limit. */
  timeLeftMs: () => number;
};

/** The facts of one invocation. Lambda passes a context; direct callers may leave it out. */
export function invocationOf(context: Pick<Context, 'getRemainingTimeInMillis'> | undefined): Invocation {
  return {
    clock: resolve(clock),
    timeLeftMs: () => context?.getRemainingTimeInMillis() ?? Number.POSITIVE_INFINITY,
  };
}
