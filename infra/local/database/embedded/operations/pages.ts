import { type IndexDefinition, keyOf, type StoredItem } from '../storage/definition.ts';
import { sizeOf } from '../values/sizes.ts';
import type { WireItem } from '../values/wire.ts';

/** How a page is read of the entries that come. */
export type Reading = {
  index: IndexDefinition | undefined;
  limit: number;
  /** Only the count is returned. */
  isCounted: boolean;
  /** Attributes of the key that starts the next page. */
  keyNames: readonly string[];
  /** What the table or the index has of an item. */
  entryOf: (item: WireItem) => WireItem;
  hasAll: boolean;
  isWanted: (item: WireItem) => boolean;
  shown: (item: WireItem) => WireItem;
};

const PAGE_BYTES_MAX = 1024 * 1024;
const ROWS_MAX = 1_000_000;

/** Reads entries up to the limit and to 1 MB, before the filter; the last key if there may be more. */
export function pageOf(reading: Reading, entries: (limit: number) => Iterable<StoredItem>) {
  const { limit } = reading;
  const items: WireItem[] = [];
  let [read, bytes, found] = [0, 0, 0];
  let last: WireItem | undefined;
  let isEnd = true;
  // One more than the limit is never read: a page that is full by its last item has a key as well.
  for (const stored of entries(Math.min(limit, ROWS_MAX))) {
    if (bytes > PAGE_BYTES_MAX) {
      isEnd = false;
      break;
    }
    const item = reading.entryOf(stored.item);
    bytes += reading.hasAll ? stored.bytes : sizeOf(item);
    read += 1;
    last = stored.item;
    if (!reading.isWanted(item)) continue;
    found += 1;
    if (!reading.isCounted) items.push(reading.shown(item));
  }
  const hasMore = !isEnd || read >= limit;
  return {
    ...(reading.isCounted ? {} : { Items: items }),
    Count: found,
    ScannedCount: read,
    ...(hasMore && last ? { LastEvaluatedKey: keyOf(last, reading.keyNames) } : {}),
    bytes,
  };
}
