/** One page when awaited; every item of every page with `for await`. */
export type List<Page, Item> = Promise<Page> & AsyncIterable<Item>;

/** Builds a list and requests its first page. `items` and `cursorOut` name fields of a page. */
export function listOf(
  load: (cursor: string | undefined) => Promise<unknown>,
  items: string,
  cursorOut: string,
): List<unknown, unknown> {
  const first = load(undefined);
  async function* iterate() {
    let page = pageOf(await first);
    for (;;) {
      yield* (page[items] ?? []) as unknown[];
      const cursor = page[cursorOut];
      if (typeof cursor !== 'string' || cursor === '') return;
      page = pageOf(await load(cursor));
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: iterate });
}

function pageOf(value: unknown): Record<string, unknown> {
  return value as Record<string, unknown>;
}
