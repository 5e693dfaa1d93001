import { createCache } from '../../runtime/async/cache.ts';

const FORMATTERS_MAX = 100;

type Formatter = Intl.NumberFormat | Intl.DateTimeFormat | Intl.PluralRules;

// A formatter costs a hundred times one format call.
const formatters = createCache<Formatter>({ max: FORMATTERS_MAX });

function held<F extends Formatter>(name: string, build: () => F): F {
  const known = formatters.find(name);
  // A name begins with the kind of its formatter.
  if (known) return known as F;
  const built = build();
  formatters.keep(name, built);
  return built;
}

/** A number formatter, held for the next use. Throws RangeError for options that do not exist. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const name = `number ${locale} ${JSON.stringify(options)}`;
  return held(name, () => new Intl.NumberFormat(locale, options));
}

/** A date formatter, held for the next use. Throws RangeError for options that do not exist. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions = {}): Intl.DateTimeFormat {
  const name = `date ${locale} ${JSON.stringify(options)}`;
  return held(name, () => new Intl.DateTimeFormat(locale, options));
}

export function pluralRules(locale: string, options: Intl.PluralRulesOptions = {}): Intl.PluralRules {
  const name = `plural ${locale} ${JSON.stringify(options)}`;
  return held(name, () => new Intl.PluralRules(locale, options));
}
