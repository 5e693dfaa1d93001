import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createDatabase } from '../../../shared/database/database.ts';

/** A client whose first `conflicts` calls meet a transaction under way. */
function conflictingClient(conflicts: number): { client: DynamoDBDocumentClient; calls: () => number } {
  let calls = 0;
  const client = {
    send: async () => {
      calls += 1;
      if (calls <= conflicts) throw new TransactionConflictException({ $metadata: {}, message: 'conflict' });
      return { Attributes: { pk: 'a' } };
    },
  };
  return { client: client as unknown as DynamoDBDocumentClient, calls: () => calls };
}

/** Deletes an item, without the pauses between the attempts. */
async function deleteWith(client: DynamoDBDocumentClient) {
  const deletion = createDatabase(client, 'table').delete({ pk: 'a', sk: 'b' });
  const settled = Promise.allSettled([deletion]);
  await vi.runAllTimersAsync();
  await settled;
  return deletion;
}

describe('a conditional write that conflicts with a transaction', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    return () => void vi.useRealTimers();
  });

  it('waits until the transaction has ended', async () => {
    const { client, calls } = conflictingClient(3);
    const outcome = await deleteWith(client);
    expect(outcome).toEqual({ written: true, item: { pk: 'a' } });
    expect(calls()).toBe(4);
  });

  it('fails with the conflict when it does not end', async () => {
    const { client } = conflictingClient(Number.POSITIVE_INFINITY);
    await expect(deleteWith(client)).rejects.toThrow(TransactionConflictException);
  });
});
