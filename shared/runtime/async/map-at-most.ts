/** Maps the items with at most `atOnceMax` of them in progress; results keep the order of the items. */
export async function mapAtMost<T, R>(
  atOnceMax: number,
  items: readonly T[],
  map: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const lane = async () => {
    for (const [index, item] of waiting) results[index] = await map(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(atOnceMax, items.length) }, lane));
  return results;
}
