import { isFalsy, filters as libraryFilters, toValue } from 'liquidjs';
import { spendMemory } from '../liquid/limits.ts';
import { stateOf } from '../liquid/scope.ts';
import { HtmlText, plainOf } from '../values/typed-values.ts';
import { textOf } from '../values/value-text.ts';
import type { FilterCall, Handler } from './handler.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

const ESCAPED = { html: /[&<>"']/g, chat: /[&<>]/g, markdown: /[\\[\]<]/g };

/** The text as markup that shows it. */
const escapedText = (text: string, markup: keyof typeof ESCAPED = 'html') =>
  text.replace(ESCAPED[markup], (character) =>
    markup === 'markdown' ? `\\${character}` : (ESCAPES[character] ?? character),
  );

export function escapedOf(value: unknown, text: string, markup?: keyof typeof ESCAPED): string {
  return value instanceof HtmlText ? text : escapedText(text, markup);
}

const textIn = (call: FilterCall, value: unknown) => textOf(value, stateOf(call.context).budget);

const escaped: Handler = function (value) {
  return new HtmlText(escapedText(textIn(this, value)));
};

const escape_once: Handler = function (value) {
  const text = textIn(this, value);
  return new HtmlText(
    text.replace(/["'<>]|&(?!(?:[a-z]+|#\d+);)/gi, (character) => ESCAPES[character] ?? character),
  );
};

const newline_to_br: Handler = function (value) {
  const text = textIn(this, value);
  const isHtml = this.liquid.options.outputEscape !== undefined;
  return new HtmlText((isHtml ? escapedOf(value, text) : text).replace(/\r?\n/g, '<br />\n'));
};

/** Filters of HTML return HTML: they only remove white space. */
function keepingHtml(handler: Handler): Handler {
  return function (value, ...args) {
    const result: unknown = handler.call(this, plainOf(value), ...args.map(plainOf));
    return value instanceof HtmlText ? new HtmlText(String(result)) : result;
  };
}

function joining(order: (value: string, argument: string) => string): Handler {
  return function (value, argument) {
    const [text, other] = [textIn(this, value), textIn(this, argument)];
    return value instanceof HtmlText
      ? new HtmlText(order(text, escapedOf(argument, other)))
      : order(text, other);
  };
}

/** A missing, false or empty value is replaced; `allow_false: true` keeps false. */
const defaulted: Handler = function (value, ...args) {
  const isNamed = (index: number) => Array.isArray(this.token.args[index]);
  const plain: unknown = toValue(value);
  const allowed = args.find((each, index) => isNamed(index) && each[0] === 'allow_false');
  if (plain === false && allowed && !isFalsy(allowed[1], this.context)) return false;
  const isEmpty = typeof plain === 'object' && plain !== null && Object.keys(plain).length === 0;
  const isMissing = plain === '' || isEmpty || isFalsy(plain, this.context);
  return isMissing ? args.find((_, index) => !isNamed(index)) : value;
};

const split: Handler = function (value, separator) {
  const [text, by] = [textIn(this, value), textIn(this, separator)];
  const parts = by === ' ' ? text.trimStart().split(/\s+/) : by === '' ? [...text] : text.split(by);
  while (parts.at(-1) === '') parts.pop();
  return parts;
};

const replace: Handler = function (value, pattern, replacement) {
  const [text, sought] = [textIn(this, value), textIn(this, pattern)];
  const inserted = textIn(this, replacement);
  const parts = sought === '' ? ['', ...text, ''] : text.split(sought);
  spendMemory(stateOf(this.context).budget, parts.length * inserted.length);
  return parts.join(inserted);
};

/** A missing ellipsis is none. */
function shortened(handler: Handler): Handler {
  return function (value, length, ...rest) {
    return handler.call(this, value, length, ...rest.map((each) => each ?? ''));
  };
}

const base64_url_safe_encode: Handler = function (value) {
  const base64 = Buffer.from(textIn(this, value)).toString('base64');
  return base64.replaceAll('+', '-').replaceAll('/', '_');
};

const base64_url_safe_decode: Handler = function (value) {
  return Buffer.from(textIn(this, value), 'base64url').toString('utf8');
};

/** The filters of texts that differ from the library's. They read typed values. */
export const TEXT_FILTERS: Readonly<Record<string, Handler>> = {
  escape: escaped,
  xml_escape: escaped,
  escape_once,
  newline_to_br,
  append: joining((value, argument) => value + argument),
  prepend: joining((value, argument) => argument + value),
  ...Object.fromEntries(
    (['strip', 'lstrip', 'rstrip', 'strip_newlines', 'squish', 'normalize_whitespace'] as const).map(
      (name) => [name, keepingHtml(libraryFilters[name] as Handler)],
    ),
  ),
  default: defaulted,
  split,
  replace,
  truncate: shortened(libraryFilters.truncate as Handler),
  truncatewords: shortened(libraryFilters.truncatewords as Handler),
  url_encode: libraryFilters.cgi_escape as Handler,
  base64_url_safe_encode,
  base64_url_safe_decode,
};
