import { invalid, invalidValues, Rejected } from '../rejected.ts';
import type { Catalog } from '../storage/catalog.ts';
import type { IndexDefinition, TableDefinition } from '../storage/definition.ts';
import type { TableStore } from '../storage/table-store.ts';
import { nameIn, streamArn, streamLabel, tableArn } from './arns.ts';
import { type CreateTableInput, checkName, definitionOf } from './create-table.ts';
import { problemsOf, rejectBroken } from './parameters.ts';

type Named = { TableName?: string };
type UpdateTableInput = Named & Pick<CreateTableInput, 'StreamSpecification'>;
type TimeToLive = Named & { TimeToLiveSpecification?: { Enabled?: boolean; AttributeName?: string } };

const LIST_MAX = 100;

/** The table of a name; a request of another is rejected. */
export function tableNamed(catalog: Catalog, name: unknown, shown = false): TableStore {
  const text = nameIn(String(name));
  const store = catalog.find(text);
  if (store) return store;
  throw new Rejected(
    'ResourceNotFoundException',
    shown ? `Requested resource not found: Table: ${text} not found` : 'Requested resource not found',
  );
}

export function createTable(catalog: Catalog, input: CreateTableInput, nowMs: number): object {
  const definition = definitionOf(input, catalog.nextId(), nowMs);
  if (catalog.find(definition.name))
    throw new Rejected('ResourceInUseException', `Table already exists: ${definition.name}`);
  return { TableDescription: described(catalog.create(definition)) };
}

export function describeTable(catalog: Catalog, { TableName: name }: Named): object {
  checkTableName(name);
  return { Table: described(tableNamed(catalog, name, true)) };
}

export function deleteTable(catalog: Catalog, { TableName: name }: Named): object {
  checkTableName(name);
  const store = tableNamed(catalog, name, true);
  if (store.definition.isProtected)
    throw invalid(
      `Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.`,
    );
  const TableDescription = { ...described(store), TableStatus: 'DELETING' };
  catalog.delete(store.definition.name);
  return { TableDescription };
}

/** Turns on a stream. DynamoDB changes more, such as indexes. */
export function updateTable(catalog: Catalog, { TableName: name, ...changes }: UpdateTableInput): object {
  checkTableName(name);
  const { definition } = tableNamed(catalog, name, true);
  const other = Object.keys(changes).find((each) => each !== 'StreamSpecification');
  if (other !== undefined) throw unsupported(other);
  const { StreamEnabled, StreamViewType } = changes.StreamSpecification ?? {};
  if (!StreamEnabled) throw unsupported('StreamSpecification without StreamEnabled');
  if (!StreamViewType) throw invalidValues('StreamViewType is required when StreamEnabled is true');
  if (definition.streamView)
    throw invalid(`Table already has an enabled stream: TableName: ${definition.name}`);
  const store = catalog.setStreamView(definition.name, StreamViewType);
  return { TableDescription: store && described(store) };
}

function unsupported(what: string): Rejected {
  return new Rejected('UnknownOperationException', `UpdateTable with ${what} is not supported here`);
}

/** Operations on a table as such name it as its creation does. */
function checkTableName(name: string | undefined): void {
  if (name?.startsWith('arn:')) return;
  checkName(name);
}

export function listTables(
  catalog: Catalog,
  { Limit, ExclusiveStartTableName: after }: { Limit?: number; ExclusiveStartTableName?: string },
): object {
  rejectBroken(problemsOf({ Limit }, []));
  if (Limit !== undefined && Limit > LIST_MAX)
    rejectBroken([
      `Value '${Limit}' at 'limit' failed to satisfy constraint: Member must have value less than or equal to ${LIST_MAX}`,
    ]);
  const names = catalog.names().filter((name) => after === undefined || name > after);
  const page = names.slice(0, Limit ?? LIST_MAX);
  const last = page.length < names.length ? page.at(-1) : undefined;
  return { TableNames: page, ...(last ? { LastEvaluatedTableName: last } : {}) };
}

