import type { KeyAttribute, KeyNames } from '../expressions/key-conditions.ts';
import { invalid, invalidValues } from '../rejected.ts';
import type { IndexDefinition, StreamView, TableDefinition } from '../storage/definition.ts';
import type { TypeName } from '../values/wire.ts';
import { problemsOf, rejectBroken } from './parameters.ts';

type KeySchema = { AttributeName: string; KeyType: string }[];
type GivenIndex = {
  IndexName?: string;
  KeySchema?: KeySchema;
  Projection?: { ProjectionType?: string; NonKeyAttributes?: string[] };
};
export type CreateTableInput = {
  TableName?: string;
  AttributeDefinitions?: { AttributeName: string; AttributeType: string }[];
  KeySchema?: KeySchema;
  GlobalSecondaryIndexes?: GivenIndex[];
  LocalSecondaryIndexes?: GivenIndex[];
  BillingMode?: string;
  ProvisionedThroughput?: { ReadCapacityUnits?: number; WriteCapacityUnits?: number };
  StreamSpecification?: { StreamEnabled?: boolean; StreamViewType?: StreamView };
  DeletionProtectionEnabled?: boolean;
};

const NAME_MIN = 3;
const NAME_MAX = 255;
const INDEXES_MAX = { global: 20, local: 5 };
const TYPES = ['B', 'N', 'S'];

export function definitionOf(input: CreateTableInput, id: number, nowMs: number): TableDefinition {
  checkName(input.TableName);
  rejectBroken([...problemsOf(input, ['AttributeDefinitions', 'KeySchema']), ...memberProblems(input)]);
  checkBilling(input);
  const types = new Map(
    (input.AttributeDefinitions ?? []).map(({ AttributeName, AttributeType }) => [
      AttributeName,
      AttributeType as TypeName,
    ]),
  );
  const keys = keysOf(
    input.KeySchema ?? [],
    types,
    'Invalid KeySchema: Some index key attribute have no definition',
  );
  const indexes = [
    ...indexesOf(input.LocalSecondaryIndexes, 'local', keys, types),
    ...indexesOf(input.GlobalSecondaryIndexes, 'global', keys, types),
  ];
  checkIndexNames(indexes);
  checkAllUsed(types, [keys, ...indexes.map((index) => index.keys)]);
  const { StreamEnabled, StreamViewType } = input.StreamSpecification ?? {};
  if (StreamEnabled && !StreamViewType)
    throw invalidValues('StreamViewType is required when StreamEnabled is true');
  return {
    name: input.TableName ?? '',
    id,
    createdAtMs: nowMs,
    keys,
    indexes,
    streamView: StreamEnabled ? StreamViewType : undefined,
    isProtected: input.DeletionProtectionEnabled ?? false,
    given: { ...input },
  };
}

export function checkName(name: string | undefined, member = 'tableName'): void {
  if (name === undefined || name === null)
    throw invalid("The parameter 'TableName' is required but was not present in the request");
  const problem = (constraint: string) => [
    `Value '${name}' at '${member}' failed to satisfy constraint: ${constraint}`,
  ];
  if (!/^[a-zA-Z0-9_.-]*$/.test(name))
    rejectBroken(problem('Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+'));
  if (name.length === 0) rejectBroken(problem('Member must have length greater than or equal to 1'));
  if (name.length < NAME_MIN)
    rejectBroken(problem(`Member must have length greater than or equal to ${NAME_MIN}`));
  if (name.length > NAME_MAX)
    rejectBroken(problem(`Member must have length less than or equal to ${NAME_MAX}`));
}

function memberProblems({ KeySchema = [], AttributeDefinitions = [] }: CreateTableInput): string[] {
  const dump = KeySchema.map(
    (each) => `KeySchemaElement(attributeName=${each.AttributeName}, keyType=${each.KeyType})`,
  );
  const long =
    KeySchema.length > 2
      ? [
          `Value '[${dump.join(', ')}]' at 'keySchema' failed to satisfy constraint: Member must have length less than or equal to 2`,
        ]
      : [];
  const short =
    KeySchema.length === 0
      ? [
          "Value '[]' at 'keySchema' failed to satisfy constraint: Member must have length greater than or equal to 1",
        ]
      : [];
  return [
    ...long,
    ...short,
    ...AttributeDefinitions.flatMap(({ AttributeType: type }, at) =>
      TYPES.includes(type)
        ? []
        : [
            `Value '${type}' at 'attributeDefinitions.${at + 1}.member.attributeType' failed to satisfy constraint: Member must satisfy enum value set: [${TYPES.join(', ')}]`,
          ],
    ),
    ...KeySchema.flatMap(({ KeyType: type }, at) =>
      type === 'HASH' || type === 'RANGE'
        ? []
        : [
            `Value '${type}' at 'keySchema.${at + 1}.member.keyType' failed to satisfy constraint: Member must satisfy enum value set: [HASH, RANGE]`,
          ],
    ),
  ];
}

