import { isDeepStrictEqual } from 'node:util';
import { TABLE } from '../../../shared/database/table.ts';
import { checkItem, keyOfItem, keyOfRequest } from './checks.ts';
import { changedNames, checkBindings, isMet, projected, updated } from './expressions.ts';
import type { Bindings } from './operands.ts';
import { query, scan } from './reads.ts';
import type { Store, TableKey } from './store.ts';
import { invalid, Rejected, sizeOf, type WireItem } from './values.ts';

type Conditional = Bindings & {
  ConditionExpression?: string;
  ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE';
  ReturnValues?: string;
};
type Put = Conditional & { Item: WireItem };
type Update = Conditional & { Key: WireItem; UpdateExpression: string };
type Delete = Conditional & { Key: WireItem };
type Check = Conditional & { Key: WireItem };
type Action = { Put?: Put; Update?: Update; Delete?: Delete; ConditionCheck?: Check };
type Requests = Record<string, { PutRequest?: { Item: WireItem }; DeleteRequest?: { Key: WireItem } }[]>;

const BATCH_GET_MAX = 100;
const BATCH_WRITE_MAX = 25;
const BATCH_READ_BYTES_MAX = 16 * 1024 * 1024;
const TRANSACTION_ACTIONS_MAX = 100;

/** The operations of one table, by their name in DynamoDB's API: the request's body in wire form, to the response's. */
export type Operations = Readonly<Record<string, (input: never) => object>>;

