import { isMet } from '../expressions/conditions.ts';
import { keyRangeOf } from '../expressions/key-conditions.ts';
import { type Path, resolved } from '../expressions/paths.ts';
import { pathsOf, projected } from '../expressions/projections.ts';
import { invalid, invalidValues } from '../rejected.ts';
import { type IndexDefinition, keyNames, projectedNames } from '../storage/definition.ts';
import { columnOf } from '../storage/keys.ts';
import type { TableStore } from '../storage/table-store.ts';
import type { WireItem } from '../values/wire.ts';
import { capacityOf, nothingConsumed, projectedItem, readUnits } from './capacity.ts';
import { checkedKey } from './item-checks.ts';
import { pageOf, type Reading } from './pages.ts';
import { type Expressions, type GivenExpressions, readExpressions } from './requests.ts';
import { startOfQuery, startOfScan } from './start-keys.ts';

export type ReadInput = GivenExpressions & {
  TableName: string;
  Key?: unknown;
  IndexName?: string;
  ConsistentRead?: boolean;
  ExclusiveStartKey?: unknown;
  Limit?: number;
  ScanIndexForward?: boolean;
  Select?: string;
  Segment?: number;
  TotalSegments?: number;
  ReturnConsumedCapacity?: string;
};

export function getItem(store: TableStore, input: ReadInput): object {
  const { projection, bindings } = readExpressions(input, ['ProjectionExpression']);
  const { key } = checkedKey(store.definition, input.Key);
  const found = store.find(key);
  const units = readUnits(found?.bytes ?? 0, input.ConsistentRead === true);
  const capacity = capacityOf(
    store.definition,
    { table: units, indexes: new Map() },
    input.ReturnConsumedCapacity,
  );
  if (!found) return capacity;
  return {
    Item: projection ? projected(found.item, pathsOf(projection, bindings)) : found.item,
    ...capacity,
  };
}

export function query(store: TableStore, input: ReadInput): object {
  const index = indexOf(store, input);
  const keys = (index ?? store.definition).keys;
  if (input.KeyConditionExpression === undefined)
    throw invalid(
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    );
  const expressions = readExpressions(input, ['FilterExpression', 'KeyConditionExpression']);
  const { keyCondition, bindings } = expressions;
  const range = keyCondition && keyRangeOf(keyCondition, keys, bindings);
  const reading = readingOf(store, index, input, expressions);
  rejectKeyFilter(expressions, keyNames(keys));
  const isForward = input.ScanIndexForward !== false;
  const after = startOfQuery(store.definition, index, range, input.ExclusiveStartKey);
  const read = { hash: columnOf(range?.hash ?? {}), range: range?.range, after, isForward };
  return response(store, input, reading, (limit) => store.partition(index, read, limit));
}

export function scan(store: TableStore, input: ReadInput): object {
  const index = indexOf(store, input);
  const segment = segmentOf(input);
  const expressions = readExpressions(input, ['FilterExpression', 'ProjectionExpression']);
  const reading = readingOf(store, index, input, expressions);
  const after = startOfScan(store.definition, index, input.ExclusiveStartKey, segment);
  return response(store, input, reading, (limit) => store.scan(index, { after, segment, limit }));
}

/** One page and what it consumed. */
function response(
  { definition }: TableStore,
  input: ReadInput,
  reading: Reading,
  entries: Parameters<typeof pageOf>[1],
): object {
  const { bytes, ...page } = pageOf(reading, entries);
  const consumed = nothingConsumed();
  const units = readUnits(bytes, input.ConsistentRead === true);
  if (reading.index) consumed.indexes.set(reading.index.name, units);
  else consumed.table = units;
  return { ...page, ...capacityOf(definition, consumed, input.ReturnConsumedCapacity) };
}

function indexOf(
  { definition }: TableStore,
  { IndexName: name, ConsistentRead }: ReadInput,
): IndexDefinition | undefined {
  if (name === undefined) return undefined;
  const index = definition.indexes.find((each) => each.name === name);
  if (!index) throw invalid(`The table does not have the specified index: ${name}`);
  if (index.kind === 'global' && ConsistentRead)
    throw invalid('Consistent reads are not supported on global secondary indexes');
  return index;
}

function readingOf(
  store: TableStore,
  index: IndexDefinition | undefined,
  input: ReadInput,
  expressions: Expressions,
): Reading {
  const { definition } = store;
  const { projection, filter, bindings } = expressions;
  const paths = projection && pathsOf(projection, bindings);
  checkSelect(index, input.Select, paths);
  const names = index && projectedNames(definition, index);
  if (names && index?.kind === 'global') rejectUnprojected(index, paths, names);
  // A local index fetches from the table what it lacks.
  const isWhole = index?.kind === 'local' && (paths || input.Select === 'ALL_ATTRIBUTES');
  return {
    index,
    limit: input.Limit ?? Number.POSITIVE_INFINITY,
    isCounted: input.Select === 'COUNT',
    keyNames: [...new Set([...keyNames(definition.keys), ...(index ? keyNames(index.keys) : [])])],
    entryOf: (item: WireItem) => (isWhole ? item : projectedItem(item, names)),
    isWanted: (item: WireItem) => !filter || isMet(filter.condition, item, bindings),
    shown: (item: WireItem) => (paths ? projected(item, paths) : item),
    hasAll: names === undefined,
  };
}

function checkSelect(
  index: IndexDefinition | undefined,
  select: string | undefined,
  paths: Path[] | undefined,
): void {
  if (select === 'ALL_PROJECTED_ATTRIBUTES' && !index)
    throw invalidValues('ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName');
  if (select === 'ALL_ATTRIBUTES' && index?.kind === 'global' && index.projection.type !== 'ALL')
    throw invalidValues(
      `Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} because its projection type is not ALL`,
    );
  if (select === 'SPECIFIC_ATTRIBUTES' && !paths)
    throw invalidValues(
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    );
  if (paths && select !== undefined && select !== 'SPECIFIC_ATTRIBUTES')
    throw invalid(
      `Cannot specify the ProjectionExpression when choosing to get ${select === 'COUNT' ? 'only the Count' : select}`,
    );
}

function rejectUnprojected(
  index: IndexDefinition,
  paths: Path[] | undefined,
  names: ReadonlySet<string>,
): void {
  const missing = paths?.map(([name]) => String(name)).filter((name) => !names.has(name)) ?? [];
  if (missing.length > 0)
    throw invalidValues(`Global secondary index ${index.name} does not project [${missing.join(', ')}]`);
}

/** Items of a query are found by their key: a filter is for the rest. */
function rejectKeyFilter({ filter, bindings }: Expressions, keys: readonly string[]): void {
  if (!filter) return;
  const used = new Set(filter.paths.map((path) => resolved(path, bindings)[0]));
  const name = keys.find((key) => used.has(key));
  if (name)
    throw invalid(
      `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`,
    );
}

function segmentOf({ Segment: index, TotalSegments: total }: ReadInput) {
  if (index === undefined && total === undefined) return undefined;
  if (index === undefined)
    throw invalid(
      'The Segment parameter is required but was not present in the request when parameter TotalSegments is present',
    );
  if (total === undefined)
    throw invalid(
      'The TotalSegments parameter is required but was not present in the request when Segment parameter is present',
    );
  if (index >= total)
    throw invalid(
      `The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: ${index} is not less than TotalSegments: ${total}`,
    );
  return { index, total };
}
