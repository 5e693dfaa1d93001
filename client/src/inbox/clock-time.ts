/**
 * A time of day in the format of a time field; also parses other forms, such as `10 pm`. Empty if there is
 * none.
 */
export function clockTime(text = ''): string {
  const [, hours, minutes = ':00', half] = /^(\d\d?)(:\d\d)?\s*([ap])?/i.exec(text) ?? [];
  if (!hours) return '';
  const hour = half ? (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0) : hours;
  return String(hour).padStart(2, '0') + minutes;
}
