import { type Locale, loadLocale, type OwnTexts } from './lazy.ts';

export type TextValues = Readonly<Record<string, string | number>>;

export type Host = HTMLElement & { texts: OwnTexts };

/** The languages that have a module in `locales`; English is built in. */
const LANGUAGES = ['ar', 'de', 'es', 'fr', 'it', 'ja', 'pt'];

/** The language of the element's surroundings. */
function languageOf(host: HTMLElement): string {
  const language = host.closest('[lang]')?.getAttribute('lang') || navigator.language;
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/**
 * The texts of an element: an attribute `text-<name>`, then its property `texts`, then its language, then English. `onChange` is
 * called when texts of another language are loaded, or another `lang` has none.
 */
export function createTexts(host: Host, part: keyof Locale, english: OwnTexts, onChange: () => void) {
  let language = '';
  let translated: OwnTexts = {};
  const observer = globalThis.MutationObserver && new MutationObserver(() => read());

  async function read(): Promise<void> {
    const next = languageOf(host);
    if (next === language) return;
    language = next;
    const [short = ''] = next.split('-');
    const locale = LANGUAGES.includes(short) && (await loadLocale(short).catch(() => undefined));
    if (language !== next) return;
    translated = locale ? locale.texts[part] : {};
    onChange();
  }

  return {
    language: () => language,
    /** Follows the nearest `lang` until `stop`. Resolves when its texts are there. */
    start(): Promise<void> {
      observer.observe(document, { subtree: true, attributeFilter: ['lang'] });
      return read();
    },
    stop: () => observer.disconnect(),
    /** A text, with `{name}` replaced. */
    text(name: string, values: TextValues = {}): string {
      const text = host.getAttribute(`text-${name}`) ?? host.texts[name] ?? translated[name] ?? english[name];
      return (text ?? '').replace(/\{(\w+)\}/g, (all, key: string) => String(values[key] ?? all));
    },
  };
}
