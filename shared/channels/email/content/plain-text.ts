import { decodeAttribute, decodeEntities, escapeHtml } from './html-entities.ts';
import { findAttribute, type HtmlToken, htmlTokens } from './html-tokens.ts';

type Tag = HtmlToken & { kind: 'tag' };
type List = { ordered: boolean; count: number };
type State = {
  writer: TextWriter;
  lists: List[];
  link: { href: string; mark: number } | undefined;
  preformatted: number;
  /** The element whose content is omitted, and how many elements of its name are open. */
  skipped: { name: string; depth: number } | undefined;
};

const INDENT_MAX = 8;
const SKIPPED = new Set(['head', 'svg', 'math', 'template', 'object', 'select']);
const HIDEABLE = new Set(['div', 'span', 'table', 'section', 'article', 'font', 'center', 'small', 'p', 'a']);
const LINES = new Set(
  (
    'div tr table section article header footer main nav aside address center form fieldset dl dt dd figure ' +
    'figcaption caption li'
  ).split(' '),
);
const PARAGRAPHS = new Set('p h1 h2 h3 h4 h5 h6 blockquote pre hr'.split(' '));
const HIDDEN = /display\s*:\s*none/i;
const SHOWN_LINK = /^(https?:|mailto:|tel:)/i;
// Soft hyphens, grapheme joiners, zero-width spaces, and joiners between non-letters: the usual padding of
// preheaders.
const INVISIBLE = /\u034f|[\u00ad\u200b\ufeff]|(?<![\p{L}\p{M}])\u200c|\u200c(?![\p{L}\p{M}])/gu;

/**
 * The plain-text part of an email's html: links as `text (url)`, blocks as lines, lists with marks, images as
 * their alternative text. Head, scripts, styles and elements with `display:none` are omitted. Linear in the
 * input's length.
 */
export function plainTextOf(html: string): string {
  const state: State = {
    writer: createTextWriter(),
    lists: [],
    link: undefined,
    preformatted: 0,
    skipped: undefined,
  };
  for (const token of htmlTokens(html)) {
    if (token.kind === 'tag') readTag(state, token);
    else if (!state.skipped) readText(state, token.text);
  }
  closeLink(state);
  return state.writer.text();
}

/**
 * The html with a preview text: shown next to the subject in mailboxes and hidden in the message. Unchanged
 * if there is no preview text.
 */
export function withPreviewText(html: string, previewText: string | undefined): string {
  const text = previewText?.trim() ?? '';
  if (text === '') return html;
  const at = findBodyStart(html);
  // The padding keeps the message's first words out of the preview.
  const padding = '&#847;&zwnj;&nbsp;'.repeat(80);
  const style =
    'display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden';
  const preheader = `<div style="${style};mso-hide:all">${escapeHtml(text)}${padding}</div>`;
  return html.slice(0, at) + preheader + html.slice(at);
}

function findBodyStart(html: string): number {
  let fallback = 0;
  for (const token of htmlTokens(html)) {
    if (token.kind !== 'tag') continue;
    const { name, closing, end } = token;
    if (name === 'body' && !closing) return end;
    if ((name === 'html' && !closing) || (name === 'head' && closing)) fallback = end;
  }
  return fallback;
}

function readText({ writer, preformatted }: State, text: string): void {
  const decoded = decodeEntities(text).replace(INVISIBLE, '');
  if (preformatted > 0) writer.writeExact(decoded);
  else writer.write(decoded);
}

function readTag(state: State, tag: Tag): void {
  if (state.skipped) {
    if (!leaveSkipped(state, state.skipped, tag)) return;
  } else if (!tag.closing && isSkipped(tag)) {
    state.skipped = { name: tag.name, depth: 1 };
    return;
  }
  if (tag.closing) closeTag(state, tag);
  else openTag(state, tag);
}

function isSkipped({ name, attributes }: Tag): boolean {
  if (SKIPPED.has(name)) return !attributes.endsWith('/');
  return HIDEABLE.has(name) && HIDDEN.test(findAttribute(attributes, 'style'));
}

// True if a tag is not part of the omitted content: browsers close these without their closing tag.
function leaveSkipped(state: State, skipped: NonNullable<State['skipped']>, tag: Tag): boolean {
  const { name, closing } = tag;
  const isBlock = LINES.has(name) || PARAGRAPHS.has(name) || name === 'ul' || name === 'ol';
  const isImplied =
    skipped.name === 'p'
      ? isBlock && (!closing || name !== 'p')
      : !closing && (skipped.name === 'head' ? name === 'body' : name === skipped.name);
  if (isImplied && ['head', 'p', 'a'].includes(skipped.name)) {
    state.skipped = undefined;
    return true;
  }
  if (name !== skipped.name) return false;
  skipped.depth += closing ? -1 : 1;
  if (skipped.depth === 0) state.skipped = undefined;
  return false;
}

