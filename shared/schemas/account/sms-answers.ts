import * as v from 'valibot';
import { filledTextUpTo } from '../fields/text.ts';
import { Locale } from '../users/locale.ts';

const LANGUAGES_MAX = 10;
const text = v.optional(filledTextUpTo(320));

export const SmsAnswer = v.object({ stop: text, start: text, help: text });
export type SmsAnswer = v.InferOutput<typeof SmsAnswer>;

/** Replies by language tag. */
export const SmsAnswers = v.pipe(
  v.record(Locale, SmsAnswer),
  v.check(
    (answers) => Object.keys(answers).length <= LANGUAGES_MAX,
    `must have at most ${LANGUAGES_MAX} languages`,
  ),
);
export type SmsAnswers = v.InferOutput<typeof SmsAnswers>;
