import { randomUUID } from 'node:crypto';
import { styleText } from 'node:util';

/** A state; each has a colour and a word. */
export type State = 'waiting' | 'sent' | 'delivered' | 'opened' | 'failed' | 'quiet';

const COLOURS = {
  waiting: 'yellow',
  sent: 'blue',
  delivered: 'green',
  opened: 'magenta',
  failed: 'red',
  quiet: 'gray',
} as const satisfies Record<State, string>;

/** Surrounds what `print` colours. Text of others cannot contain it. */
const MARK = randomUUID();

/** Text that `print` colours on a terminal; `NO_COLOR` and pipes get it plain. */
export function coloured(state: State, text: string): string {
  return [MARK, state, text].join(' ') + MARK;
}

/**
 * Characters that move the cursor, colour, hide or reorder the text in a terminal: C0, C1, direction marks and similar
 * characters.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;

/** Makes external text safe to print: an unprintable character appears as its code point. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** As `printable`, for text of several lines. */
export function printableLines(text: string): string {
  return text.split(/\r?\n/).map(printable).join('\n');
}

/** Characters as in `UNPRINTABLE` that JSON does not escape. */
const UNESCAPED = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu;

/** JSON that is safe to print: an unprintable character appears as its escape, which every reader of JSON decodes. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNESCAPED, (character) =>
    character.split('').map(escaped).join(''),
  );
}

function escaped(codeUnit: string): string {
  return `\\u${codeUnit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Prints lines on standard output. Whatever their source, characters that control a terminal appear as code points; the only
 * colours are those of `coloured`.
 */
export const print = (text: string): void => console.log(printed(text));

export function printed(text: string): string {
  return text
    .split(MARK)
    .map((part, index) => (index % 2 === 1 ? shaded(part) : printableLines(part)))
    .join('');
}

function shaded(part: string): string {
  const [, state = '', ...words] = part.split(' ');
  return styleText(COLOURS[state as State], printableLines(words.join(' ')));
}
