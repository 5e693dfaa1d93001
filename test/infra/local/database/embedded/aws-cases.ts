import type { WireItem, WireValue } from '../../../../../infra/local/database/embedded/values/wire.ts';

/** An operation on the item `{pk: 'p', sk: '1'}` with these attributes, and what AWS documents of its result. */
export type AwsCase = {
  name: string;
  item: WireItem;
  operation: string;
  input: Record<string, unknown>;
  /** The item afterwards, without its key; unchanged by default. */
  after?: WireItem;
  /** Fields of the response. */
  body?: Record<string, unknown>;
  /** Fields that the response lacks. */
  absent?: string[];
  /** The error's name and a part of its message. */
  error?: [string, string];
};

const INVALID = 'ValidationException';
export const KEY = { pk: { S: 'p' }, sk: { S: '1' } };
const list = (...texts: string[]): WireValue => ({ L: texts.map((S) => ({ S })) });

const update = (
  name: string,
  item: WireItem,
  UpdateExpression: string,
  rest: Partial<AwsCase> & { values?: WireItem; more?: object },
): AwsCase => {
  const { values, more, ...expected } = rest;
  const ExpressionAttributeValues = values ? { ExpressionAttributeValues: values } : {};
  const input = { Key: KEY, UpdateExpression, ...ExpressionAttributeValues, ...more };
  return { name, item, operation: 'UpdateItem', input, ...expected };
};
const put = (name: string, attributes: WireItem, rest: Partial<AwsCase>): AwsCase => ({
  name,
  item: {},
  operation: 'PutItem',
  input: { Item: { ...KEY, ...attributes } },
  ...rest,
});
const stored = (name: string, given: WireValue, kept: WireValue = given): AwsCase =>
  put(name, { v: given }, { after: { v: kept } });
const refusedPut = (name: string, v: unknown, message: string, type = INVALID): AwsCase =>
  put(name, { v: v as WireValue }, { error: [type, message] });
const refusedUpdate = (name: string, expression: string, message: string, values?: WireItem): AwsCase =>
  update(name, { n: { N: '1' }, s: { S: 'x' }, m: { M: { a: { N: '1' } } } }, expression, {
    ...(values ? { values } : {}),
    error: [INVALID, message],
  });
