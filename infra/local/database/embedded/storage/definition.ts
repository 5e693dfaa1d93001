import type { KeyNames } from '../expressions/key-conditions.ts';
import { field, type WireItem } from '../values/wire.ts';

type Projection = { type: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'; names: readonly string[] };
export type IndexDefinition = {
  name: string;
  kind: 'global' | 'local';
  keys: KeyNames;
  projection: Projection;
};

export type TableDefinition = {
  name: string;
  /** Part of the names of its SQL tables. */
  id: number;
  createdAtMs: number;
  keys: KeyNames;
  indexes: readonly IndexDefinition[];
  streamView: StreamView | undefined;
  isProtected: boolean;
  /** Parameters that DescribeTable returns as they were given. */
  given: Record<string, unknown>;
};
export type StreamView = 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES';

export function keyNames({ hash, range }: KeyNames): string[] {
  return range ? [hash.name, range.name] : [hash.name];
}

export function keyOf(item: WireItem, names: readonly string[]): WireItem {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = field(item, name);
      return value ? [[name, value]] : [];
    }),
  );
}

/** Names of the attributes that an index has, undefined for all. */
export function projectedNames(
  table: TableDefinition,
  index: IndexDefinition,
): ReadonlySet<string> | undefined {
  const { type, names } = index.projection;
  if (type === 'ALL') return undefined;
  return new Set([...keyNames(table.keys), ...keyNames(index.keys), ...(type === 'INCLUDE' ? names : [])]);
}

/** An item with its size in bytes. */
export type StoredItem = { item: WireItem; bytes: number };
