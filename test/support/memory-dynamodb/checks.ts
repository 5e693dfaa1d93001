import { TABLE } from '../../../shared/database/table.ts';
import type { TableKey } from './store.ts';
import { invalid, Rejected, sizeOf, textOf, type WireItem } from './values.ts';

const ITEM_BYTES_MAX = 400 * 1024;
const PARTITION_KEY_BYTES_MAX = 2048;
const SORT_KEY_BYTES_MAX = 1024;

/** The key in a request: only the key's attributes, with their types. */
export function keyOfRequest(key: WireItem | undefined): TableKey {
  const names = Object.keys(key ?? {});
  if (names.length !== 2) throw invalid('The provided key element does not match the schema');
  return keyOfItem(key);
}

/** The key of an item that is to be stored. */
export function keyOfItem(item: WireItem | undefined): TableKey {
  return {
    pk: keyText(item, TABLE.partitionKey, PARTITION_KEY_BYTES_MAX),
    sk: keyText(item, TABLE.sortKey, SORT_KEY_BYTES_MAX),
  };
}

function keyText(item: WireItem | undefined, name: string, bytesMax: number): string {
  const text = textOf(item?.[name]);
  if (text === undefined)
    throw invalid(
      item?.[name]
        ? `One or more parameter values were invalid: Type mismatch for key ${name}`
        : `One of the required keys was not given a value: ${name}`,
    );
  if (text === '')
    throw invalid(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
    );
  if (Buffer.byteLength(text) > bytesMax)
    throw invalid(
      `One or more parameter values were invalid: Size of ${name} has exceeded the maximum size limit of ${bytesMax} bytes`,
    );
  return text;
}

/** Rejects an item that is too large, or whose keys of an index have another type. */
export function checkItem(item: WireItem): void {
  if (sizeOf(item) > ITEM_BYTES_MAX) throw invalid('Item size has exceeded the maximum allowed size');
  for (const { partitionKey, sortKey } of Object.values(TABLE.indexes)) {
    for (const name of [partitionKey, sortKey]) {
      const value = item[name];
      if (value && !value.S)
        throw invalid(`One or more parameter values were invalid: Type mismatch for Index Key ${name}`);
    }
  }
}

/** Rejects a request for another table anywhere in it. */
export function checkTables(tableName: string, input: object): void {
  const { TableName, RequestItems, TransactItems } = input as {
    TableName?: string;
    RequestItems?: object;
    TransactItems?: Record<string, { TableName: string }>[];
  };
  const named = [
    ...(TableName === undefined ? [] : [TableName]),
    ...Object.keys(RequestItems ?? {}),
    ...(TransactItems ?? []).flatMap((action) => Object.values(action).map((each) => each.TableName)),
  ];
  if (named.some((name) => name !== tableName))
    throw new Rejected('ResourceNotFoundException', 'Cannot do operations on a non-existent table');
}