export function operationsOf(tableName: string, store: Store): Operations {
  /** Requests of transactions by their token: a duplicate changes nothing. */
  const tokens = new Map<string, unknown>();

  function find(key: TableKey): WireItem {
    return store.find(key) ?? {};
  }

  /** Rejects the request if its condition is not met. */
  function check(key: TableKey, input: Conditional): void {
    const { ConditionExpression: condition } = input;
    if (condition === undefined || isMet(condition, find(key), input)) return;
    const item = store.find(key);
    const more = item && input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? { Item: item } : {};
    throw new Rejected('ConditionalCheckFailedException', 'The conditional request failed', more);
  }

  function planPut(input: Put): Plan {
    checkBindings([input.ConditionExpression], input);
    const key = keyOfItem(input.Item);
    checkItem(input.Item);
    return { key, check: () => check(key, input), after: () => input.Item };
  }

  function planUpdate(input: Update): Plan {
    checkBindings([input.ConditionExpression, input.UpdateExpression], input);
    const key = keyOfRequest(input.Key);
    const names = changedNames(input.UpdateExpression, input);
    if (names.some((name) => name === TABLE.partitionKey || name === TABLE.sortKey))
      throw invalid(
        'One or more parameter values were invalid: Cannot update attribute. This attribute is part of the key',
      );
    return {
      key,
      check: () => check(key, input),
      after() {
        const item = updated(input.UpdateExpression, store.find(key) ?? { ...input.Key }, input);
        checkItem(item);
        return item;
      },
    };
  }

  function planDelete(input: Delete): Plan {
    checkBindings([input.ConditionExpression], input);
    const key = keyOfRequest(input.Key);
    return { key, check: () => check(key, input), after: () => undefined };
  }

  function planCheck(input: Check): Plan {
    checkBindings([input.ConditionExpression], input);
    const key = keyOfRequest(input.Key);
    return { key, check: () => check(key, input) };
  }

  function planAction({ Put, Update, Delete, ConditionCheck }: Action): Plan {
    if (Put) return planPut(Put);
    if (Update) return planUpdate(Update);
    if (Delete) return planDelete(Delete);
    if (ConditionCheck) return planCheck(ConditionCheck);
    throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
  }

  /** Writes one item and returns what the request wants to see of it. */
  function single(plan: Plan, input: Conditional): object {
    plan.check();
    const before = store.find(plan.key);
    const after = plan.after?.();
    store.write(plan.key, after);
    const seen = { ALL_OLD: before, ALL_NEW: after }[input.ReturnValues ?? ''];
    return seen ? { Attributes: seen } : {};
  }

  return {
    GetItem(input: { Key: WireItem; ProjectionExpression?: string } & Bindings) {
      checkBindings([input.ProjectionExpression], input);
      const item = store.find(keyOfRequest(input.Key));
      if (!item) return {};
      return { Item: input.ProjectionExpression ? projected(input.ProjectionExpression, item, input) : item };
    },

    BatchGetItem({ RequestItems }: { RequestItems: Record<string, { Keys: WireItem[] }> }) {
      const { Keys = [] } = RequestItems[tableName] ?? {};
      const keys = Keys.map(keyOfRequest);
      checkBatch(keys, BATCH_GET_MAX);
      const found: WireItem[] = [];
      for (let bytes = 0, at = 0; at < keys.length; at += 1) {
        const item = store.find(keys[at] as TableKey);
        if (!item) continue;
        bytes += sizeOf(item);
        const rest = { UnprocessedKeys: { [tableName]: { Keys: Keys.slice(at) } } };
        if (bytes > BATCH_READ_BYTES_MAX) return { Responses: { [tableName]: found }, ...rest };
        found.push(item);
      }
      return { Responses: { [tableName]: found }, UnprocessedKeys: {} };
    },

    PutItem: (input: Put) => single(planPut(input), input),
    UpdateItem: (input: Update) => single(planUpdate(input), input),
    DeleteItem: (input: Delete) => single(planDelete(input), input),

    BatchWriteItem({ RequestItems }: { RequestItems: Requests }) {
      const requests = RequestItems[tableName] ?? [];
      const writes = requests.map(({ PutRequest, DeleteRequest }) => {
        if (PutRequest) checkItem(PutRequest.Item);
        const key = PutRequest ? keyOfItem(PutRequest.Item) : keyOfRequest(DeleteRequest?.Key);
        return { key, item: PutRequest?.Item };
      });
      checkBatch(
        writes.map(({ key }) => key),
        BATCH_WRITE_MAX,
      );
      for (const { key, item } of writes) store.write(key, item);
      return { UnprocessedItems: {} };
    },

    TransactWriteItems(input: { TransactItems: Action[]; ClientRequestToken?: string }) {
      const { TransactItems: actions, ClientRequestToken: token } = input;
      const isRepeated = token !== undefined && tokens.has(token);
      if (isRepeated && !isDeepStrictEqual(tokens.get(token), actions))
        throw new Rejected(
          'IdempotentParameterMismatchException',
          'The request has other parameters than its first',
        );
      if (isRepeated) return {};
      if (actions.length > TRANSACTION_ACTIONS_MAX)
        throw invalid(`Member must have length less than or equal to ${TRANSACTION_ACTIONS_MAX}`);
      const plans = actions.map(planAction);
      if (new Set(plans.map(({ key }) => nameOf(key))).size < plans.length)
        throw invalid('Transaction request cannot include multiple operations on one item');
      const results = plans.map(resultOf);
      const reasons = results.map((result) => ('reason' in result ? result.reason : { Code: 'None' }));
      if (results.some((result) => 'reason' in result)) throw canceled(reasons);
      for (const result of results)
        if ('key' in result && result.isWrite) store.write(result.key, result.item);
      if (token !== undefined) tokens.set(token, structuredClone(actions));
      return {};
    },

    Query: (input: never) => query(store, input),
    Scan: (input: never) => scan(store, input),
  };
}

/** One write: where, on what condition, and the item afterwards; without `after`, it only checks. */
type Plan = { key: TableKey; check: () => void; after?: () => WireItem | undefined };
type Reason = { Code: string; Message?: string; Item?: WireItem };
type Result = { key: TableKey; isWrite: boolean; item: WireItem | undefined } | { reason: Reason };

/** Returns the item that a transaction's action would store, or its rejection. */
function resultOf({ key, check, after }: Plan): Result {
  try {
    check();
    return { key, isWrite: after !== undefined, item: after?.() };
  } catch (error) {
    // An update that can never apply rejects the whole request.
    if (!(error instanceof Rejected) || error.type !== 'ConditionalCheckFailedException') throw error;
    return { reason: { Code: 'ConditionalCheckFailed', Message: error.message, ...error.more } };
  }
}

function canceled(reasons: readonly Reason[]): Rejected {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return new Rejected(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  );
}

function checkBatch(keys: readonly TableKey[], countMax: number): void {
  if (keys.length === 0 || keys.length > countMax)
    throw invalid(`Member must have length between 1 and ${countMax}`);
  if (new Set(keys.map(nameOf)).size < keys.length)
    throw invalid('Provided list of item keys contains duplicates');
}

function nameOf({ pk, sk }: TableKey): string {
  return `${pk}\n${sk}`;
}
