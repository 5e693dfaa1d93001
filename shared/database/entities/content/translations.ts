import * as v from 'valibot';
import { lookUpLocale } from '../../../domain/users/locales.ts';
import { ANY_LANGUAGE, type Catalog } from '../../../rendering/language/language.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import type { TransactAction } from '../../client/transactions.ts';
import { type Database, database } from '../../database.ts';
import { assertExpected, isSameState, noteState, stampOf } from '../../items/edition.ts';
import { AGAIN, atRevision, untilSettled } from '../../items/settle.ts';
import { readStored } from '../../items/stored.ts';
import { translationKey, translationListKey } from '../../keys/environment.ts';
import type { Item } from '../../table.ts';
import { packContent, unpackContent } from './packed-content.ts';
import { createVersionCache } from './version-cache.ts';

/** Most languages an environment may have translations in. */
export const LANGUAGES_MAX = 100;
const CACHE_BYTES_MAX = 8 * 1024 * 1024;

const ListedLanguage = v.object({
  locale: v.string(),
  /** The list's revision at the last change: content is held in memory under it. */
  version: v.number(),
  keyCount: v.number(),
  updatedAtMs: v.number(),
  createdAtMs: v.optional(v.number()),
  updatedBy: v.optional(v.string()),
});
/** A language with translations, as the environment lists it. */
export type ListedLanguage = v.InferOutput<typeof ListedLanguage>;

const StoredList = v.object({ languages: v.array(ListedLanguage), revision: v.number() });
const StoredTranslations = v.object({ packed: v.instance(Uint8Array) });
const Messages = v.record(v.string(), v.string());
type Messages = v.InferOutput<typeof Messages>;

/** Outcome of saving. `full`: there are too many languages. `none`: the change needs translations that exist. */
type TranslationsOutcome =
  | { kind: 'saved'; language: ListedLanguage }
  | { kind: 'too-large' }
  | { kind: 'full' }
  | { kind: 'none' };

/** The keys that a content names, and whether it computes others. */
type WantedKeys = { keys: ReadonlySet<string>; otherKeys: boolean };

export type Translations = {
  /** Languages by their tag. */
  list(environmentId: string): Promise<ListedLanguage[]>;
  find(environmentId: string, locale: string): Promise<Messages | undefined>;
  /** Stores the language's translations as `edit` returns them; undefined leaves a language without any as it is. */
  save(
    environmentId: string,
    locale: string,
    edit: (before: Messages | undefined) => Messages | undefined,
    nowMs: number,
  ): Promise<TranslationsOutcome>;
  /** False if there are none in this language. */
  delete(environmentId: string, locale: string): Promise<boolean>;
  /**
   * The translations for a reader, in order of preference: the languages of each locale (`de-AT`, then `de`), then
   * English, then the other languages while they lack any of the keys, or all if there are `otherKeys`. One GetItem for
   * the list, one for each language that is not cached at its version.
   */
  load(environmentId: string, locales: readonly string[], wanted: WantedKeys): Promise<Catalog[]>;
};

