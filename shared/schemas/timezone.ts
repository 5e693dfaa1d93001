const NAME = /^[a-z][a-z0-9_+\-/]{0,63}$/i;

// A formatter costs a hundred times one format call; known names, folded, bound the size of the map.
const formatters = new Map<string, Intl.DateTimeFormat>();

/** True if `name` is an IANA zone or alias that this runtime supports, in any case; offsets such as `+01:00` are not. */
export function isTimezone(name: string): boolean {
  if (formatters.has(name.toLowerCase())) return true;
  if (!NAME.test(name)) return false;
  try {
    formatterOf(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

export function formatterOf(zone: string): Intl.DateTimeFormat {
  const folded = zone.toLowerCase();
  const known = formatters.get(folded);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (NAME.test(zone)) formatters.set(folded, formatter);
  return formatter;
}
