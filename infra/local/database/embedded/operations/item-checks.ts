import type { KeyAttribute, KeyNames } from '../expressions/key-conditions.ts';
import { invalid, invalidValues } from '../rejected.ts';
import { keyNames, type TableDefinition } from '../storage/definition.ts';
import { columnsOf, type KeyColumns } from '../storage/keys.ts';
import { checkedItem } from '../values/check.ts';
import { sizeOf, sizeOfValue } from '../values/sizes.ts';
import { field, typeOf, type WireItem, type WireValue } from '../values/wire.ts';

const ITEM_BYTES_MAX = 400 * 1024;
const HASH_BYTES_MAX = 2048;
const RANGE_BYTES_MAX = 1024;

export type Keyed = { item: WireItem; key: KeyColumns };

/** The key in a request: only the key's attributes, with their types. */
export function checkedKey({ keys }: TableDefinition, given: unknown): Keyed {
  const item = checkedItem(given ?? {});
  const parts = partsOf(keys);
  const isWhole = Object.keys(item).length === parts.length;
  if (!isWhole || parts.some(({ name, type }) => field(item, name)?.[type] === undefined))
    throw invalid('The provided key element does not match the schema');
  for (const part of parts) checkKeyValue(keys, part, field(item, part.name) ?? {});
  return { item, key: knownColumns(keys, item) };
}

/** An item that is to be stored. */
export function checkedPut(table: TableDefinition, given: unknown): Keyed {
  const item = checkedItem(given ?? {});
  for (const part of partsOf(table.keys)) {
    const value = field(item, part.name);
    if (!value) throw invalidValues(`Missing the key ${part.name} in the item`);
    if (typeOf(value) !== part.type)
      throw invalidValues(
        `Type mismatch for key ${part.name} expected: ${part.type} actual: ${typeOf(value)}`,
      );
    checkKeyValue(table.keys, part, value);
  }
  checkIndexKeys(table, item);
  return { item, key: knownColumns(table.keys, item) };
}

/** Returns the size of a request's item. Rejects one that is too large. */
export function fittingSize(item: WireItem): number {
  const bytes = sizeOf(item);
  if (bytes > ITEM_BYTES_MAX) throw invalid('Item size has exceeded the maximum allowed size');
  return bytes;
}

/** Returns the size of an updated item. Rejects one that is too large, or whose key of an index has another type. */
export function checkUpdated(table: TableDefinition, item: WireItem): number {
  checkIndexKeys(table, item);
  const bytes = sizeOf(item);
  if (bytes > ITEM_BYTES_MAX) throw invalid('Item size to update has exceeded the maximum allowed size');
  return bytes;
}

/** The item's values of a key have been checked. */
function knownColumns(keys: KeyNames, item: WireItem): KeyColumns {
  return columnsOf(keys, item) as KeyColumns;
}

function partsOf({ hash, range }: KeyNames): KeyAttribute[] {
  return range ? [hash, range] : [hash];
}

function checkKeyValue(keys: KeyNames, { name }: KeyAttribute, value: WireValue): void {
  const emptyType = value.S === '' ? 'string' : value.B === '' ? 'binary' : undefined;
  if (emptyType)
    throw invalid(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${emptyType} value. Key: ${name}`,
    );
  const bytes = sizeOfValue(value);
  if (name === keys.hash.name && bytes > HASH_BYTES_MAX)
    throw invalidValues(`Size of hashkey has exceeded the maximum size limit of${HASH_BYTES_MAX} bytes`);
  if (name === keys.range?.name && bytes > RANGE_BYTES_MAX)
    throw invalidValues(
      `Aggregated size of all range keys has exceeded the size limit of ${RANGE_BYTES_MAX} bytes`,
    );
}

function checkIndexKeys({ indexes, keys }: TableDefinition, item: WireItem): void {
  const own = keyNames(keys);
  for (const index of indexes) {
    for (const part of partsOf(index.keys)) {
      const value = field(item, part.name);
      if (!value || own.includes(part.name)) continue;
      checkIndexValue(index.name, part, value);
      checkKeyValue(index.keys, part, value);
    }
  }
}

function checkIndexValue(index: string, { name, type }: KeyAttribute, value: WireValue): void {
  if (typeOf(value) !== type)
    throw invalidValues(
      `Type mismatch for Index Key ${name} Expected: ${type} Actual: ${typeOf(value)} IndexName: ${index}`,
    );
  const emptyType = value.S === '' ? 'string' : value.B === '' ? 'binary' : undefined;
  if (emptyType)
    throw invalid(
      `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty ${emptyType} value. IndexName: ${index}, IndexKey: ${name}`,
    );
}
