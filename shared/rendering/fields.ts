import { isSafeLink } from '../domain/content/links.ts';
import type { Language } from './language/language.ts';
import { buildReplace } from './language/replacements.ts';
import type { Markup } from './liquid/engine.ts';
import { type Budget, openBudget, RenderProblem } from './liquid/limits.ts';
import { hasContent, type RenderOptions, renderLiquid } from './liquid/liquid.ts';
import { JSON_DEPTH_MAX } from './syntax/tags.ts';

/** Common input for rendering all fields of one content. */
export type FieldOptions = {
  components?: Readonly<Record<string, string>> | undefined;
  replace?: Readonly<Record<string, string>> | undefined;
  atMs: number;
  /** App schemes that the account allows in links. */
  linkSchemes?: readonly string[] | undefined;
  language?: Language | undefined;
  /** Shared by the fields; a full one when absent. */
  budget?: Budget;
  /** Called with each rendered text. */
  onSource?: ((text: string, as: Markup) => void) | undefined;
};

/**
 * Renders the fields of a content; of a field's sources, the first present source is used. Every method throws RenderProblem with
 * the field's name.
 */
export type Fields = {
  /** Empty when there is no source. */
  text(field: string, ...sources: (string | undefined)[]): string;
  /** The html of an email, inside its layout: merge tags are escaped, components embedded. */
  html(field: string, html: string | undefined, layout: string | undefined): string;
  /** Text on a single line. */
  line(field: string, ...sources: (string | undefined)[]): string;
  /** A link; empty, with a note, when a recipient must not open it. */
  link(field: string, ...sources: (string | undefined)[]): string;
  /** The text of a chat message, in the markup of its product: mentions and links in merge tags are escaped. */
  chat(field: string, markup: Markup, ...sources: (string | undefined)[]): string;
  /** Maps every text in a JSON value, named by its key; keys, numbers and the rest are unchanged. */
  json<T>(field: string, value: T, markupOf?: (key: string) => Markup): T;
  notes(): string[];
};

/** The fields of one content, which share its budget. */
export function openFields(variables: Readonly<Record<string, unknown>>, options: FieldOptions): Fields {
  const { budget = openBudget() } = options;
  const notes = new Set<string>();
  const replace = buildReplace(options.replace);

  const liquid = (field: string, source: string, as: Markup, layout?: RenderOptions['layout']): string => {
    const { components, atMs, language, onSource } = options;
    onSource?.(source, as);
    const rendered = renderLiquid(source, variables, { as, components, layout, atMs, language, budget });
    if (!rendered.ok) throw new RenderProblem(`${field}: ${rendered.problem}`, true);
    for (const note of rendered.notes) notes.add(note);
    return rendered.text;
  };
  const inLayout = (content: string, id: string | undefined): string => {
    if (id === undefined) return content;
    const source = Object.hasOwn(options.components ?? {}, id) ? options.components?.[id] : undefined;
    if (source !== undefined && hasContent(source))
      return liquid(`layout "${id}"`, source, 'html', { id, content });
    notes.add(`the layout "${id}" ${source === undefined ? 'does not exist' : 'has no {{ content }}'}`);
    return content;
  };
  const render = (
    field: string,
    sources: (string | undefined)[],
    as: Markup,
    layout?: string | undefined,
  ): string => {
    const source = sources.find((each) => each !== undefined);
    if (!source) return '';
    const rendered = inLayout(liquid(field, source, as), layout);
    try {
      // A filter or a replacement may have cut a character in half, which strict readers refuse.
      return replace(rendered, budget).toWellFormed();
    } catch (error) {
      throw error instanceof RenderProblem ? new RenderProblem(`${field}: ${error.message}`, true) : error;
    }
  };
  const text: Fields['text'] = (field, ...sources) => render(field, sources, 'plain');
  return {
    text,
    html: (field, html, layout) => render(field, [html], 'html', layout),
    line: (field, ...sources) => onOneLine(render(field, sources, 'plain')),
    link(field, ...sources) {
      const link = text(field, ...sources).trim();
      if (isSafeLink(link, options.linkSchemes ?? [])) return link;
      notes.add(
        `${field} was omitted: only http, https, relative links and the account's linkSchemes are sent`,
      );
      return '';
    },
    chat: (field, markup, ...sources) => render(field, sources, markup),
    json: (field, value, markupOf = () => 'plain') =>
      mapStrings(value, (each, key) => render(field, [each], markupOf(key))),
    notes: () => [...notes],
  };
}

type Change = (text: string, key: string) => string;

/**
 * The same JSON with every text in it, at any depth, replaced by `change`. `change` also gets the key of the text or of its list;
 * the key is `markdown` for a markdown block. Throws RenderProblem if it is nested too deeply.
 */
export function mapStrings<T>(value: T, change: Change): T {
  return mapped(value, change, 0) as T;
}

function mapped(value: unknown, change: Change, depth: number, key = ''): unknown {
  if (typeof value === 'string') return change(value, key);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > JSON_DEPTH_MAX)
    throw new RenderProblem(`the content is nested more than ${JSON_DEPTH_MAX} levels`);
  if (Array.isArray(value)) return value.map((entry) => mapped(entry, change, depth + 1, key));
  const isMarkdown = (value as { type?: unknown }).type === 'markdown';
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      name,
      mapped(entry, change, depth + 1, isMarkdown && name === 'text' ? 'markdown' : name),
    ]),
  );
}

function onOneLine(text: string): string {
  const lines = text.split(/[\r\n\v\f\u0085\u2028\u2029]+/);
  return lines.length === 1
    ? text
    : lines
        .map((line) => line.trim())
        .filter(Boolean)
        .join(' ');
}
