import { isAwsError } from '../../http-client/aws-fault.ts';
import { backOff } from '../../runtime/async/back-off.ts';

/** The condition that an item is unchanged since it was read. */
export const atRevision = (revision: number) => ({
  condition: 'revision = :revision',
  values: { ':revision': revision },
});

/** Returned by an attempt that a concurrent write preceded: it is retried. */
export const AGAIN = Symbol('again');

const ATTEMPTS_MAX = 60;
const PAUSES = { startMs: 5, msMax: 250 };

/**
 * Runs `attempt` until no concurrent write interferes, with growing random pauses. Each attempt must read its
 * data again. Throws after 60 attempts.
 */
export async function untilSettled<T>(attempt: () => Promise<T | typeof AGAIN>): Promise<T> {
  for (let count = 1; count <= ATTEMPTS_MAX; count += 1) {
    const outcome = await unlessInConflict(attempt);
    if (outcome !== AGAIN) return outcome;
    await backOff(count, PAUSES);
  }
  throw new Error('a write was overtaken by others too many times');
}

/** A single write that meets a transaction on the same item fails with this error, not by its condition. */
async function unlessInConflict<T>(attempt: () => Promise<T | typeof AGAIN>): Promise<T | typeof AGAIN> {
  try {
    return await attempt();
  } catch (error) {
    if (isAwsError(error, 'conflict')) return AGAIN;
    throw error;
  }
}
