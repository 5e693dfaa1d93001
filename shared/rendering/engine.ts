import { defined } from '../runtime/defined.ts';
import './bounded-tokens.ts';
import {
  CaptureTag,
  type Context,
  type Emitter,
  evalToken,
  ForTag,
  Liquid,
  type Parser,
  TablerowTag,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
} from 'liquidjs';
import { tokenThat } from './bounded-tokens.ts';
import { componentTag } from './component-tag.ts';
import { FILTERS } from './filters.ts';
import { type Budget, RenderProblem, SOURCE_BYTES_MAX, spendMemory, spendOutput } from './limits.ts';
import { OPERATORS } from './operators.ts';
import { stateOf } from './scope.ts';
import { textOf } from './value-text.ts';

/**
 * The target of a text. In `html`, a merge tag is HTML-escaped unless its filters end in `| raw`, and
 * components may be embedded; in `plain`, nothing is escaped.
 */
export type Markup = 'html' | 'plain';

const REFUSED = ['include', 'render', 'layout', 'block'];

/** A Liquid engine that reaches no files, no prototypes and no functions of values. */
export function buildEngine(markup: Markup, parse: (html: string) => Template[]): Liquid {
  const liquid = new Liquid({
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    operators: OPERATORS,
    parseLimit: SOURCE_BYTES_MAX,
    locale: 'en-US',
    timezoneOffset: 0,
    ...defined({ outputEscape: markup === 'html' ? escapedForHtml : undefined }),
  });
  for (const name of Object.keys(liquid.filters)) liquid.unregisterFilter(name);
  for (const [name, filter] of Object.entries(FILTERS)) liquid.registerFilter(name, filter);
  for (const name of REFUSED) {
    liquid.registerTag(name, refused(`${name} is not available; use {% component %}`));
  }
  liquid.registerTag('capture', PaidCaptureTag);
  liquid.registerTag('for', PaidForTag);
  liquid.registerTag('tablerow', PaidTablerowTag);
  liquid.registerTag(
    'component',
    markup === 'html' ? componentTag(parse) : refused('component is available in the html of emails only'),
  );
  return liquid;
}

/** Collects the rendered text, charged by `spend` before it is kept. */
function openEmitter(budget: Budget, spend: (budget: Budget, characters: number) => void): Emitter {
  return {
    buffer: '',
    write(value: unknown) {
      const text = textOf(value, budget);
      spend(budget, text.length);
      this.buffer += text;
    },
  };
}

/** The emitter of a content's own text. */
export function openOutput(budget: Budget): Emitter {
  return openEmitter(budget, spendOutput);
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

function escapedForHtml(this: { context: Context }, value: unknown): string {
  const { budget } = stateOf(this.context);
  const text = textOf(value, budget);
  spendMemory(budget, text.length);
  return /[&<>"']/.test(text)
    ? text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
    : text;
}

function refused(problem: string) {
  return class extends Tag {
    constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
      super(token, remaining, liquid);
      throw new RenderProblem(problem);
    }

    render() {}
  };
}

class PaidCaptureTag extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const emitter = openEmitter(stateOf(context).budget, spendMemory);
    yield this.liquid.renderer.renderTemplates(this.templates, context, emitter);
    context.bottom()[this.variable] = emitter.buffer;
  }
}

class PaidForTag extends ForTag {
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid, parser);
    this.collection = paidCollection(this.collection);
  }
}

class PaidTablerowTag extends TablerowTag {
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid, parser);
    this.collection = paidCollection(this.collection);
  }
}

/** A loop over an object makes a list of its pairs first. */
function paidCollection(collection: ForTag['collection']): ForTag['collection'] {
  return tokenThat(collection, function* (context) {
    const value = yield evalToken(collection, context);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      spendMemory(stateOf(context).budget, PAIR_UNITS * Object.keys(value).length);
    }
    return value;
  });
}

const PAIR_UNITS = 16;
