import type { Usage } from './instance.ts';

/** A table of what each function took: cold start, longest invocation, memory, with the slowest first. */
export function figuresOf(usage: ReadonlyMap<string, Usage>): string {
  const rows = [...usage].map(([name, { coldStartsMs, durationsMs, memoryMb, memoryMaxMb }]) => ({
    name: name.replace(/^[a-z0-9]+-[a-z0-9]+-/, ''),
    coldMs: medianOf(coldStartsMs),
    warmMs: medianOf(durationsMs),
    calls: durationsMs.length,
    memory: `${memoryMb.toFixed(0)} of ${memoryMaxMb} MB`,
  }));
  const lines = rows
    .sort((left, right) => right.coldMs - left.coldMs)
    .map(({ name, coldMs, warmMs, calls, memory }) =>
      [
        name.padEnd(32),
        coldMs.toFixed(0).padStart(7),
        warmMs.toFixed(0).padStart(9),
        String(calls).padStart(6),
        memory.padStart(16),
      ].join(' '),
    );
  const total = `${rows.length} functions, median cold start ${medianOf(rows.map(({ coldMs }) => coldMs)).toFixed(0)} ms`;
  return [`function                         start ms  call ms  calls           memory`, ...lines, total].join(
    '\n',
  );
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
