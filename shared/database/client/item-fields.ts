type Convert = (value: never) => unknown;

/** Fields that contain an item, in requests and in responses. */
const ITEMS: ReadonlySet<string> = new Set([
  'Item',
  'Key',
  'Attributes',
  'ExclusiveStartKey',
  'LastEvaluatedKey',
  'ExpressionAttributeValues',
]);
/** Fields that contain a list of items; the fields of `Responses` have the table's name. */
const LISTS: ReadonlySet<string> = new Set(['Items', 'Keys']);

/** Converts the items in a request or a response of DynamoDB's API, wherever they are. */
export function withItems(value: unknown, convert: Convert): unknown {
  if (Array.isArray(value)) return value.map((each) => withItems(each, convert));
  if (typeof value !== 'object' || value === null) return value;
  const fields: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value))
    if (each !== undefined) fields[name] = withItemsOf(name, each, convert);
  return fields;
}

function withItemsOf(name: string, value: unknown, convert: Convert): unknown {
  if (name === 'ExpressionAttributeNames') return value;
  if (ITEMS.has(name)) return convert(value as never);
  if (LISTS.has(name)) return (value as never[]).map(convert);
  if (name !== 'Responses') return withItems(value, convert);
  if (Array.isArray(value)) return withItems(value, convert);
  const lists = Object.entries(value as Record<string, never[]>);
  return Object.fromEntries(lists.map(([table, items]) => [table, items.map(convert)]));
}