function checkBilling({ BillingMode = 'PROVISIONED', ProvisionedThroughput: units }: CreateTableInput): void {
  if (BillingMode === 'PROVISIONED' && !units)
    throw invalidValues(
      'ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED',
    );
  if (BillingMode === 'PAY_PER_REQUEST' && units)
    throw invalidValues(
      'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
    );
  for (const name of ['ReadCapacityUnits', 'WriteCapacityUnits'] as const)
    if (units && !(Number(units[name]) >= 1))
      rejectBroken([
        `Value '${units[name]}' at 'provisionedThroughput.${name.charAt(0).toLowerCase()}${name.slice(1)}' failed to satisfy constraint: Member must have value greater than or equal to 1`,
      ]);
}

function keysOf(schema: KeySchema, types: ReadonlyMap<string, TypeName>, ifUndefined: string): KeyNames {
  const attribute = (kind: string): KeyAttribute | undefined => {
    const name = schema.find(({ KeyType }) => KeyType === kind)?.AttributeName;
    if (name === undefined) return undefined;
    const type = types.get(name);
    if (!type) throw ifUndefined.startsWith('Invalid') ? invalid(ifUndefined) : invalidValues(ifUndefined);
    return { name, type };
  };
  const hash = attribute('HASH');
  if (!hash || schema[0]?.KeyType !== 'HASH')
    throw invalid('Invalid KeySchema: The first KeySchemaElement is not a HASH key type');
  if (schema.length === 2 && schema[1]?.KeyType !== 'RANGE')
    throw invalid('Invalid KeySchema: The second KeySchemaElement is not a RANGE key type');
  const range = attribute('RANGE');
  if (range?.name === hash.name)
    throw invalid('Invalid KeySchema: Some index key attribute have no definition');
  return { hash, range };
}

function indexesOf(
  given: GivenIndex[] | undefined,
  kind: 'global' | 'local',
  keys: KeyNames,
  types: ReadonlyMap<string, TypeName>,
): IndexDefinition[] {
  if (!given) return [];
  const words = kind === 'global' ? 'GlobalSecondaryIndex' : 'LocalSecondaryIndex';
  if (given.length === 0) throw invalidValues(`List of ${words}es is empty`);
  if (kind === 'local' && !keys.range)
    throw invalidValues(
      'Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex',
    );
  if (given.length > INDEXES_MAX[kind])
    throw invalidValues(`${words} count exceeds the per-table limit of ${INDEXES_MAX[kind]}`);
  return given.map((index, at) => {
    const { IndexName: name = '', KeySchema = [], Projection } = index;
    checkName(name, `${kind}SecondaryIndexes.${at + 1}.member.indexName`);
    const own = keysOf(KeySchema, types, 'Some index key attributes are not defined in AttributeDefinitions');
    if (kind === 'local' && own.hash.name !== keys.hash.name)
      throw invalidValues(
        `Index KeySchema does not have the same leading hash key as table KeySchema for index: ${name}. index hash key: ${own.hash.name}, table hash key: ${keys.hash.name}`,
      );
    if (kind === 'local' && !own.range)
      throw invalidValues(`Index KeySchema does not have a range key for index: ${name}`);
    return { name, kind, keys: own, projection: projectionOf(Projection) };
  });
}

function projectionOf(given: GivenIndex['Projection']): IndexDefinition['projection'] {
  const { ProjectionType: type, NonKeyAttributes: names } = given ?? {};
  if (type !== 'ALL' && type !== 'KEYS_ONLY' && type !== 'INCLUDE')
    throw invalidValues('Unknown ProjectionType: null');
  if (type !== 'INCLUDE' && names)
    throw invalidValues(`ProjectionType is ${type}, but NonKeyAttributes is specified`);
  if (type === 'INCLUDE' && !names?.length)
    throw invalidValues('ProjectionType is INCLUDE, but NonKeyAttributes is not specified');
  return { type, names: names ?? [] };
}

function checkIndexNames(indexes: readonly IndexDefinition[]): void {
  const seen = new Set<string>();
  for (const { name } of indexes) {
    if (seen.has(name)) throw invalidValues(`Duplicate index name: ${name}`);
    seen.add(name);
  }
}

function checkAllUsed(types: ReadonlyMap<string, TypeName>, keys: readonly KeyNames[]): void {
  const used = new Set(keys.flatMap(({ hash, range }) => (range ? [hash.name, range.name] : [hash.name])));
  if ([...types.keys()].some((name) => !used.has(name)))
    throw invalidValues(
      `Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions`,
    );
}
