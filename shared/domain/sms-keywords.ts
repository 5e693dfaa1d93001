import {
  AMBIGUOUS,
  HELP,
  LEADING,
  OPT_IN,
  OTHER_MEANINGS,
  POLITE,
  SIGNATURES,
  UNAMBIGUOUS,
  UNSPACED,
  wordsOf,
} from './sms-keyword-list.ts';

/** What a text message asks for; `keyword` in capitals, without accents. `isCarriers`: carriers know it too. */
export type SmsKeyword = { kind: 'opt_out' | 'opt_in' | 'help'; keyword: string; isCarriers?: boolean };

/** A reply that begins with an unambiguous word has at most so many words. */
const SHORT_WORDS = 8;
/** What follows is not read: a text message is no longer. */
const READ_CHARACTERS = 2000;

const CARRIERS = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'];

/**
 * Returns the keyword of a text message, in any case, with or without accents, punctuation and a signature. An unambiguous
 * opt-out counts at the beginning of a short reply; any other keyword must be the whole message. In doubt, it is an opt-out:
 * its confirmation says how to come back.
 */
export function classifyKeyword(text: string): SmsKeyword | undefined {
  const words = joined(wordsOf(ownText(text.slice(0, READ_CHARACTERS))));
  const whole = words.join(' ');
  if (OPT_IN.has(whole)) return { kind: 'opt_in', keyword: whole };
  if (HELP.has(whole)) return { kind: 'help', keyword: whole };
  const asked = trimmed(words, [POLITE]).join(' ');
  const keyword = AMBIGUOUS.has(asked) ? asked : beginningOf(trimmed(words, [POLITE, LEADING]));
  if (keyword === undefined) return undefined;
  const isCarriers = words.length === 1 && CARRIERS.includes(keyword);
  return { kind: 'opt_out', keyword, isCarriers };
}

/** The unambiguous opt-out, the longest one, with which a short reply begins. */
function beginningOf(words: readonly string[]): string | undefined {
  if (words.length > SHORT_WORDS) return undefined;
  const starts = words.map((_, index) => words.slice(0, index + 1).join(' '));
  if (starts.some((start) => OTHER_MEANINGS.has(start))) return undefined;
  const [first] = words;
  return (
    starts.findLast((start) => UNAMBIGUOUS.has(start)) ??
    UNSPACED.findLast((start) => first?.startsWith(start))
  );
}

const hasWords = (line: string) => /[\p{L}\p{N}]/u.test(line);

/** Letters that stand alone are one word: `S T O P`. */
function joined(words: readonly string[]): readonly string[] {
  return words.length > 2 && words.every((word) => word.length === 1) ? [words.join('')] : words;
}

/** The first paragraph, without quoted lines and the signature that a program adds. */
function ownText(text: string): string {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const own = lines.filter((line) => !line.startsWith('>'));
  const start = Math.max(0, own.findIndex(hasWords));
  const end = own.findIndex((line, index) => index > start && (line === '' || SIGNATURES.test(line)));
  return own.slice(start, end < 0 ? own.length : end).join(' ');
}

/** Words without politeness around them, and without those of `start` before them. */
function trimmed(words: readonly string[], start: readonly ReadonlySet<string>[]): readonly string[] {
  const first = words.findIndex((word) => !start.some((set) => set.has(word)));
  const last = words.findLastIndex((word) => !POLITE.has(word));
  return first < 0 ? [] : words.slice(first, last + 1);
}
