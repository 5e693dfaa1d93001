import {
  AssignTag,
  CaptureTag,
  CommentTag,
  type Context,
  ForTag,
  IfTag,
  InlineCommentTag,
  type Liquid,
  type Template,
  toValueSync,
  UnlessTag,
} from 'liquidjs';
import { defined } from '../../runtime/values/defined.ts';
import { problemOf } from '../checks/problem.ts';
import { ANY_LANGUAGE, type Language } from '../language/language.ts';
import { DocTag, LiquidCaseTag } from '../syntax/block-tags.ts';
import { componentIdsIn } from '../syntax/component-tag.ts';
import { assertStrict } from '../syntax/strict-syntax.ts';
import { hasTags } from '../syntax/tags.ts';
import { checkConstants } from './constants.ts';
import { drive } from './drive.ts';
import { openOutput } from './emitters.ts';
import { buildEngine, type Markup } from './engine.ts';
import { type Budget, openBudget, RenderProblem, SOURCE_BYTES_MAX, spendOutput, TAGS_MAX } from './limits.ts';
import { openParsedTemplates, type ParsedTemplate, type ParsedTemplates } from './parsed-templates.ts';
import { openScope } from './scope.ts';

/** Input for rendering a text in addition to its variables. */
export type RenderOptions = {
  as: Markup;
  /** Html of the email components that a text can embed, by id; html only. */
  components?: Readonly<Record<string, string>> | undefined;
  /** Of a layout: its ID, and the html that its variable `content` is. */
  layout?: { id: string; content: string } | undefined;
  /** The value of `now` in the `date` filter. */
  atMs: number;
  /** The reader's language; English and UTC if absent. */
  language?: Language | undefined;
  /** Shared by the fields of one content; a full one when absent. */
  budget?: Budget;
};

/**
 * A rendered text with notes on omissions, or the reason why there is none: names, limits and places, never
 * values.
 */
export type RenderedText = { ok: true; text: string; notes: string[] } | { ok: false; problem: string };

const CACHE_BYTES_MAX = 8 * 1024 * 1024;

type Engine = { liquid: Liquid; parsed: ParsedTemplates };

const ENGINES: Record<Markup, Engine> = {
  html: openEngine('html'),
  chat: openEngine('chat'),
  markdown: openEngine('markdown'),
  plain: openEngine('plain'),
};

/**
 * Renders a Liquid template. A missing value renders empty. Parsed templates are kept by their source, and a source
 * without tags never reaches Liquid.
 */
export function renderLiquid(
  source: string,
  variables: Readonly<Record<string, unknown>>,
  options: RenderOptions,
): RenderedText {
  const budget = options.budget ?? openBudget();
  const notes = new Set<string>();
  try {
    if (!hasTags(source)) {
      assertSize(source);
      spendOutput(budget, source.length);
      return { ok: true, text: source, notes: [] };
    }
    const { liquid } = ENGINES[options.as];
    const { templates } = parse(options.as, source);
    const state = {
      budget,
      components: options.components ?? {},
      chain: options.layout ? [options.layout.id] : [],
      content: options.layout?.content,
      notes,
      language: options.language ?? ANY_LANGUAGE,
      atMs: options.atMs,
    };
    const scope = openScope(
      liquid,
      Object.assign(Object.create(null), variables, defined({ content: state.content })),
      state,
    );
    const output = openOutput(budget);
    drive(liquid.renderer.renderTemplates(templates, scope, output), budget);
    return { ok: true, text: output.buffer, notes: [...notes] };
  } catch (error) {
    return { ok: false, problem: problemOf(error) };
  }
}

/** How a text is checked: the columns of its first line that are not the author's, and the budget of all texts together. */
export type CheckOptions = { columnsBefore?: number; budget?: Budget };

