const HOUR = /^(\d{1,2})(?::([0-5]\d))?(?:\s*([ap])(?:m|\.m\.))?$/i;

/** Parses a time of day such as `8`, `08`, `08:00`, `8:30 am` or `8 pm` into minutes since midnight. */
export function parseHour(hour: unknown): number | undefined {
  if (typeof hour !== 'string' && typeof hour !== 'number') return undefined;
  const fields = HOUR.exec(String(hour).trim());
  if (!fields) return undefined;
  const [, hours, minutes = '0', half] = fields;
  const value = Number(hours);
  if (half === undefined) return value < 24 ? value * 60 + Number(minutes) : undefined;
  if (value < 1 || value > 12) return undefined;
  return ((value % 12) + (half.toLowerCase() === 'p' ? 12 : 0)) * 60 + Number(minutes);
}

/** Parses the end of a window: as `parseHour`, or `24:00`, the end of the day. */
export function parseEnd(hour: unknown): number | undefined {
  return hour === '24:00' ? DAY_MINUTES : parseHour(hour);
}

const DAY_MINUTES = 24 * 60;

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Parses a weekday, 0 to 6 (0 = Sunday) or in English, in full or by its first three letters, into its number. */
export function parseDay(day: unknown): number | undefined {
  if (typeof day !== 'string' && typeof day !== 'number') return undefined;
  const text = String(day).trim().toLowerCase();
  if (/^[0-6]$/.test(text)) return Number(text);
  const index = WEEKDAYS.findIndex((name) => name === text || name.slice(0, 3) === text);
  return index < 0 ? undefined : index;
}
