import { createHash } from 'node:crypto';
import { pathsOf, projected } from '../expressions/projections.ts';
import { invalid, Rejected, unreadable } from '../rejected.ts';
import type { TableDefinition } from '../storage/definition.ts';
import type { SqliteFile } from '../storage/sqlite-file.ts';
import type { TableStore } from '../storage/table-store.ts';
import { sizeOf } from '../values/sizes.ts';
import type { WireItem } from '../values/wire.ts';
import { nameOf } from './batches.ts';
import {
  addConsumed,
  type Consumed,
  capacitiesOf,
  nothingConsumed,
  readUnits,
  writeUnits,
} from './capacity.ts';
import { checkedKey, fittingSize } from './item-checks.ts';
import { type GivenExpressions, readExpressions } from './requests.ts';
import {
  evaluated,
  type Outcome,
  type Plan,
  planWrite,
  type Target,
  targetOf,
  type WriteInput,
  type WriteKind,
} from './writes.ts';

export type TransactWrite = Partial<Record<WriteKind, WriteInput>>;
export type TransactGet = { Get?: GivenExpressions & { TableName: string; Key?: unknown } };
export type TransactInput<T> = {
  TransactItems?: T[];
  ClientRequestToken?: string;
  ReturnConsumedCapacity?: string;
};
type StoreOf = (tableName: string) => TableStore;
type Reason = { Code: string; Message?: string; Item?: WireItem };

const MEMBERS_MAX = 100;
const BYTES_MAX = 4 * 1024 * 1024;
const KINDS: readonly WriteKind[] = ['Put', 'Update', 'Delete', 'ConditionCheck'];

/** Writes all or nothing. A request that was answered within ten minutes changes nothing again. */
export function transactWrite(storeOf: StoreOf, tokens: Tokens, input: TransactInput<TransactWrite>): object {
  const members = membersOf(input, 'TransactWriteItems');
  const plans = members.map((member) => planOf(storeOf, member));
  if (tokens.isRepeated(input.ClientRequestToken, members)) return {};
  const targets = allOrReasons(plans, targetOf);
  rejectSameItem(targets);
  for (const { item } of targets) fittingSize(item);
  rejectSize(targets.map(({ item, kind }) => (kind === 'ConditionCheck' ? 0 : sizeOf(item))));
  const outcomes = allOrReasons(targets, evaluated);
  rejectSize(outcomes.map(({ after }) => after?.bytes ?? 0));
  const consumed = new Map<TableDefinition, Consumed>();
  for (const [at, outcome] of outcomes.entries()) {
    const { store, kind } = targets[at] as Target;
    if (kind !== 'ConditionCheck') store.write(outcome.key, outcome.before, outcome.after);
    if (input.ReturnConsumedCapacity) count(consumed, store.definition, outcome);
  }
  tokens.keep(input.ClientRequestToken, members);
  return capacitiesOf(consumed, input.ReturnConsumedCapacity, 'write');
}

export function transactGet(storeOf: StoreOf, input: TransactInput<TransactGet>): object {
  const members = membersOf(input, 'TransactGetItems').map(({ Get }) => {
    if (!Get) throw invalid('TransactItems can only contain Get');
    const store = storeOf(Get.TableName);
    return { store, Get, expressions: readExpressions(Get, ['ProjectionExpression']) };
  });
  const keyed = allOrReasons(members, ({ store, Get }) => checkedKey(store.definition, Get.Key));
  rejectDuplicateReads(
    members.map(({ store }, at) => `${store.definition.id} ${nameOf((keyed[at] as Target).key)}`),
  );
  const consumed = new Map<TableDefinition, Consumed>();
  const found = members.map(({ store }, at) => store.find((keyed[at] as Target).key));
  rejectSize(found.map((stored) => stored?.bytes ?? 0));
  const Responses = members.map(({ store, expressions }, at) => {
    const { projection, bindings } = expressions;
    add(consumed, store.definition, {
      table: 2 * readUnits(found[at]?.bytes ?? 0, true),
      indexes: new Map(),
    });
    const item = found[at]?.item;
    const shown = item && projection ? projected(item, pathsOf(projection, bindings)) : item;
    return shown && Object.keys(shown).length > 0 ? { Item: shown } : {};
  });
  return { Responses, ...capacitiesOf(consumed, input.ReturnConsumedCapacity, 'read') };
}