const query = (name: string, input: object, rest: Partial<AwsCase>): AwsCase => ({
  name,
  item: { n: { N: '1' } },
  operation: 'Query',
  input: { KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': { S: 'p' } }, ...input },
  ...rest,
});
const refusedQuery = (name: string, input: object, message: string): AwsCase =>
  query(name, input, { error: [INVALID, message] });

const LETTERS = list('a', 'b', 'c', 'd', 'e');
const one = { ':v': { N: '1' } };
const nested = (levels: number): WireValue => (levels === 0 ? { S: 'x' } : { M: { a: nested(levels - 1) } });

const NUMBERS: AwsCase[] = [
  stored('a number without its leading zeros', { N: '00042' }, { N: '42' }),
  stored('a number without its trailing zeros', { N: '1.500' }, { N: '1.5' }),
  stored('a number without its exponent', { N: '1.5E2' }, { N: '150' }),
  stored('zero without a sign', { N: '-0.0' }, { N: '0' }),
  stored('38 digits', { N: '12345678901234567890123456789012345678' }),
  stored('a set of numbers in their one form', { NS: ['1.0', '2'] }, { NS: ['1', '2'] }),
  refusedPut('39 digits', { N: '123456789012345678901234567890123456789' }, '38 significant digits'),
  refusedPut('a number over 9.99E+125', { N: '1E126' }, 'Number overflow'),
  refusedPut('a number under 1E-130', { N: '1E-131' }, 'Number underflow'),
  refusedPut('a text as number', { N: 'one' }, 'cannot be converted to a numeric value'),
  refusedPut('a JSON number', { N: 1 }, 'cannot be converted to String', 'SerializationException'),
  update('the exact sum', { n: { N: '9007199254740993' } }, 'SET n = n + :v', {
    values: one,
    after: { n: { N: '9007199254740994' } },
  }),
  update('decimals exactly', { n: { N: '0.1' } }, 'ADD n :v', {
    values: { ':v': { N: '0.2' } },
    after: { n: { N: '0.3' } },
  }),
  update('no rounded sum', { n: { N: '1' } }, 'ADD n :v', {
    values: { ':v': { N: '1E100' } },
    error: [INVALID, '38 significant digits'],
  }),
  query(
    '2^53+1 and 2^53 as different',
    {
      FilterExpression: ':a = :b',
      ExpressionAttributeValues: {
        ':p': { S: 'p' },
        ':a': { N: '9007199254740993' },
        ':b': { N: '9007199254740992' },
      },
    },
    { body: { Count: 0, ScannedCount: 1 } },
  ),
];

const VALUES: AwsCase[] = [
  refusedPut('an empty set', { SS: [] }, 'may not be empty'),
  refusedPut('a set with a duplicate', { SS: ['a', 'a'] }, 'contains duplicates'),
  refusedPut('a set with one number in two forms', { NS: ['1', '1.0'] }, 'contains duplicates'),
  refusedPut('NULL that is false', { NULL: false }, 'must have the value of true'),
  refusedPut('two types', { S: 'a', N: '1' }, 'more than one datatypes set'),
  refusedPut('no type', {}, 'is empty'),
  refusedPut('33 levels', nested(33), 'Nesting Levels have exceeded'),
  update('33 levels by an update inside', { m: nested(3) }, 'SET m.a.a = :v', {
    values: { ':v': nested(31) },
    error: [INVALID, 'Nesting Levels have exceeded'],
  }),
  update('32 levels by an update inside', { m: nested(3) }, 'SET m.a.a = :v', {
    values: { ':v': nested(30) },
    after: { m: nested(32) },
  }),
  refusedPut('a text as null', { NULL: 'yes' }, 'Unexpected token', 'SerializationException'),
  put('32 levels', { v: nested(32) }, { after: { v: nested(32) } }),
  put('an empty text that is no key', { v: { S: '' } }, { after: { v: { S: '' } } }),
  put('a name that is not the prototype', JSON.parse('{"__proto__":{"S":"x"}}'), {
    after: JSON.parse('{"__proto__":{"S":"x"}}'),
  }),
];

const UPDATES: AwsCase[] = [
  update('an element beyond the end at the end', { l: list('a', 'b') }, 'SET l[2000000000] = :v', {
    values: { ':v': { S: 'z' } },
    after: { l: list('a', 'b', 'z') },
  }),
  update('removed elements by their numbers before', { l: LETTERS }, 'REMOVE l[0], l[2]', {
    after: { l: list('b', 'd', 'e') },
  }),
  update('members of a number set as numbers', { v: { NS: ['1', '2'] } }, 'ADD v :v', {
    values: { ':v': { NS: ['1.0', '3'] } },
    after: { v: { NS: ['1', '2', '3'] } },
  }),
  update('binary sets', { v: { BS: ['AQ=='] } }, 'ADD v :v', {
    values: { ':v': { BS: ['AQ==', 'Ag=='] } },
    after: { v: { BS: ['AQ==', 'Ag=='] } },
  }),
  update('a set without members as none', { v: { SS: ['a'] } }, 'DELETE v :v', {
    values: { ':v': { SS: ['a'] } },
    after: {},
  }),
  update('the changed parts, nested', { m: { M: { a: { N: '1' }, b: { N: '2' } } } }, 'SET m.a = :v', {
    values: { ':v': { N: '5' } },
    more: { ReturnValues: 'UPDATED_NEW' },
    after: { m: { M: { a: { N: '5' }, b: { N: '2' } } } },
    body: { Attributes: { m: { M: { a: { N: '5' } } } } },
  }),
  update('the former parts, nested', { m: { M: { a: { N: '1' }, b: { N: '2' } } } }, 'REMOVE m.a', {
    more: { ReturnValues: 'UPDATED_OLD' },
    after: { m: { M: { b: { N: '2' } } } },
    body: { Attributes: { m: { M: { a: { N: '1' } } } } },
  }),
  refusedUpdate('a removal below what is missing', 'REMOVE gone.deep', 'document path provided'),
  refusedUpdate('a value below a text', 'SET s.a = :v', 'document path provided', one),
  refusedUpdate('a value that is missing', 'SET n = gone', 'does not exist in the item'),
  refusedUpdate('a sum with a text', 'SET n = s + :v', 'incorrect data type', one),
  refusedUpdate('a reserved word', 'SET size = :v', 'reserved keyword: size', one),
  refusedUpdate('a reserved word in a path', 'SET m.name = :v', 'reserved keyword: name', one),
  refusedUpdate('a clause twice', 'SET n = :v SET s = :v', 'can only be used once', one),
  refusedUpdate('overlapping paths', 'SET m = :v, m.a = :v', 'overlap', one),
  refusedUpdate('a list and a map at one path', 'SET m.a = :v, m[0] = :v', 'conflict', one),
  refusedUpdate('the key', 'SET sk = :v', 'part of the key', one),
  refusedUpdate('an unused value', 'REMOVE n', 'unused in expressions', one),
  refusedUpdate('an undefined value', 'SET n = :w', 'not defined', undefined),
  refusedUpdate('ADD of a text', 'ADD n :v', 'operand type: STRING', { ':v': { S: 'x' } }),
  refusedUpdate('a function in capitals', 'SET n = IF_NOT_EXISTS(n, :v)', 'Invalid function name', one),
  refusedUpdate('over 4 KB', `REMOVE ${'x'.repeat(4096)}`, 'Expression size has exceeded'),
  update('nothing old of a new item', {}, 'SET n = :v', {
    values: one,
    more: { Key: { pk: { S: 'p' }, sk: { S: 'new' } }, ReturnValues: 'ALL_OLD' },
    absent: ['Attributes'],
  }),
];

const many = Array.from({ length: 101 }, (_, at) => [`:v${at}`, { N: String(at) }] as const);
const READS: AwsCase[] = [
  query('a key with a limit on the last item', { Limit: 1 }, { body: { Count: 1, LastEvaluatedKey: KEY } }),
  query(
    'no item behind the last',
    { Limit: 1, ExclusiveStartKey: KEY },
    {
      body: { Count: 0 },
      absent: ['LastEvaluatedKey'],
    },
  ),
  refusedQuery(
    'a start key of another partition',
    {
      ExclusiveStartKey: { pk: { S: 'q' }, sk: { S: '1' } },
    },
    'outside query boundaries',
  ),
  refusedQuery(
    'a start key without its sort key',
    { ExclusiveStartKey: { pk: { S: 'p' } } },
    'starting key is invalid',
  ),
  refusedQuery(
    'a start key with more',
    { ExclusiveStartKey: { ...KEY, n: { N: '1' } } },
    'starting key is invalid',
  ),
  refusedQuery(
    'a start key outside the range',
    {
      KeyConditionExpression: 'pk = :p AND sk > :s',
      ExpressionAttributeValues: { ':p': { S: 'p' }, ':s': { S: '5' } },
      ExclusiveStartKey: KEY,
    },
    'range key predicate',
  ),
  refusedQuery(
    'OR of keys',
    {
      KeyConditionExpression: 'pk = :p OR sk = :p',
    },
    'Invalid operator used in KeyConditionExpression: OR',
  ),
  refusedQuery('no equality of the partition', { KeyConditionExpression: 'pk > :p' }, 'not supported'),
  refusedQuery(
    'two conditions of one key',
    {
      KeyConditionExpression: 'pk = :p AND sk > :p AND sk < :p',
    },
    'one condition per key',
  ),
  refusedQuery(
    'the size of a size',
    { FilterExpression: 'size(size(n)) = :p' },
    'not allowed to be used this way in an expression; function: size',
  ),
  refusedQuery('a filter on a key', { FilterExpression: 'sk = :p' }, 'non-primary key attributes'),
  refusedQuery(
    'a projection that an index lacks',
    {
      IndexName: 'feed',
      KeyConditionExpression: 'feedPk = :p',
      ProjectionExpression: 'n',
    },
    'does not project [n]',
  ),
  refusedQuery(
    'all attributes of an index of keys',
    {
      IndexName: 'feed',
      KeyConditionExpression: 'feedPk = :p',
      Select: 'ALL_ATTRIBUTES',
    },
    'projection type is not ALL',
  ),
  refusedQuery(
    'IN with over 100 operands',
    {
      FilterExpression: `n IN (${many.map(([name]) => name).join(', ')})`,
      ExpressionAttributeValues: { ':p': { S: 'p' }, ...Object.fromEntries(many) },
    },
    'Incorrect number of operands',
  ),
  refusedQuery(
    'over 300 operators',
    {
      FilterExpression: Array.from({ length: 160 }, () => 'n = :p').join(' OR '),
    },
    'too many operators',
  ),
  refusedQuery(
    'bounds in the wrong order',
    {
      FilterExpression: 'n BETWEEN :a AND :b',
      ExpressionAttributeValues: { ':p': { S: 'p' }, ':a': { N: '2' }, ':b': { N: '1' } },
    },
    'greater than or equal to lower bound',
  ),
  refusedQuery(
    'an attribute compared with itself',
    {
      FilterExpression: 'n = n',
    },
    'first operand must be distinct',
  ),
  {
    name: 'a consistent read of an index',
    item: {},
    operation: 'Scan',
    input: { IndexName: 'feed', ConsistentRead: true },
    error: [INVALID, 'not supported on global secondary indexes'],
  },
  {
    name: 'a segment without their number',
    item: {},
    operation: 'Scan',
    input: { Segment: 0 },
    error: [INVALID, 'TotalSegments'],
  },
];

export const AWS_CASES: readonly AwsCase[] = [...NUMBERS, ...VALUES, ...UPDATES, ...READS];
