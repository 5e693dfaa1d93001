type Methods = Record<string, (...args: never[]) => Promise<unknown>>;

/**
 * An adapter whose code `load` imports with the first call: a function loads and starts only what it uses. A
 * failed load is retried with the next call. `methods` names every method of the port.
 */
export function lazily<T extends { [K in keyof T]: Methods[string] }>(
  load: () => Promise<T>,
  methods: { [K in keyof T]-?: true },
): T {
  const loaded = loadOnce(load);
  const adapter: Partial<T> = {};
  for (const name in methods) {
    adapter[name] = forwarding(async (...args) => (await loaded())[name](...args));
  }
  return complete(adapter);
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

/** The call goes to the method of the same name. */
function forwarding<M>(call: (...args: never[]) => Promise<unknown>): M {
  return call as M;
}

/** The compiler requires every method in `methods`. */
function complete<T>(adapter: Partial<T>): T {
  return adapter as T;
}
