import {
  createProviderCalls,
  type ProviderCalls,
} from '../../../shared/database/entities/sending/provider-calls.ts';

export type MemoryTable = Map<string, Record<string, unknown>>;

/** The access patterns on a table in memory that enforces their conditions. */
export function callsInMemory(table: MemoryTable): ProviderCalls {
  const keyOf = ({ pk, sk }: Record<string, unknown>) => `${pk} ${sk}`;
  return createProviderCalls({
    get: async (key: Record<string, unknown>) => table.get(keyOf(key)),
    put: async (item: Record<string, unknown>) => {
      table.set(keyOf(item), item);
      return { written: true };
    },
    update: async (
      key: Record<string, unknown>,
      _: string,
      { values }: { values: Record<string, number> },
    ) => {
      const found = table.get(keyOf(key));
      if (values[':expiry'] !== undefined) {
        const named = { channel: values[':channel'], provider: values[':provider'] };
        const failed = { ...named, reason: values[':reason'], failedAtMs: values[':now'] };
        const item = { ...key, untilMs: 0, ...found, ...failed };
        table.set(keyOf(key), item);
        return { written: true, item };
      }
      const item = found;
      const untilMs = Number(item?.untilMs);
      const isProbe = values[':now'] !== undefined;
      if (!item || (isProbe && (untilMs === 0 || untilMs > Number(values[':now']))))
        return { written: false };
      table.set(keyOf(item), { ...item, untilMs: values[':until'] ?? values[':closed'] });
      return { written: true };
    },
  } as never);
}
