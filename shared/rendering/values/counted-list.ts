const TOTALS = new WeakMap<object, number>();

/** A list of some entries, with the number of all entries as its size in templates. */
export function countedList<T>(entries: readonly T[], total: number): readonly T[] {
  const list = [...entries];
  TOTALS.set(list, total);
  return list;
}

/** The size of a list in templates. */
export const sizeOfList = (list: readonly unknown[]): number => TOTALS.get(list) ?? list.length;
