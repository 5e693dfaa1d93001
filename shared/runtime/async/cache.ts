/** Values kept in memory, at most `max`: a full cache starts again empty. */
export type Cache<V> = {
  /** The value; undefined if there is none or it has expired. */
  find(key: string): V | undefined;
  keep(key: string, value: V): void;
  delete(key: string): void;
};

export type CacheOptions = {
  max: number;
  /** Indefinitely by default. */
  ttlMs?: number;
  /** The process's monotonic clock by default. */
  now?: () => number;
};

export function createCache<V>(options: CacheOptions): Cache<V> {
  const { max, ttlMs = Number.POSITIVE_INFINITY, now = () => performance.now() } = options;
  const entries = new Map<string, { value: V; untilMs: number }>();
  return {
    find(key) {
      const hit = entries.get(key);
      return hit && now() < hit.untilMs ? hit.value : undefined;
    },
    keep(key, value) {
      if (entries.size >= max && !entries.has(key)) entries.clear();
      entries.set(key, { value, untilMs: now() + ttlMs });
    },
    delete: (key) => void entries.delete(key),
  };
}

/** A cache that loads missing values. Concurrent requests share one load, and a failed one is not cached. */
export type LoadingCache<V> = {
  get(key: string, load: () => Promise<V>): Promise<V>;
  delete(key: string): void;
};

export function createLoadingCache<V>(options: CacheOptions): LoadingCache<V> {
  const cache = createCache<Promise<V>>(options);
  return {
    get(key, load) {
      const hit = cache.find(key);
      if (hit) return hit;
      const loading = load();
      cache.keep(key, loading);
      loading.catch(() => {
        if (cache.find(key) === loading) cache.delete(key);
      });
      return loading;
    },
    delete: cache.delete,
  };
}

/**
 * Returns the kept value while it is usable, then loads a new value. Loads once at a time per key; other callers wait for that
 * load.
 */
export type Renewing<V> = (
  key: string,
  isUsable: (value: V) => boolean,
  load: () => Promise<V>,
) => Promise<V>;

/** `isKept` is false for a result that only the waiting callers may get, such as a failure. */
export function createRenewing<V>({
  max,
  isKept = () => true,
}: {
  max: number;
  isKept?: (value: V) => boolean;
}): Renewing<V> {
  const cache = createCache<Promise<V>>({ max });
  const drop = (key: string, loaded: Promise<V>) => {
    if (cache.find(key) === loaded) cache.delete(key);
  };
  return async (key, isUsable, load) => {
    for (;;) {
      const held = cache.find(key);
      const value = held && (await held);
      if (value !== undefined && isUsable(value)) return value;
      // The first waiting caller renews; the others wait for it.
      if (cache.find(key) !== held) continue;
      const loading = load();
      cache.keep(key, loading);
      loading.then(
        (loaded) => isKept(loaded) || drop(key, loading),
        () => drop(key, loading),
      );
      return await loading;
    }
  };
}
