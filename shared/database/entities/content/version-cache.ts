/**
 * Values in memory by name, each at the newest version seen. A cache of at most `bytesMax`. Removes the least recently
 * used values first, and keeps no larger value.
 */
export function createVersionCache(bytesMax: number) {
  const held = new Map<string, { version: number; value: unknown; sizeBytes: number }>();
  let heldBytes = 0;

  function drop(name: string): void {
    heldBytes -= held.get(name)?.sizeBytes ?? 0;
    held.delete(name);
  }

  return {
    /**
     * The value cached under `name` if its version is at least `versionMin`. A name always has the same kind of
     * value.
     */
    find<T>(name: string, versionMin: number): T | undefined {
      const entry = held.get(name);
      if (!entry || entry.version < versionMin) return undefined;
      held.delete(name);
      held.set(name, entry);
      return entry.value as T;
    },
    keep(name: string, version: number, value: unknown, sizeBytes: number): void {
      if ((held.get(name)?.version ?? 0) > version) return;
      drop(name);
      if (sizeBytes > bytesMax) return;
      held.set(name, { version, value, sizeBytes });
      heldBytes += sizeBytes;
      for (const oldest of held.keys()) {
        if (heldBytes <= bytesMax) return;
        drop(oldest);
      }
    },
  };
}
