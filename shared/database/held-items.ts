import type { Key } from './keys.ts';
import type { Item } from './table.ts';

/** A cached item is less than this old; the process's own writes evict it immediately. */
export const HELD_MS_MAX = 3000;
const ITEMS_MAX = 2000;

type Held = { item: Item | undefined; readAtMs: number };

const held = new Map<string, Held>();
/** Which read may cache its result: the last that began, unless the item was written since. */
const reads = new Map<string, symbol>();

const nameOf = ({ pk, sk }: Key) => `${pk}\n${sk}`;

/** The cached item of `key`, with no item if there was none; undefined if it is not cached. */
export function findHeld(key: Key, nowMs: number): Held | undefined {
  const found = held.get(nameOf(key));
  return found && Math.abs(nowMs - found.readAtMs) < HELD_MS_MAX ? found : undefined;
}

/** Begins a read of `keys`: the returned function caches the results, in order, as of `nowMs`. */
export function beginHolding(
  keys: readonly Key[],
  nowMs: number,
): (items: readonly (Item | undefined)[]) => void {
  const names = keys.map(nameOf);
  const mine = Symbol();
  for (const name of names) reads.set(name, mine);
  return (items) => {
    if (held.size + names.length > ITEMS_MAX) held.clear();
    for (const [index, name] of names.entries()) {
      if (reads.get(name) !== mine) continue;
      reads.delete(name);
      held.set(name, { item: items[index], readAtMs: nowMs });
    }
  };
}

/** Evicts the item of `key`, which was just written, including the results of reads in progress. */
export function forgetHeld(key: Key): void {
  const name = nameOf(key);
  held.delete(name);
  reads.delete(name);
}
