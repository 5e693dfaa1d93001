/** A piece of HTML: text with its entities not decoded, or a tag with everything after its name. */
export type HtmlToken =
  | { kind: 'text'; text: string }
  | { kind: 'tag'; name: string; closing: boolean; attributes: string; end: number };

// Their content is text to the parser, but not for readers.
const RAW_NAMES = ['script', 'style', 'title', 'textarea', 'iframe', 'noframes', 'noembed', 'xmp'];
const RAW_ENDS = new Map(RAW_NAMES.map((name) => [name, new RegExp(`</${name}(?=[\\s/>])`, 'gi')]));
const TAG_NAME = /[a-zA-Z][^\s/>]*/y;
const COMMENT_END = /--!?>/g;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?/g;

/** An attribute of a tag: its name in lower case, its value with entities not decoded, and its position. */
export type Attribute = { name: string; value: string; start: number; end: number };

/**
 * Splits HTML into tags and texts as a browser's tokenizer does, in linear time for any input. Comments,
 * declarations and the contents of scripts, styles and titles are omitted; an unfinished tag or comment ends
 * it. `end` is the index after the tag.
 */
export function* htmlTokens(html: string): Generator<HtmlToken> {
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) {
      yield { kind: 'text', text: html.slice(at) };
      return;
    }
    if (open > at) yield { kind: 'text', text: html.slice(at, open) };
    const closing = html[open + 1] === '/';
    const nameStart = open + (closing ? 2 : 1);
    TAG_NAME.lastIndex = nameStart;
    const name = TAG_NAME.exec(html)?.[0].toLowerCase();
    if (name !== undefined) {
      const close = findTagEnd(html, nameStart);
      if (close < 0) return;
      const end = close + 1;
      yield { kind: 'tag', name, closing, attributes: html.slice(nameStart + name.length, close), end };
      at = closing ? end : findContentEnd(html, name, end);
    } else if (closing || html[nameStart] === '!' || html[nameStart] === '?') {
      at = findMarkupEnd(html, open);
    } else {
      yield { kind: 'text', text: '<' };
      at = open + 1;
    }
    if (at < 0) return;
  }
}

/** The attributes of a tag in order; `start` and `end` are indexes into `attributes`. */
export function* htmlAttributes(attributes: string): Generator<Attribute> {
  for (const { 0: whole, 1: name = '', 2: double, 3: single, 4: bare, index } of attributes.matchAll(
    ATTRIBUTE,
  )) {
    const value = double ?? single ?? bare ?? '';
    yield { name: name.toLowerCase(), value, start: index, end: index + whole.length };
  }
}

/** Returns the value of an attribute, entities not decoded; empty if it is missing. */
export function findAttribute(attributes: string, name: string): string {
  for (const each of htmlAttributes(attributes)) {
    if (each.name === name) return each.value;
  }
  return '';
}

function findContentEnd(html: string, name: string, from: number): number {
  const rawEnd = RAW_ENDS.get(name);
  if (!rawEnd) return from;
  rawEnd.lastIndex = from;
  return rawEnd.exec(html)?.index ?? -1;
}

function findMarkupEnd(html: string, open: number): number {
  if (!html.startsWith('<!--', open)) {
    const close = html.indexOf('>', open);
    return close < 0 ? -1 : close + 1;
  }
  // A comment also ends at `--!>`, and at once with `<!-->`.
  COMMENT_END.lastIndex = open + 2;
  return COMMENT_END.exec(html) ? COMMENT_END.lastIndex : -1;
}

// A ">" inside of a quoted value does not end the tag; a quote counts only after "=".
function findTagEnd(html: string, from: number): number {
  for (let at = from; at < html.length; at++) {
    if (html[at] === '>') return at;
    if (html[at] !== '=') continue;
    while (/\s/.test(html[at + 1] ?? '')) at++;
    const quote = html[at + 1];
    if (quote !== '"' && quote !== "'") continue;
    at = html.indexOf(quote, at + 2);
    if (at < 0) return -1;
  }
  return -1;
}
