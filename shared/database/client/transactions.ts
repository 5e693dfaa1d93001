import type { AttributeValue, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Key } from '../keys/key.ts';
import { keyOf } from '../keys/key.ts';
import type { Item } from '../table.ts';

export type TransactAction =
  | { put: Item; condition?: string; names?: Record<string, string>; values?: Record<string, unknown> }
  | {
      update: Key;
      expression: string;
      condition?: string;
      names?: Record<string, string>;
      values?: Record<string, unknown>;
    }
  | { delete: Key; condition?: string; names?: Record<string, string>; values?: Record<string, unknown> }
  | { check: Key; condition: string; names?: Record<string, string>; values?: Record<string, unknown> };

/** Outcome of a transaction: which actions' conditions failed, in order, if it was rejected. */
export type TransactOutcome =
  | { written: true }
  | { written: false; conflict: boolean; failed: { index: number; current: Item | undefined }[] };

export function writtenKey(action: TransactAction): Key {
  if ('put' in action) return keyOf(action.put);
  if ('update' in action) return action.update;
  return 'delete' in action ? action.delete : action.check;
}

/**
 * The reasons that DynamoDB documents for cancelling a transaction, beside a failed condition. `throttled` and
 * `conflict` pass; every other reason, also one that is not documented yet, repeats until the request changes.
 */
const PASSING_REASONS: Record<string, 'none' | 'throttled' | 'conflict'> = {
  None: 'none',
  ProvisionedThroughputExceeded: 'throttled',
  RequestLimitExceeded: 'throttled',
  ThrottlingError: 'throttled',
  InternalServerError: 'throttled',
  TransactionConflict: 'conflict',
};
const FAILED_CONDITION = 'ConditionalCheckFailed';

/**
 * The outcome of a cancelled transaction, `throttled` if nothing but the table's capacity cancelled it. Throws
 * the error if a reason is neither a failed condition nor temporary.
 */
export function cancelledTransaction(
  error: TransactionCanceledException,
): Exclude<TransactOutcome, { written: true }> & { throttled: boolean } {
  const reasons = error.CancellationReasons ?? [];
  const failed = reasons.flatMap(({ Code, Item: item }, index) =>
    Code === FAILED_CONDITION ? [{ index, current: plainItem(item) }] : [],
  );
  const others = reasons.flatMap(({ Code = 'None' }) =>
    Code === FAILED_CONDITION ? [] : [PASSING_REASONS[Code]],
  );
  const conflict = others.some((reason) => reason === 'conflict' || reason === 'throttled');
  if (failed.length === 0 && (!conflict || others.includes(undefined))) throw error;
  const throttled = failed.length === 0 && !others.includes('conflict');
  return { written: false, conflict, failed, throttled };
}

export function transactItem(
  tableName: string,
  action: TransactAction,
): NonNullable<TransactWriteCommandInput['TransactItems']>[number] {
  const common = {
    TableName: tableName,
    ExpressionAttributeNames: action.names,
    ExpressionAttributeValues: action.values,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
  const condition = { ConditionExpression: action.condition };
  if ('put' in action) return { Put: { ...common, ...condition, Item: action.put } };
  if ('update' in action) {
    return { Update: { ...common, ...condition, Key: action.update, UpdateExpression: action.expression } };
  }
  if ('delete' in action) return { Delete: { ...common, ...condition, Key: action.delete } };
  return { ConditionCheck: { ...common, Key: action.check, ConditionExpression: action.condition } };
}

/** The document client unmarshals items in responses but not those in exceptions. */
export function plainItem(item: Record<string, AttributeValue> | undefined): Item | undefined {
  return item === undefined ? undefined : unmarshall(item);
}