/** Returns the problem of a text that always fails to render; undefined if it can be rendered. */
export function checkSyntax(
  source: string,
  as: Markup = 'html',
  { columnsBefore = 0, budget = openBudget() }: CheckOptions = {},
): string | undefined {
  try {
    assertSize(source);
    if (!hasTags(source)) return undefined;
    const parsed = parse(as, source);
    if (parsed.isChecked) return undefined;
    assertStrict(source, columnsBefore);
    drive(checkConstants(parsed.templates, constantScope(as, budget)), budget);
    parsed.isChecked = true;
    return undefined;
  } catch (error) {
    return problemOf(error, columnsBefore);
  }
}

function constantScope(as: Markup, budget: Budget): Context {
  const state = { budget, components: {}, chain: [], content: undefined, notes: new Set<string>() };
  return openScope(ENGINES[as].liquid, {}, { ...state, language: ANY_LANGUAGE, atMs: 0 });
}

/** Returns the parsed text; undefined if it cannot be parsed. */
export function findTemplates(source: string, as: Markup): Template[] | undefined {
  if (!hasTags(source)) return [];
  try {
    return parse(as, source).templates;
  } catch {
    return undefined;
  }
}

/**
 * IDs of the components that an html embeds directly, each once, without the components inside them. Empty for an html that
 * cannot be parsed.
 */
export function componentIdsOf(html: string): string[] {
  if (!html.includes('{%')) return [];
  try {
    return [...parse('html', html).componentIds];
  } catch {
    return [];
  }
}

/** True if a layout shows the email's content: it has `{{ content }}`, with or without filters. */
export function hasContent(html: string): boolean {
  return /\{\{-?\s*content\b(?!\s*\.)/.test(html);
}

function openEngine(markup: Markup): Engine {
  const liquid = buildEngine(markup, (html) => parse(markup, html).templates);
  return { liquid, parsed: openParsedTemplates(CACHE_BYTES_MAX) };
}

function parse(markup: Markup, source: string): ParsedTemplate {
  const { liquid, parsed } = ENGINES[markup];
  const known = parsed.find(source);
  if (known) return known;
  assertSize(source);
  const tagCount = tagCountOf(source);
  if (tagCount > TAGS_MAX) {
    throw new RenderProblem(`a template has more than ${TAGS_MAX.toLocaleString('en-US')} tags`);
  }
  const templates = liquid.parse(source);
  clearBlankBlocks(templates);
  const template = { templates, componentIds: componentIdsIn(templates) };
  parsed.keep(source, template, tagCount);
  return template;
}

function assertSize(source: string): void {
  if (source.length * 3 > SOURCE_BYTES_MAX && Buffer.byteLength(source) > SOURCE_BYTES_MAX) {
    throw new RenderProblem('a template is over 1 MB');
  }
}

/** Upper bound of a source's tags; the lines of `{% liquid %}` count as tags. */
function tagCountOf(source: string): number {
  const count = source.split(/\{[{%]/).length - 1;
  return /\{%-?\s*liquid\b/.test(source) ? count + source.split('\n').length : count;
}

const PRINTING_NOTHING = [AssignTag, CaptureTag, CommentTag, InlineCommentTag, DocTag];
const BLOCKS = [IfTag, UnlessTag, ForTag, LiquidCaseTag];

/**
 * Removes the white space of blocks that print nothing else, as Liquid does: between assignments, comments and other
 * such blocks.
 */
function clearBlankBlocks(templates: readonly Template[]): void {
  templates.forEach(isBlank);
}

/** True if a template prints white space at most. Clears the blocks inside it. */
function isBlank(template: Template): boolean {
  if (isText(template)) return template.str.trim() === '';
  const children: Template[] = template.children ? toValueSync(template.children(false, true)) : [];
  const isEmpty = children.map(isBlank).every(Boolean);
  if (PRINTING_NOTHING.some((each) => template instanceof each)) return true;
  if (!isEmpty || !BLOCKS.some((each) => template instanceof each)) return false;
  for (const child of children) if (isText(child)) child.str = '';
  return true;
}

/** liquidjs does not export its class of plain text. */
function isText(template: Template): template is Template & { str: string } {
  return 'str' in template && typeof template.str === 'string';
}
