import { defined } from '../../shared/runtime/values/defined.ts';
import type { InvokeFunction } from './deployment.ts';

/** Adds counts by name to a total. */
export function addCounts(total: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
}

/** Parts of a range that are read side by side: a day of two million takes less than an hour. */
const LANES = 4;

/** Invokes a function page by page; `onPage` returns where the next page starts. */
export async function inPages(
  invoke: InvokeFunction,
  name: string,
  event: object,
  onPage: (page: unknown) => unknown,
): Promise<void> {
  let start: unknown;
  do start = onPage(await invoke(name, { ...event, ...defined({ start }) }));
  while (start !== undefined);
}

/** Invokes a function for the parts of a range of time, each page by page. */
export async function inParts(
  invoke: InvokeFunction,
  name: string,
  { from, to, ...event }: { from: string; to: string } & Record<string, unknown>,
  onPage: (page: unknown) => unknown,
): Promise<void> {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const at = (part: number) => new Date(Math.round(fromMs + ((toMs - fromMs) * part) / LANES)).toISOString();
  await Promise.all(
    Array.from({ length: LANES }, (_, part) =>
      inPages(invoke, name, { ...event, from: at(part), to: at(part + 1) }, onPage),
    ),
  );
}