function openTag(state: State, { name, attributes }: Tag): void {
  const { writer, lists } = state;
  if (name === 'br') writer.breakLine();
  if (name === 'img') writer.write(` ${decodeAttribute(findAttribute(attributes, 'alt'))} `);
  if (name === 'td' || name === 'th') writer.space();
  if (name === 'a') openLink(state, findAttribute(attributes, 'href'));
  if (name === 'pre') state.preformatted++;
  if (name === 'ul' || name === 'ol') {
    writer.startBlock(lists.length > 0 ? 1 : 2);
    lists.push({ ordered: name === 'ol', count: 0 });
  }
  startBlock(writer, name);
  if (name === 'li') openItem(writer, lists);
  if (name === 'hr') writer.write('---');
  if (name === 'hr') writer.startBlock(2);
}

function closeTag(state: State, { name }: Tag): void {
  const { writer, lists } = state;
  if (name === 'a') closeLink(state);
  if (name === 'td' || name === 'th') writer.space();
  if (name === 'pre') state.preformatted = Math.max(0, state.preformatted - 1);
  if (name === 'ul' || name === 'ol') {
    lists.pop();
    writer.startBlock(lists.length > 0 ? 1 : 2);
  }
  startBlock(writer, name);
}

function startBlock(writer: TextWriter, name: string): void {
  if (LINES.has(name)) writer.startBlock(1);
  if (PARAGRAPHS.has(name)) writer.startBlock(2);
}

function openItem(writer: TextWriter, lists: List[]): void {
  const list = lists.at(-1);
  const indent = '  '.repeat(Math.min(INDENT_MAX, Math.max(0, lists.length - 1)));
  if (list) list.count++;
  writer.prefix(list?.ordered ? `${indent}${list.count}. ` : `${indent}- `);
}

function openLink(state: State, href: string): void {
  closeLink(state);
  const url = decodeAttribute(href)
    .trim()
    .replace(/[\t\r\n]+/g, '')
    .replace(/\s/g, encodeURIComponent);
  if (SHOWN_LINK.test(url)) state.link = { href: shownUrl(url), mark: state.writer.mark() };
}

function closeLink(state: State): void {
  if (!state.link) return;
  const { href, mark } = state.link;
  const text = state.writer.since(mark).trim();
  state.link = undefined;
  if (text === '') state.writer.write(href);
  else if (bareUrl(text) !== bareUrl(href)) state.writer.write(` (${href})`);
}

function shownUrl(url: string): string {
  if (/^https?:/i.test(url)) return url;
  return url.slice(url.indexOf(':') + 1).replace(/\?.*/s, '');
}

function bareUrl(text: string): string {
  return text
    .toLowerCase()
    .replace(/^(https?:\/\/)?(www\.)?/, '')
    .replace(/\/$/, '');
}

/** Builds plain text: collapses white space, and keeps at most one blank line between blocks. */
type TextWriter = ReturnType<typeof createTextWriter>;

function createTextWriter() {
  const parts: string[] = [];
  let breaks = 0;
  let isSpaced = false;
  let pendingPrefix = '';
  let isLineStart = true;

  function push(text: string): void {
    if (parts.length > 0 && breaks > 0) parts.push('\n'.repeat(breaks));
    else if (isSpaced && !isLineStart) parts.push(' ');
    parts.push(pendingPrefix + text);
    breaks = 0;
    isSpaced = false;
    pendingPrefix = '';
    isLineStart = false;
  }

  function addBreaks(count: number): void {
    if (pendingPrefix !== '') return;
    breaks = count;
    isSpaced = false;
    isLineStart = true;
  }

  return {
    /** Text whose white space collapses to single spaces. */
    write(text: string): void {
      const words = text.replace(/\s+/g, ' ');
      if (words.startsWith(' ')) isSpaced = true;
      const trimmed = words.trim();
      if (trimmed === '') return;
      push(trimmed);
      isSpaced = words.endsWith(' ');
    },
    writeExact(text: string): void {
      if (text !== '') push(text);
    },
    /** The next text starts at least `breaks` lines further (1: a new line, 2: after a blank line). */
    startBlock: (count: 1 | 2): void => addBreaks(Math.max(breaks, count)),
    breakLine: (): void => addBreaks(Math.min(2, breaks + 1)),
    space(): void {
      isSpaced = true;
    },
    /** Prefix of the next text, such as a list mark; dropped if there is no next text. */
    prefix(mark: string): void {
      pendingPrefix = mark;
    },
    /** A place to give to `since`. */
    mark: (): number => parts.length,
    since: (mark: number): string => parts.slice(mark).join(''),
    /** Without white space at its two ends. */
    text: (): string => parts.join('').trim(),
  };
}
