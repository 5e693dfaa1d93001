import * as v from 'valibot';
import { isAwsError } from '../../http-client/aws-fault.ts';
import { AppError } from '../../runtime/errors.ts';

/**
 * Runs a write of a caller's data to the item of one `entity`. Throws INVALID_REQUEST if the item would
 * exceed DynamoDB's limit of 400 KB.
 */
export async function withinItemSize<T>(entity: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw refusedSize(error, entity);
  }
}

/** INVALID_REQUEST in the place of DynamoDB's refusal of an item over 400 KB; any other error as it is. */
export function refusedSize(error: unknown, entity = 'entry'): unknown {
  if (!isTooLarge(error)) return error;
  return new AppError('INVALID_REQUEST', {
    message: `The data of one ${entity} would be over 400 KB.`,
    fix: 'Send fewer or shorter entries, or remove those that are no longer used.',
    cause: error,
  });
}

function isTooLarge(error: unknown): boolean {
  const messages = isAwsError(error, 'invalid') ? [error.message] : cancellationMessages(error);
  return messages.some((message) => /item size.{0,40} exceeded/i.test(message));
}

const Reasons = v.array(v.object({ Message: v.optional(v.string()) }));

/** A transaction states the reason per action, not in its own message. */
function cancellationMessages(error: unknown): string[] {
  if (!(error instanceof Error) || !('CancellationReasons' in error)) return [];
  const reasons = v.safeParse(Reasons, error.CancellationReasons);
  return reasons.success ? reasons.output.map(({ Message = '' }) => Message) : [];
}
