import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { createDatabase } from '../../../shared/database/database.ts';
import { withinItemSize } from '../../../shared/database/items/item-size.ts';
import { AGAIN, untilSettled } from '../../../shared/database/items/settle.ts';

type Reason = { Code: string; Message?: string };

/** A client whose first `times` transactions are cancelled for `reasons`. */
function cancellingTable(reasons: Reason[], times = Number.POSITIVE_INFINITY) {
  let calls = 0;
  const client = {
    send: async () => {
      calls += 1;
      if (calls > times) return {};
      throw new TransactionCanceledException({
        $metadata: {},
        message: 'cancelled',
        CancellationReasons: reasons,
      });
    },
  };
  const table = createDatabase(client as unknown as DynamoDBDocumentClient, 'table');
  return { table, calls: () => calls };
}

const ACTIONS = [{ put: { pk: 'a', sk: 'b' }, condition: 'attribute_not_exists(pk)' }];
const NONE = { Code: 'None' };

describe('a cancelled transaction', () => {
  it.each(['ProvisionedThroughputExceeded', 'ThrottlingError', 'RequestLimitExceeded'])(
    'is repeated when the reason is %s',
    async (Code) => {
      const { table, calls } = cancellingTable([NONE, { Code }], 2);
      expect(await table.transact(ACTIONS)).toEqual({ written: true });
      expect(calls()).toBe(3);
    },
  );

  it.each([
    'ProvisionedThroughputExceeded',
    'ThrottlingError',
    'RequestLimitExceeded',
    'InternalServerError',
  ])('is a conflict, which callers retry, when %s lasts', async (Code) => {
    const { table, calls } = cancellingTable([{ Code }]);
    expect(await table.transact(ACTIONS)).toEqual({ written: false, conflict: true, failed: [] });
    expect(calls()).toBeLessThanOrEqual(5);
  });

  it('leaves a conflict with another transaction to the caller, who reads again', async () => {
    const { table, calls } = cancellingTable([{ Code: 'TransactionConflict' }], 1);
    const written = await untilSettled(async () => {
      const outcome = await table.transact(ACTIONS);
      return outcome.written ? outcome : AGAIN;
    });
    expect([written, calls()]).toEqual([{ written: true }, 2]);
  });

  it('reports the failed condition although another action was throttled', async () => {
    const { table, calls } = cancellingTable([
      { Code: 'ConditionalCheckFailed' },
      { Code: 'ProvisionedThroughputExceeded' },
    ]);
    const outcome = await table.transact(ACTIONS);
    expect(outcome).toEqual({ written: false, conflict: true, failed: [{ index: 0, current: undefined }] });
    expect(calls()).toBe(1);
  });

  it.each([
    'ItemCollectionSizeLimitExceeded',
    'ValidationError',
    'AccessDenied',
    'ResourceNotFound',
    'DuplicateItem',
    'SomethingNew',
  ])('throws when the reason is %s, even next to one that is temporary', async (Code) => {
    const { table, calls } = cancellingTable([{ Code }, { Code: 'ThrottlingError' }]);
    await expect(table.transact(ACTIONS)).rejects.toThrow(TransactionCanceledException);
    expect(calls()).toBe(1);
  });

  it.each([
    'Item size has exceeded the maximum allowed size',
    'Item size to update has exceeded the maximum allowed size',
  ])('is a 400 of the caller when a reason says: %s', async (Message) => {
    const { table } = cancellingTable([NONE, { Code: 'ValidationError', Message }]);
    const write = withinItemSize('user', () => table.transact(ACTIONS));
    await expect(write).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('stays an error of the service when the validation is about something else', async () => {
    const { table } = cancellingTable([{ Code: 'ValidationError', Message: 'The provided key is wrong' }]);
    const write = withinItemSize('user', () => table.transact(ACTIONS));
    await expect(write).rejects.toThrow(TransactionCanceledException);
  });
});