export function updateTimeToLive(catalog: Catalog, input: TimeToLive): object {
  checkTableName(input.TableName);
  const { Enabled, AttributeName: name } = input.TimeToLiveSpecification ?? {};
  if (Enabled === undefined || name === undefined)
    throw invalid(
      "1 validation error detected: Value null at 'timeToLiveSpecification' failed to satisfy constraint: Member must not be null",
    );
  if (name === '')
    throw invalid(
      "1 validation error detected: Value '' at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: Member must have length greater than or equal to 1",
    );
  const { definition } = tableNamed(catalog, input.TableName, true);
  const current = catalog.timeToLive(definition.name);
  if (Enabled && current === name) throw invalid('TimeToLive is already enabled');
  if (Enabled && current !== undefined)
    throw invalid(`TimeToLive is active on a different AttributeName: current AttributeName is ${current}`);
  if (!Enabled && current === undefined) throw invalid('TimeToLive is already disabled');
  if (!Enabled && current !== name)
    throw invalidValues(
      `TimeToLive is active on a different AttributeName: current AttributeName is ${current}`,
    );
  catalog.setTimeToLive(definition.name, Enabled ? name : undefined);
  return { TimeToLiveSpecification: { Enabled, AttributeName: name } };
}

export function describeTimeToLive(catalog: Catalog, { TableName }: Named): object {
  checkTableName(TableName);
  const { definition } = tableNamed(catalog, TableName, true);
  const attribute = catalog.timeToLive(definition.name);
  return {
    TimeToLiveDescription: attribute
      ? { TimeToLiveStatus: 'ENABLED', AttributeName: attribute }
      : { TimeToLiveStatus: 'DISABLED' },
  };
}

function described(store: TableStore): object {
  const { definition } = store;
  const { name, createdAtMs, given, indexes, streamView, isProtected } = definition;
  const { items, bytes } = store.counts();
  const isOnDemand = given.BillingMode === 'PAY_PER_REQUEST';
  const units = isOnDemand
    ? { ReadCapacityUnits: 0, WriteCapacityUnits: 0 }
    : (given.ProvisionedThroughput as object);
  const of = (kind: 'global' | 'local', field: string) => {
    const found = indexes.filter((index) => index.kind === kind);
    return found.length > 0
      ? { [field]: found.map((index) => describedIndex(definition, index, units, items)) }
      : {};
  };
  return {
    AttributeDefinitions: given.AttributeDefinitions,
    TableName: name,
    KeySchema: given.KeySchema,
    TableStatus: 'ACTIVE',
    CreationDateTime: createdAtMs / 1000,
    ProvisionedThroughput: { NumberOfDecreasesToday: 0, ...units },
    TableSizeBytes: bytes,
    ItemCount: items,
    TableArn: tableArn(name),
    TableId: `00000000-0000-4000-8000-${String(definition.id).padStart(12, '0')}`,
    ...(isOnDemand ? { BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' } } : {}),
    ...of('local', 'LocalSecondaryIndexes'),
    ...of('global', 'GlobalSecondaryIndexes'),
    ...(streamView
      ? {
          StreamSpecification: { StreamEnabled: true, StreamViewType: streamView },
          LatestStreamLabel: streamLabel(definition),
          LatestStreamArn: streamArn(definition),
        }
      : {}),
    DeletionProtectionEnabled: isProtected,
  };
}

function describedIndex(
  { name, given }: TableDefinition,
  index: IndexDefinition,
  units: object,
  items: number,
): object {
  const field = index.kind === 'global' ? 'GlobalSecondaryIndexes' : 'LocalSecondaryIndexes';
  const all = given[field] as { IndexName: string; KeySchema: object; Projection: object }[];
  const own = all.find(({ IndexName }) => IndexName === index.name);
  return {
    IndexName: index.name,
    KeySchema: own?.KeySchema,
    Projection: own?.Projection,
    IndexSizeBytes: 0,
    ItemCount: items,
    IndexArn: `${tableArn(name)}/index/${index.name}`,
    ...(index.kind === 'global'
      ? { IndexStatus: 'ACTIVE', ProvisionedThroughput: { NumberOfDecreasesToday: 0, ...units } }
      : {}),
  };
}
