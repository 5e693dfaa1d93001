import { styleText } from 'node:util';

/** How far something is; every state has its colour, and its word beside it. */
export type State = 'waiting' | 'sent' | 'delivered' | 'opened' | 'failed' | 'quiet';

const COLOURS = {
  waiting: 'yellow',
  sent: 'blue',
  delivered: 'green',
  opened: 'magenta',
  failed: 'red',
  quiet: 'gray',
} as const satisfies Record<State, string>;

/** Colours text on a terminal; `NO_COLOR` and pipes get it plain. */
export function coloured(state: State, text: string): string {
  return styleText(COLOURS[state], text);
}

/** Characters that move the cursor, colour, hide or reorder what a terminal shows: C0, C1, direction marks and the like. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;

/** Makes text of others safe to print: what is not printable appears as its code point. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
