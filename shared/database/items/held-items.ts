import { dependency, resolve } from '../../runtime/dependency.ts';
import type { Key } from '../keys/key.ts';
import type { Item } from '../table.ts';

/** A cached item is less than this old; the process's own writes evict it immediately. */
export const HELD_MS_MAX = 3000;
const ITEMS_MAX = 2000;

type Held = { item: Item | undefined; readAtMs: number };

/** Items cached by this process. `reads` are in progress and began after the item's last write: only they may cache their result. */
const cache = dependency('heldItems', () => ({
  held: new Map<string, Held>(),
  reads: new Map<string, { open: number }>(),
}));

const nameOf = ({ pk, sk }: Key) => `${pk}\n${sk}`;

/** The cached item of `key`, with no item if there was none; undefined if it is not cached. */
export function findHeld(key: Key, nowMs: number): Held | undefined {
  const found = resolve(cache).held.get(nameOf(key));
  return found && Math.abs(nowMs - found.readAtMs) < HELD_MS_MAX ? found : undefined;
}

/** Begins a read of `keys`: the returned function caches the results, in order, as of `nowMs`. */
export function beginHolding(
  keys: readonly Key[],
  nowMs: number,
): (items: readonly (Item | undefined)[]) => void {
  const { held, reads } = resolve(cache);
  // Failed reads leave their entries.
  if (reads.size > ITEMS_MAX) reads.clear();
  const begun = keys.map((key) => {
    const name = nameOf(key);
    const current = reads.get(name) ?? { open: 0 };
    current.open += 1;
    reads.set(name, current);
    return { key, name, current };
  });
  return (items) => {
    if (held.size + begun.length > ITEMS_MAX) held.clear();
    for (const [index, { key, name, current }] of begun.entries()) {
      if (reads.get(name) !== current) continue;
      current.open -= 1;
      if (current.open === 0) reads.delete(name);
      // The most recent of concurrent reads is the read that began last.
      const isLater = (findHeld(key, nowMs)?.readAtMs ?? nowMs) <= nowMs;
      if (isLater) held.set(name, { item: items[index], readAtMs: nowMs });
    }
  };
}

/** Reads items that can be as old as cached items, each once, even if several messages of a batch need it at the same time. */
export function recentReads(
  read: (key: Key) => Promise<Item | undefined>,
  now: () => number,
): (key: Key) => Promise<Item | undefined> {
  const reading = new Map<string, Promise<Item | undefined>>();
  return async (key) => {
    const known = findHeld(key, now());
    if (known) return known.item;
    const name = nameOf(key);
    const begun = reading.get(name);
    if (begun) return begun;
    const hold = beginHolding([key], now());
    const begins = read(key)
      .then((item) => {
        hold([item]);
        return item;
      })
      .finally(() => reading.delete(name));
    reading.set(name, begins);
    return begins;
  };
}

/** Evicts the item of `key`, which was just written, including the results of reads in progress. */
export function evictHeld(key: Key): void {
  const { held, reads } = resolve(cache);
  const name = nameOf(key);
  held.delete(name);
  reads.delete(name);
}
