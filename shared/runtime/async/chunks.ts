/** Splits a list into chunks of at most `size` entries, in order. */
export function chunksOf<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}

/** Runs `task` for every entry, `size` at a time; each chunk waits for the previous chunk. Returns the results in order. */
export async function inChunks<T, R>(
  list: readonly T[],
  size: number,
  task: (entry: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (const chunk of chunksOf(list, size)) results.push(...(await Promise.all(chunk.map(task))));
  return results;
}
