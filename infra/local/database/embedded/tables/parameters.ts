import { invalid } from '../rejected.ts';

/** Returns the constraint that a value breaks. */
type Rule = (value: unknown) => string | undefined;

const TABLE_NAME = /^[a-zA-Z0-9_.-]+$/;

function oneOf(...values: string[]): Rule {
  return (value) =>
    values.includes(String(value)) ? undefined : `Member must satisfy enum value set: [${values.join(', ')}]`;
}

function atLeast(least: number): Rule {
  return (value) =>
    Number(value) >= least ? undefined : `Member must have value greater than or equal to ${least}`;
}

/** A name of a table, or its ARN. */
const tableName: Rule = (value) => {
  const name = String(value);
  if (name.length < 1) return 'Member must have length greater than or equal to 1';
  if (name.length > 1024) return 'Member must have length less than or equal to 1024';
  if (name.startsWith('arn:')) return undefined;
  if (name.length > 255) return 'Member must have length less than or equal to 255';
  return TABLE_NAME.test(name)
    ? undefined
    : 'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+';
};

const RULES: Readonly<Record<string, Rule>> = {
  TableName: tableName,
  ReturnConsumedCapacity: oneOf('INDEXES', 'TOTAL', 'NONE'),
  ReturnItemCollectionMetrics: oneOf('SIZE', 'NONE'),
  ReturnValues: oneOf('ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW'),
  ReturnValuesOnConditionCheckFailure: oneOf('ALL_OLD', 'NONE'),
  Select: oneOf('SPECIFIC_ATTRIBUTES', 'COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES'),
  Limit: atLeast(1),
  Segment: atLeast(0),
  TotalSegments: atLeast(1),
  BillingMode: oneOf('PROVISIONED', 'PAY_PER_REQUEST'),
};

type Parameters = {
  known: ReadonlySet<string>;
  required: readonly string[];
  rules: Readonly<Record<string, Rule>>;
};

function parameters(required: string, optional = ''): Parameters {
  const names = required.split(' ').filter(Boolean);
  const known = new Set([...names, ...optional.split(' ').filter(Boolean)]);
  const rules = Object.fromEntries(Object.entries(RULES).filter(([name]) => known.has(name)));
  return { known, required: names, rules };
}

const WRITE =
  'ConditionExpression ExpressionAttributeNames ExpressionAttributeValues ReturnConsumedCapacity ReturnItemCollectionMetrics ReturnValues ReturnValuesOnConditionCheckFailure';
const READ =
  'ConsistentRead ExpressionAttributeNames ExpressionAttributeValues FilterExpression ProjectionExpression ReturnConsumedCapacity ExclusiveStartKey IndexName Limit Select';

const OPERATIONS: Readonly<Record<string, Parameters>> = {
  GetItem: parameters(
    'TableName Key',
    'ConsistentRead ProjectionExpression ExpressionAttributeNames ReturnConsumedCapacity',
  ),
  PutItem: parameters('TableName Item', WRITE),
  UpdateItem: parameters('TableName Key', `${WRITE} UpdateExpression`),
  DeleteItem: parameters('TableName Key', WRITE),
  Query: parameters('TableName', `${READ} KeyConditionExpression ScanIndexForward`),
  Scan: parameters('TableName', `${READ} Segment TotalSegments`),
  BatchGetItem: parameters('RequestItems', 'ReturnConsumedCapacity'),
  KeysAndAttributes: parameters('', 'Keys ConsistentRead ProjectionExpression ExpressionAttributeNames'),
  BatchWriteItem: parameters('RequestItems', 'ReturnConsumedCapacity ReturnItemCollectionMetrics'),
  TransactGetItems: parameters('TransactItems', 'ReturnConsumedCapacity'),
  TransactWriteItems: parameters(
    'TransactItems',
    'ClientRequestToken ReturnConsumedCapacity ReturnItemCollectionMetrics',
  ),
};

/** Parameters that expressions have replaced. */
const LEGACY: ReadonlySet<string> = new Set([
  'AttributesToGet',
  'AttributeUpdates',
  'ConditionalOperator',
  'Expected',
  'KeyConditions',
  'QueryFilter',
  'ScanFilter',
]);

/** Rejects parameters that are missing, unknown or outside their range. */
export function checkParameters(operation: string, input: Record<string, unknown>): void {
  const { known, required, rules } = OPERATIONS[operation] ?? {};
  if (required) rejectBroken(problemsOf(input, required, rules).map((text) => asShown(operation, text)));
  const given = Object.keys(input).filter((name) => input[name] !== undefined && input[name] !== null);
  const old = given.filter((name) => LEGACY.has(name));
  if (old.length > 0) rejectLegacy(old, given);
  const stranger = known && given.find((name) => !known.has(name));
  if (stranger) throw invalid(`${operation} has no parameter ${stranger} that is supported here`);
}

/** Query alone checks its limit elsewhere than the rest, and says so in other words. */
function asShown(operation: string, problem: string): string {
  return operation === 'Query' ? problem.replace(/^Value '[^']*' at 'limit'/, "Value at 'Limit'") : problem;
}

export function problemsOf(
  input: Record<string, unknown>,
  required: readonly string[],
  rules: Readonly<Record<string, Rule>> = RULES,
): string[] {
  const names = new Set([...Object.keys(rules), ...required]);
  return [...names].flatMap((name) => {
    const value = input[name] ?? undefined;
    if (value === undefined && !required.includes(name)) return [];
    const at = name.charAt(0).toLowerCase() + name.slice(1);
    if (value === undefined)
      return [`Value null at '${at}' failed to satisfy constraint: Member must not be null`];
    const constraint = rules[name]?.(value);
    return constraint
      ? [`Value '${String(value)}' at '${at}' failed to satisfy constraint: ${constraint}`]
      : [];
  });
}

export function rejectBroken(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const noun = problems.length === 1 ? 'error' : 'errors';
  throw invalid(`${problems.length} validation ${noun} detected: ${problems.join('; ')}`);
}

function rejectLegacy(old: readonly string[], given: readonly string[]): void {
  const expressions = given.filter((name) => name.endsWith('Expression'));
  if (expressions.length > 0)
    throw invalid(
      `Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {${old.join(', ')}} Expression parameters: {${expressions.join(', ')}}`,
    );
  throw invalid(`${old.join(', ')} is not supported here: use an expression`);
}
