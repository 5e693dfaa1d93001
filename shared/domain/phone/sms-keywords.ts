import {
  AMBIGUOUS,
  HELP,
  LEADING,
  OPT_IN,
  OTHER_MEANINGS,
  PASSED_ON,
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
  const own = ownText(text.slice(0, READ_CHARACTERS));
  const words = joined(wordsOf(own));
  const whole = words.join(' ');
  if (OPT_IN.has(whole)) return { kind: 'opt_in', keyword: whole };
  if (HELP.has(whole)) return { kind: 'help', keyword: whole };
  const asked = withoutPoliteness(words).join(' ');
  const keyword = AMBIGUOUS.has(asked) ? asked : unambiguousOf(own, words);
  if (keyword === undefined) return undefined;
  const isCarriers = CARRIERS.includes(
    text.toUpperCase().replace(/^[\p{P}\s]+|(?<![\p{P}\s])[\p{P}\s]+$/gu, ''),
  );
  return { kind: 'opt_out', keyword, isCarriers };
}

/** The unambiguous opt-out at the beginning of a short reply or of its sentences. */
function unambiguousOf(own: string, words: readonly string[]): string | undefined {
  // Of a long reply, the first line or sentence, if it is short.
  if (words.length > SHORT_WORDS) {
    const [first = ''] = own.split(/(?<![.!?…])[.!?…]+(?=\s|$)|\n/);
    return first.length < own.length ? unambiguousOf(first, wordsOf(first)) : undefined;
  }
  if (words.length === 0 && /[🛑⛔🚫]/u.test(own)) return 'STOP';
  const sentences = own.split(/(?<![.,;:!?…])[.,;:!?…]+(?=\s|$)|\n/).map(wordsOf);
  const found = [words, ...sentences].map((each) => beginningOf(withoutPoliteness(each))).find(Boolean);
  if (found !== undefined) return found;
  const letters = own.normalize('NFKC').replace(/\P{L}/gu, '');
  return UNSPACED.map((pattern) => pattern.exec(letters)?.[1]).find(Boolean);
}

/** The opt-out, the longest one, at the beginning or after words that come before it. */
function beginningOf(written: readonly string[]): string | undefined {
  const words = written.map((word) => word.replace(/^S+T+O+P+$/, 'STOP'));
  const leading = words.findIndex((word) => !LEADING.has(word));
  for (let from = Math.max(0, leading); from >= 0; from -= 1) {
    const starts = words.slice(from).map((_, index) => words.slice(from, from + index + 1).join(' '));
    const found = starts.findLast((start) => UNAMBIGUOUS.has(start) || OTHER_MEANINGS.has(start));
    if (found !== undefined) return UNAMBIGUOUS.has(found) ? found : undefined;
  }
  return undefined;
}

const hasWords = (line: string) => /[\p{L}\p{N}]/u.test(line);

/** Letters that stand alone are one word: `S T O P`. */
function joined(words: readonly string[]): readonly string[] {
  return words.length > 1 && words.every((word) => word.length === 1) ? [words.join('')] : words;
}

/** The first paragraph, without quoted lines and the signature that a program adds. */
function ownText(text: string): string {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim().replace(PASSED_ON, ''));
  const own = lines.filter((line) => !line.startsWith('>'));
  const start = Math.max(0, own.findIndex(hasWords));
  const end = own.findIndex((line, index) => index > start && (line === '' || SIGNATURES.test(line)));
  return own.slice(start, end < 0 ? own.length : end).join('\n');
}

const withoutPoliteness = (words: readonly string[]) => words.filter((word) => !POLITE.has(word));
