import * as v from 'valibot';
import { DATES } from '../fields/dates.ts';
import { hasUnfitCharacter, textUpTo } from '../fields/text.ts';

/** Most keys of one language, and most characters of a key and of a message. */
export const KEYS_MAX = 10_000;
const KEY_LENGTH_MAX = 256;
export const MESSAGE_LENGTH_MAX = 10_000;

const Key = v.pipe(
  v.string(),
  v.check(
    (key) => key.length > 0 && key.length <= KEY_LENGTH_MAX && key.trim() === key && !hasUnfitCharacter(key),
    `must be a key of 1 to ${KEY_LENGTH_MAX} characters without control characters, direction marks or surrounding spaces`,
  ),
);
const Message = textUpTo(MESSAGE_LENGTH_MAX);
const ofKeysMax = <T extends object>() =>
  v.check<T, string>(
    (messages) => Object.keys(messages).length <= KEYS_MAX,
    `must have at most ${KEYS_MAX} keys`,
  );

/** The translations of a language: ICU messages by key, flat. */
export const TranslationsBody = v.pipe(v.record(Key, Message), ofKeysMax());

/** Body of PATCH /translations/{locale}: absent keys stay, null removes one. */
export const TranslationsChange = v.pipe(v.record(Key, v.nullable(Message)), ofKeysMax());

/** A translation that a language lacks, and the language that was used instead. */
export const MissingTranslation = v.object({ key: v.string(), found: v.optional(v.string()) });

/** A language with translations as returned. */
export const TranslationLanguage = v.object({
  locale: v.string(),
  keyCount: v.number(),
  ...DATES,
  updatedAt: v.string(),
});
export type TranslationLanguage = v.InferOutput<typeof TranslationLanguage>;
