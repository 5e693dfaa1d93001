import { plainTextOf } from '../../../shared/channels/email/content/plain-text.ts';
import type { Parsers } from './inputs.ts';

/** HTML that nobody writes by accident. */
const MARKUP: Record<string, (size: number) => string> = {
  'opening brackets': (size) => '<'.repeat(size),
  'unfinished tags': (size) => '<a '.repeat(size),
  'open quotes': (size) => '<a href="'.repeat(size),
  attributes: (size) => `<a ${'x '.repeat(size)}>`,
  'attribute white space': (size) => `<a ${`x${' '.repeat(50)}`.repeat(size / 50)}>`,
  'one long attribute white space': (size) => `<a x${' '.repeat(size)}y>`,
  'equals signs': (size) => `<a ${'='.repeat(size)}>`,
  'unfinished comments': (size) => '<!--'.repeat(size),
  'unfinished scripts': (size) => '<script>'.repeat(size),
  'open heads': (size) => '<head>'.repeat(size),
  'hidden elements': (size) => '<div style="display:none">'.repeat(size),
  'hiding that is not': (size) => `<div style="display${' '.repeat(size)}">`,
  'open links': (size) => '<a href="https://a.example">a'.repeat(size),
  'one link around it all': (size) => `<a href="https://a.example">${'<b>a</b> '.repeat(size)}`,
  'inner lists': (size) => '<ul><li>'.repeat(size),
  'inner lists with text': (size) => '<ul><li>a'.repeat(size),
  'line breaks': (size) => '<br>'.repeat(size),
  'white space': (size) => `a${' '.repeat(size)}`,
  ampersands: (size) => '&'.repeat(size),
  'unfinished entities': (size) => '&#1234567'.repeat(size),
  joiners: (size) => '\u200c'.repeat(size),
  'question marks in a mail link': (size) => `<a href="mailto:${'?'.repeat(size)}">a</a>`,
};

/** The text that an email without one gets from its HTML. */
export const PLAIN_TEXT: Parsers = {
  'plain text of an email': Object.fromEntries(
    Object.entries(MARKUP).map(([input, make]) => [
      input,
      (n) => {
        const html = make(n);
        return () => plainTextOf(html);
      },
    ]),
  ),
};
