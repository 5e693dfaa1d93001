/** Methods that return a promise: all that a lazily loaded adapter may have. */
type Methods = Record<string, (...args: never[]) => Promise<unknown>>;

/**
 * An adapter whose code `load` imports with the first call: a function loads and starts only what it uses. A
 * failed load is retried with the next call.
 */
export function lazily<T extends { [K in keyof T]: Methods[string] }>(
  load: () => Promise<T>,
  names: readonly (keyof T & string)[],
): T {
  const loaded = loadOnce(load);
  const entries = names.map((name) => [
    name,
    async (...args: never[]) => {
      const adapter = await loaded();
      return adapter[name](...args);
    },
  ]);
  return complete<T>(Object.fromEntries(entries));
}

/** Returns a function that calls `load` with its first call and returns that result from then on. A failed load is retried. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return async () => {
    loading ??= load();
    try {
      return await loading;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
}

/** `names` are all methods of the adapter: each caller lists them next to its type. */
function complete<T>(adapter: object): T {
  return adapter as T;
}
