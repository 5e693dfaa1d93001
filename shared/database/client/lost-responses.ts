import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/**
 * The SDK repeats a call whose response was lost: a broken connection, a timeout, a 5xx. If the first call was written, the
 * condition of the second call fails, and an addition is made twice. Transactions have a token, which DynamoDB recognizes;
 * unconditional puts and deletes are safe to repeat.
 */
export function watchLostResponses(client: DynamoDBClient): void {
  /** Inputs of calls one of whose responses was lost. */
  const lost = new WeakSet<object>();
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        if (hadResponse(error)) {
          if (lost.has(args.input)) Object.assign(error, AFTER_LOSS);
          throw error;
        }
        const { isRepeatable } = await import('./lost-writes.ts');
        if (!isRepeatable(args.input)) throw unknownOutcome(error);
        lost.add(args.input);
        throw error;
      }
    },
    // Within the SDK's own repetitions.
    { step: 'finalizeRequest', priority: 'low', name: 'lostResponses' },
  );
}

/** Marks an error itself: a bundle may have several copies of this module. */
const AFTER_LOSS = { isAfterLoss: true };

/** True if the condition of a write failed after an earlier answer of the same call was lost: it may be its own doing. */
export function isAfterLoss(error: Error): boolean {
  return 'isAfterLoss' in error;
}

/**
 * Whether a call has changed anything is unknown, and repeating it would be wrong. Without a cause: the SDK would repeat what
 * a passing error has caused.
 */
export function unknownOutcome({ name }: Error): Error {
  const message = `the answer of the table was lost: the change may have been made (${name})`;
  return Object.assign(new Error(message), { isUnknown: true });
}

export const isUnknownOutcome = (error: unknown) => error instanceof Error && 'isUnknown' in error;

/** The service has rejected the call: nothing was written. */
function hadResponse(error: Error): boolean {
  return '$fault' in error && error.$fault === 'client';
}
