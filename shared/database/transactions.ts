import type { AttributeValue, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Key } from './keys/key.ts';
import { keyOf } from './keys/key.ts';
import type { Item } from './table.ts';

/** One action of a transaction, without the table's name. */
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

/** The key that an action writes or checks. */
export function writtenKey(action: TransactAction): Key {
  if ('put' in action) return keyOf(action.put);
  if ('update' in action) return action.update;
  return 'delete' in action ? action.delete : action.check;
}

/** The outcome of a rejected transaction. Throws errors that are neither a failed condition nor a conflict. */
export function refusedTransaction(error: TransactionCanceledException): TransactOutcome {
  const reasons = error.CancellationReasons ?? [];
  const failed = reasons.flatMap((reason, index) =>
    reason.Code === 'ConditionalCheckFailed' ? [{ index, current: plainItem(reason.Item) }] : [],
  );
  const conflict = reasons.some(
    (reason) => reason.Code === 'TransactionConflict' || reason.Code === 'ThrottlingError',
  );
  if (failed.length === 0 && !conflict) throw error;
  return { written: false, conflict, failed };
}

/** An action as DynamoDB's API has it. */
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
