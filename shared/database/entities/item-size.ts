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
  return isAwsError(error, 'invalid') && /item size.* exceeded/i.test(error.message);
}
