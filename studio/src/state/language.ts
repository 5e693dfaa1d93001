/**
 * Chromium started with LANG=C names the language `en-US@posix`, which Intl rejects, and uPlot formats by it as it loads.
 * Replaces a language that Intl rejects with English. Imported before everything else.
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { configurable: true, value: 'en' });
}
