import type * as v from 'valibot';
import { AppError, docsOf } from '../../runtime/errors.ts';
import { log } from '../../runtime/logger.ts';
import { defined } from '../../runtime/values/defined.ts';
import type { BulkRejection } from '../../schemas/fields/error.ts';

export type Rejected = v.InferOutput<typeof BulkRejection>;

/**
 * Returns why an entry was not accepted, as in the standard error body; unknown errors are logged and not
 * shown.
 */
export function rejection(error: unknown): Rejected {
  const known = error instanceof AppError ? error : new AppError('INTERNAL');
  if (known.code === 'INTERNAL') log.error('an entry of a bulk request failed', {}, error);
  const { code, message, fix, errors } = known;
  return {
    error: {
      code,
      message,
      ...defined({ fix, errors: errors?.map((each) => ({ ...each })) }),
      docs: docsOf(code),
    },
  };
}