function membersOf<T>({ TransactItems: members }: TransactInput<T>, operation: string): T[] {
  const refused = (value: string, constraint: string) =>
    invalid(
      `1 validation error detected: Value ${value} at 'transactItems' failed to satisfy constraint: Member must ${constraint}`,
    );
  if (members === undefined || members === null) throw refused('null', 'not be null');
  if (!Array.isArray(members)) throw unreadable('Unexpected field type');
  if (members.length === 0) throw refused("'[]'", 'have length greater than or equal to 1');
  const dump = `'[${members.map(() => operation.replace('Items', 'Item')).join(', ')}]'`;
  if (members.length > MEMBERS_MAX) throw refused(dump, `have length less than or equal to ${MEMBERS_MAX}`);
  return members;
}

function planOf(storeOf: StoreOf, member: TransactWrite): Plan {
  const kinds = KINDS.filter((kind) => member[kind] !== undefined);
  const [kind] = kinds;
  const input = kind && member[kind];
  if (!kind || !input || kinds.length > 1)
    throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
  if (kind === 'Update' && input.UpdateExpression === undefined) throw nullAt('update.updateExpression');
  if (kind === 'ConditionCheck' && input.ConditionExpression === undefined)
    throw nullAt('conditionCheck.conditionExpression');
  return planWrite(storeOf(input.TableName), kind, input);
}

function nullAt(field: string): Rejected {
  return invalid(
    `1 validation error detected: Value null at 'transactItems.1.member.${field}' failed to satisfy constraint: Member must not be null`,
  );
}

/** Applies a step to every member. If it fails for any, the whole is cancelled with a reason for each. */
function allOrReasons<I, O>(members: readonly I[], step: (member: I) => O): O[] {
  const reasons: Reason[] = [];
  const results: O[] = [];
  for (const member of members) {
    try {
      results.push(step(member));
      reasons.push({ Code: 'None' });
    } catch (error) {
      if (!(error instanceof Rejected) || error.type === 'SerializationException') throw error;
      reasons.push({ Code: CODES[error.type] ?? 'ValidationError', Message: error.message, ...error.more });
    }
  }
  if (results.length < members.length) throw cancelled(reasons);
  return results;
}

const CODES: Readonly<Record<string, string>> = { ConditionalCheckFailedException: 'ConditionalCheckFailed' };

function cancelled(reasons: readonly Reason[]): Rejected {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return new Rejected(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  );
}

function rejectSameItem(targets: readonly Target[]): void {
  const names = targets.map(({ store, key }) => `${store.definition.id} ${nameOf(key)}`);
  if (new Set(names).size < names.length)
    throw invalid('Transaction request cannot include multiple operations on one item');
}

function rejectDuplicateReads(names: readonly string[]): void {
  if (new Set(names).size < names.length)
    throw invalid('Transaction request cannot include multiple operations on one item');
}

function rejectSize(sizes: readonly number[]): void {
  if (sizes.reduce((sum, bytes) => sum + bytes, 0) > BYTES_MAX)
    throw invalid(
      'Collection size of items in the transaction has exceeded the maximum allowed size of 4 MB',
    );
}

function count(
  all: Map<TableDefinition, Consumed>,
  table: TableDefinition,
  { before, after }: Outcome,
): void {
  const units = writeUnits(table, before?.item, after?.item);
  const twice = nothingConsumed();
  addConsumed(twice, units, 2);
  add(all, table, twice);
}

function add(all: Map<TableDefinition, Consumed>, table: TableDefinition, more: Consumed): void {
  const sum = all.get(table) ?? nothingConsumed();
  all.set(table, sum);
  addConsumed(sum, more);
}

/** Requests by the token that their client gave them. */
export type Tokens = {
  isRepeated(token: string | undefined, request: unknown): boolean;
  keep(token: string | undefined, request: unknown): void;
};

const TOKEN_KEPT_MS = 10 * 60 * 1000;
export const TOKEN_SCHEMA =
  'CREATE TABLE IF NOT EXISTS tokens (token TEXT PRIMARY KEY, hash TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;';

export function openTokens(file: SqliteFile, nowMs: () => number): Tokens {
  return {
    isRepeated(token, request) {
      if (token === undefined) return false;
      const sql = 'SELECT hash FROM tokens WHERE token = ? AND at >= ?';
      const known = file.statement(sql).get(token, nowMs() - TOKEN_KEPT_MS);
      if (known && known.hash !== hashOf(request))
        throw new Rejected(
          'IdempotentParameterMismatchException',
          'The provided client token was used in another request with other parameters',
        );
      return known !== undefined;
    },
    keep(token, request) {
      if (token === undefined) return;
      file.statement('DELETE FROM tokens WHERE at < ?').run(nowMs() - TOKEN_KEPT_MS);
      file.statement('INSERT OR REPLACE INTO tokens VALUES (?, ?, ?)').run(token, hashOf(request), nowMs());
    },
  };
}

function hashOf(request: unknown): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('base64');
}
