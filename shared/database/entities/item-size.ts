import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
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
    if (!isTooLarge(error)) throw error;
    throw new AppError('INVALID_REQUEST', {
      message: `The data of one ${entity} would be over 400 KB.`,
      fix: 'Send fewer or shorter entries, or remove those that are no longer used.',
      cause: error,
    });
  }
}

function isTooLarge(error: unknown): boolean {
  const messages = isAwsError(error, 'invalid') ? [error.message] : cancellationMessages(error);
  return messages.some((message) => /item size.* exceeded/i.test(message));
}

/** A transaction states the reason per action, not in its own message. */
function cancellationMessages(error: unknown): string[] {
  if (!(error instanceof TransactionCanceledException)) return [];
  return (error.CancellationReasons ?? []).map(({ Message = '' }) => Message);
}
