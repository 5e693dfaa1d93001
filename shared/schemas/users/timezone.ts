const NAME = /^[a-z][a-z0-9_+\-/]{0,63}$/i;

// A formatter costs a hundred times one format call; known names, folded, bound the size of the map.
const formatters = new Map<string, Intl.DateTimeFormat>();

/** The names of the tz database without a slash. The runtime knows others: `BST` is Dhaka to it, `AST` Alaska. */
const SINGLE_NAMES: ReadonlySet<string> = new Set(
  (
    'cet cst6cdt cuba eet egypt eire est est5edt factory gb gb-eire gmt gmt+0 gmt-0 gmt0 greenwich hongkong hst iceland iran ' +
    'israel jamaica japan kwajalein libya met mst mst7mdt navajo nz nz-chat poland portugal prc pst8pdt roc rok singapore ' +
    'turkey uct universal utc w-su wet zulu'
  ).split(' '),
);

function isNameOfDatabase(folded: string): boolean {
  return folded.includes('/') ? !folded.startsWith('systemv/') : SINGLE_NAMES.has(folded);
}

/** Browsers report this zone when they know none. */
export function isUnknownZone(name: string): boolean {
  return name.toLowerCase() === 'etc/unknown';
}

/** True if `name` is a zone or alias of the tz database that this runtime supports, in any case; offsets such as `+01:00` are not. */
export function isTimezone(name: string): boolean {
  if (!NAME.test(name) || !isNameOfDatabase(name.toLowerCase())) return false;
  if (formatters.has(name.toLowerCase())) return true;
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
