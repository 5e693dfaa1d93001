import { expect, it } from 'vitest';

/** A module of the components, whose types need a browser. */
const source = (name: string) => import(`../../client/src/inbox/${name}.ts`);
const placeholders = (text: string | undefined) => text?.match(/\{\w+\}/g) ?? [];

it.each(['ar', 'de', 'es', 'fr', 'it', 'ja', 'pt'])(
  'the texts of %s are complete, with the same values',
  async (language) => {
    const { texts } = await import(`../../client/src/inbox/locales/${language}.ts`);
    const { INBOX_TEXTS } = await source('inbox-parts');
    const { PREFERENCE_TEXTS } = await source('preferences-parts');
    for (const part of ['inbox', 'preferences'] as const) {
      const english: Record<string, string> = part === 'inbox' ? INBOX_TEXTS : PREFERENCE_TEXTS;
      expect(Object.keys(texts[part]).sort()).toEqual(Object.keys(english).sort());
      for (const [name, text] of Object.entries<string>(texts[part])) {
        expect(text.trim()).toBe(text);
        expect([name, placeholders(text)]).toEqual([name, placeholders(english[name])]);
      }
    }
  },
);
