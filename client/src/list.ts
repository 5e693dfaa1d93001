/** One page when awaited; every item of every page with `for await`. Sends its first request then. */
export type List<Page, Item> = Promise<Page> & AsyncIterable<Item>;

/** Builds a list. `items` and `cursorOut` name fields of a page. */
export function listOf(
  load: (cursor: string | undefined) => Promise<unknown>,
  items: string,
  cursorOut: string,
): List<unknown, unknown> {
  let first: Promise<unknown> | undefined;
  const page = () => {
    first ??= load(undefined);
    return first;
  };
  async function* iterate() {
    for (let loading = page(); ; ) {
      const loaded = (await loading) as Record<string, unknown>;
      yield* (loaded[items] ?? []) as unknown[];
      const cursor = loaded[cursorOut];
      if (typeof cursor !== 'string' || cursor === '') return;
      loading = load(cursor);
    }
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: a promise that begins when it is awaited
    then: (...handlers) => page().then(...handlers),
    catch: (handler) => page().catch(handler),
    finally: (handler) => page().finally(handler),
    [Symbol.toStringTag]: 'List',
    [Symbol.asyncIterator]: iterate,
  };
}
