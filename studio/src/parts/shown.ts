/** A message in parts, from any source: the outbox, a log's preview, a dry run. */
export type Shown = Record<string, unknown>;

export const text = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
/** A list in a message; empty if there is none. */
export const list = (value: unknown): Shown[] => (Array.isArray(value) ? value : []);

/** `1 item`, `2 items`. */
export const countText = (count: number, what: string, many = `${what}s`) =>
  `${count} ${count === 1 ? what : many}`;

/** A time as the field of this machine has it: `2026-11-25T14:00`. */
export function localTime(time: string | undefined): string {
  if (!time) return '';
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
