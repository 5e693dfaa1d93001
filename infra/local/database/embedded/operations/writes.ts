import { updated } from '../expressions/apply-update.ts';
import { isMet } from '../expressions/conditions.ts';
import { type Path, resolved } from '../expressions/paths.ts';
import { projected } from '../expressions/projections.ts';
import { invalid, invalidValues, Rejected } from '../rejected.ts';
import { keyNames, type StoredItem } from '../storage/definition.ts';
import type { KeyColumns } from '../storage/keys.ts';
import type { TableStore } from '../storage/table-store.ts';
import type { WireItem } from '../values/wire.ts';
import { capacityOf, writeUnits } from './capacity.ts';
import { checkedKey, checkedPut, checkUpdated, fittingSize, type Keyed } from './item-checks.ts';
import { type Expressions, type GivenExpressions, readExpressions } from './requests.ts';

export type WriteInput = GivenExpressions & {
  TableName: string;
  Item?: unknown;
  Key?: unknown;
  ReturnValues?: string;
  ReturnValuesOnConditionCheckFailure?: string;
  ReturnConsumedCapacity?: string;
  ReturnItemCollectionMetrics?: string;
};
export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** A write whose expressions are read: what can be seen of it without its table's items is checked. */
export type Plan = { store: TableStore; kind: WriteKind; input: WriteInput; expressions: Expressions };
/** The same with its item's key. */
export type Target = Plan & Keyed;
/** What a write does to an item. `paths` are the updated paths. */
export type Outcome = {
  key: KeyColumns;
  before: StoredItem | undefined;
  after: StoredItem | undefined;
  paths: Path[];
};

export function planWrite(store: TableStore, kind: WriteKind, input: WriteInput): Plan {
  const fields =
    kind === 'Update'
      ? (['UpdateExpression', 'ConditionExpression'] as const)
      : (['ConditionExpression'] as const);
  const expressions = readExpressions(input, fields);
  if (expressions.update) rejectKeyChanges(store, expressions);
  return { store, kind, input, expressions };
}

function rejectKeyChanges({ definition }: TableStore, { update, bindings }: Expressions): void {
  const names = keyNames(definition.keys);
  for (const { path } of update?.actions ?? []) {
    const [name] = resolved(path, bindings);
    if (names.includes(String(name)))
      throw invalidValues(`Cannot update attribute ${name}. This attribute is part of the key`);
  }
}

/** Finds the item that a write is about; rejects one that cannot be stored. */
export function targetOf(plan: Plan): Target {
  const { definition } = plan.store;
  const keyed =
    plan.kind === 'Put' ? checkedPut(definition, plan.input.Item) : checkedKey(definition, plan.input.Key);
  return { ...plan, ...keyed };
}

/** Checks the condition and evaluates the write; nothing is stored yet. */
export function evaluated(target: Target): Outcome {
  const { store, kind, key, item, input, expressions } = target;
  const { condition, update, bindings } = expressions;
  const before = store.find(key);
  if (condition && !isMet(condition.condition, before?.item ?? {}, bindings))
    throw conditionFailed(before, input);
  if (kind === 'Put') return { key, before, after: { item, bytes: fittingSize(item) }, paths: [] };
  if (kind === 'Delete') return { key, before, after: undefined, paths: [] };
  if (kind === 'ConditionCheck') return { key, before, after: before, paths: [] };
  const base = before?.item ?? item;
  const { after, paths } = update ? updated(update, base, bindings) : { after: base, paths: [] };
  return { key, before, after: { item: after, bytes: checkUpdated(store.definition, after) }, paths };
}

function conditionFailed(before: StoredItem | undefined, input: WriteInput): Rejected {
  const isShown = before && input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
  return new Rejected(
    'ConditionalCheckFailedException',
    'The conditional request failed',
    isShown ? { Item: before.item } : {},
  );
}

export function writeOne(store: TableStore, kind: WriteKind, input: WriteInput): object {
  checkReturnValues(kind, input);
  const target = targetOf(planWrite(store, kind, input));
  const outcome = evaluated(target);
  store.write(outcome.key, outcome.before, outcome.after);
  return { ...attributesOf(input.ReturnValues, outcome), ...metricsOf(store, input, outcome) };
}

function metricsOf(store: TableStore, input: WriteInput, { before, after }: Outcome): object {
  const { definition } = store;
  const wanted = input.ReturnConsumedCapacity;
  const capacity =
    wanted && wanted !== 'NONE'
      ? capacityOf(definition, writeUnits(definition, before?.item, after?.item), wanted)
      : {};
  return {
    ...capacity,
    ...collectionMetrics(store, input.ReturnItemCollectionMetrics, (after ?? before)?.item),
  };
}

/** The size of an item collection, which only tables with local indexes have. */
export function collectionMetrics(
  { definition }: TableStore,
  wanted: string | undefined,
  item: WireItem | undefined,
): object {
  const hasLocal = definition.indexes.some(({ kind }) => kind === 'local');
  const { name } = definition.keys.hash;
  const value = item?.[name];
  if (wanted !== 'SIZE' || !hasLocal || !value) return {};
  return { ItemCollectionMetrics: { ItemCollectionKey: { [name]: value }, SizeEstimateRangeGB: [0, 1] } };
}

function checkReturnValues(kind: WriteKind, { ReturnValues: wanted = 'NONE' }: WriteInput): void {
  if (kind !== 'Update' && wanted !== 'NONE' && wanted !== 'ALL_OLD')
    throw invalid('Return values set to invalid value');
}

function attributesOf(wanted: string | undefined, { before, after, paths }: Outcome): object {
  const seen = attributesSeen(wanted, before?.item, after?.item, paths);
  return seen && Object.keys(seen).length > 0 ? { Attributes: seen } : {};
}

function attributesSeen(
  wanted: string | undefined,
  before: WireItem | undefined,
  after: WireItem | undefined,
  paths: Path[],
): WireItem | undefined {
  if (wanted === 'ALL_OLD') return before;
  if (wanted === 'ALL_NEW') return after;
  if (wanted === 'UPDATED_OLD') return before && projected(before, paths);
  return wanted === 'UPDATED_NEW' && after ? projected(after, paths) : undefined;
}
