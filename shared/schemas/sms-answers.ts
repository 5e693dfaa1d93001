import * as v from 'valibot';
import { Locale } from './locale.ts';
import { filledTextUpTo } from './text.ts';

const LANGUAGES_MAX = 10;
const text = v.optional(filledTextUpTo(320));

/** An account's replies to STOP, START and HELP in one language; the default for one that is missing. */
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
