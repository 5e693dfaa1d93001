import { unreadable } from '../embedded/rejected.ts';

type Scalar = 'String' | 'Boolean' | 'Integer';
/** A structure's fields have the types of their names. What is in a `Map` of attributes is checked where it is read. */
type Type = Scalar | 'Map' | 'Structure' | { list: Type } | { map: Type };

const named = (type: Type, names: string) => names.split(' ').map((name): [string, Type] => [name, type]);

/** By the parameter's name, which has the same type in every operation. */
const TYPES: ReadonlyMap<string, Type> = new Map([
  ...named(
    'String',
    'TableName IndexName ProjectionExpression KeyConditionExpression FilterExpression ConditionExpression UpdateExpression ReturnConsumedCapacity ReturnItemCollectionMetrics ReturnValues ReturnValuesOnConditionCheckFailure Select ClientRequestToken BillingMode AttributeName AttributeType KeyType ProjectionType StreamViewType ExclusiveStartTableName StreamArn ShardId ShardIterator ShardIteratorType SequenceNumber ExclusiveStartStreamArn ExclusiveStartShardId',
  ),
  ...named('Boolean', 'ConsistentRead ScanIndexForward StreamEnabled Enabled DeletionProtectionEnabled'),
  ...named('Integer', 'Limit Segment TotalSegments ReadCapacityUnits WriteCapacityUnits'),
  ...named('Map', 'Key Item ExclusiveStartKey ExpressionAttributeValues'),
  ...named(
    'Structure',
    'Put Update Delete ConditionCheck Get PutRequest DeleteRequest Projection ProvisionedThroughput StreamSpecification TimeToLiveSpecification',
  ),
  ...named(
    { list: 'Structure' },
    'TransactItems AttributeDefinitions KeySchema GlobalSecondaryIndexes LocalSecondaryIndexes',
  ),
  ...named({ list: 'Map' }, 'Keys'),
  ...named({ list: 'String' }, 'NonKeyAttributes'),
  ...named({ map: 'String' }, 'ExpressionAttributeNames'),
]);

/** Throws a SerializationException if a parameter has another type than in DynamoDB's API. Names that it does not have are left to the operation. */
export function assertTypes(operation: string, input: object): void {
  const { RequestItems: requests, ...rest } = Object(input);
  assertFields(rest);
  assertType({ map: operation === 'BatchWriteItem' ? { list: 'Structure' } : 'Structure' }, requests);
}

function assertFields(fields: object): void {
  for (const [name, value] of Object.entries(fields)) {
    const type = TYPES.get(name);
    if (type) assertType(type, value);
  }
}

function assertType(type: Type, value: unknown): void {
  if (value === undefined || value === null) return;
  const wanted = typeof type === 'string' ? type : 'list' in type ? 'List' : 'Map';
  const given = typeOf(value);
  if (given !== (wanted === 'Structure' ? 'Map' : wanted)) throw unreadable(problemOf(wanted, given, value));
  if (type === 'Structure') assertFields(Object(value));
  const inner = typeof type === 'string' ? undefined : 'list' in type ? type.list : type.map;
  if (inner) for (const each of Object.values(Object(value))) assertType(inner, each);
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'List';
  if (typeof value === 'number') return Number.isInteger(value) ? 'Integer' : 'Decimal';
  return typeof value === 'object' ? 'Map' : typeof value === 'string' ? 'String' : 'Boolean';
}

const TOKENS: Readonly<Record<string, string>> = {
  String: 'STRING_VALUE',
  Integer: 'NUMBER_VALUE',
  Decimal: 'DECIMAL_VALUE',
};

function problemOf(wanted: string, given: string, value: unknown): string {
  if (given === 'List') return 'Start of list found where not expected';
  if (given === 'Map') return 'Start of structure or map found where not expected';
  if (wanted !== 'String' && wanted !== 'Integer') return 'Unexpected token received from parser';
  return `${TOKENS[given] ?? `${String(value).toUpperCase()}_VALUE`} cannot be converted to ${wanted}`;
}