function createTranslations(table: Database): Translations {
  const cache = createVersionCache(CACHE_BYTES_MAX);

  async function readList(environmentId: string) {
    const item = await table.get(translationListKey(environmentId), { consistent: true });
    return item && readStored('list of translations', StoredList, item);
  }

  async function read(environmentId: string, locale: string) {
    const item = await table.get(translationKey(environmentId, locale), { consistent: true });
    if (!item) return undefined;
    const { packed } = readStored('translations', StoredTranslations, item);
    const { content, sizeBytes } = unpackContent(packed);
    return { messages: v.parse(Messages, content), sizeBytes };
  }

  /** A concurrent deletion leaves a language without content: it has no messages. */
  async function readCached(environmentId: string, { locale, version }: ListedLanguage): Promise<Messages> {
    const name = `${environmentId}\n${locale}`;
    const held = cache.find<Messages>(name, version);
    if (held) return held;
    const found = await read(environmentId, locale);
    if (found) cache.keep(name, version, found.messages, found.sizeBytes);
    return found?.messages ?? {};
  }

  /** Writes the list after `edit`, with the content that belongs to it, unless the list has changed. */
  async function change<T>(
    environmentId: string,
    edit: (
      languages: readonly ListedLanguage[],
      version: number,
    ) => Promise<{ done: T; languages?: ListedLanguage[]; content?: TransactAction }>,
  ): Promise<T> {
    return untilSettled(async () => {
      const stored = await readList(environmentId);
      const revision = (stored?.revision ?? 0) + 1;
      const { done, languages, content } = await edit(stored?.languages ?? [], revision);
      if (!languages || !content) return done;
      const put: Item = { ...translationListKey(environmentId), languages, revision };
      const condition = stored ? atRevision(stored.revision) : { condition: 'attribute_not_exists(pk)' };
      const outcome = await table.transact([{ put, ...condition }, content]);
      return outcome.written ? done : AGAIN;
    });
  }

  return {
    list: async (environmentId) => (await readList(environmentId))?.languages ?? [],
    find: async (environmentId, locale) => {
      const messages = (await read(environmentId, locale))?.messages;
      if (messages) noteState('translations', messages);
      return messages;
    },
    save: (environmentId, locale, edit, nowMs) =>
      change<TranslationsOutcome>(environmentId, async (languages, version) => {
        const stored = languages.find((each) => each.locale === locale);
        const before = stored && (await read(environmentId, locale))?.messages;
        const messages = edit(before);
        if (!messages) return { done: { kind: 'none' } };
        const isSame = before && isSameState(before, messages);
        if (!isSame) assertExpected('translations', before);
        noteState('translations', messages);
        if (isSame) return { done: { kind: 'saved', language: stored } };
        const packed = packContent(messages);
        if (!packed) return { done: { kind: 'too-large' } };
        const dates = { createdAtMs: stored ? stored.createdAtMs : nowMs, ...stampOf('translations') };
        const keyCount = Object.keys(messages).length;
        const language = { ...dates, locale, version, keyCount, updatedAtMs: nowMs };
        const others = languages.filter((each) => each.locale !== locale);
        if (others.length >= LANGUAGES_MAX) return { done: { kind: 'full' } };
        const next = [...others, language].sort((left, right) => (left.locale < right.locale ? -1 : 1));
        const content = { put: { ...translationKey(environmentId, locale), packed } };
        return { done: { kind: 'saved', language }, languages: next, content };
      }),
    delete: (environmentId, locale) =>
      change(environmentId, async (languages) => {
        const rest = languages.filter((each) => each.locale !== locale);
        if (rest.length === languages.length) return { done: false };
        assertExpected('translations', (await read(environmentId, locale))?.messages);
        return { done: true, languages: rest, content: { delete: translationKey(environmentId, locale) } };
      }),
    async load(environmentId, locales, { keys, otherKeys }) {
      const languages = await this.list(environmentId);
      const [reader = ANY_LANGUAGE.locale] = locales;
      const own = languagesFor(reader, languages);
      const read = async (language: ListedLanguage): Promise<Catalog> => ({
        locale: language.locale,
        messages: await readCached(environmentId, language),
        isFallback: !own.includes(language),
      });
      const preferred = [...locales, ANY_LANGUAGE.locale].reduce<ListedLanguage[]>(
        (found, locale) => languagesFor(locale, languages, found),
        [],
      );
      const catalogs = await Promise.all(preferred.map(read));
      const isWanted = (key: string) => !catalogs.some(({ messages }) => Object.hasOwn(messages, key));
      for (const language of languages) {
        if (preferred.includes(language)) continue;
        if (otherKeys || [...keys].some(isWanted)) catalogs.push(await read(language));
      }
      return catalogs;
    },
  };
}

/** The languages of a tag, most specific first. */
function languagesFor(
  locale: string | undefined,
  languages: readonly ListedLanguage[],
  found: readonly ListedLanguage[] = [],
): ListedLanguage[] {
  const rest = languages.filter((each) => !found.includes(each));
  const best = lookUpLocale(
    [locale],
    rest.map((each) => each.locale),
  );
  const next = rest.find((each) => each.locale === best);
  return next ? languagesFor(locale, languages, [...found, next]) : [...found];
}

export const translations = dependency('translations', () => createTranslations(resolve(database)));
