import { defined } from '../runtime/defined.ts';
import './bounded-tokens.ts';
import { type Context, Liquid, Tag, type TagToken, type Template, type TopLevelToken } from 'liquidjs';
import {
  DocTag,
  IfChangedTag,
  LiquidCaseTag,
  LiquidCycleTag,
  NestedCommentTag,
  PaidCaptureTag,
} from './block-tags.ts';
import { componentTag } from './component-tag.ts';
import { escapedOf } from './filters/texts.ts';
import { FILTERS } from './filters.ts';
import { RenderProblem, SOURCE_BYTES_MAX, spendMemory } from './limits.ts';
import { PaidForTag, PaidTablerowTag } from './loop-tags.ts';
import { OPERATORS } from './operators.ts';
import { stateOf } from './scope.ts';
import { textOf } from './value-text.ts';

/**
 * The target of a text. In `html`, a merge tag is HTML-escaped unless its filters end in `| raw`, and
 * components may be embedded; in `chat` and `markdown`, what writes mentions and links is escaped; in `plain`, nothing is.
 */
export type Markup = 'html' | 'chat' | 'markdown' | 'plain';

const REFUSED = ['include', 'render', 'layout', 'block'];

/** Tags that differ from the library's: paid for from the budget, or closer to Liquid. */
const TAGS = {
  capture: PaidCaptureTag,
  for: PaidForTag,
  tablerow: PaidTablerowTag,
  case: LiquidCaseTag,
  cycle: LiquidCycleTag,
  comment: NestedCommentTag,
  doc: DocTag,
  ifchanged: IfChangedTag,
};

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
    ...defined({ outputEscape: markup === 'plain' ? undefined : escapedFor(markup) }),
  });
  for (const name of Object.keys(liquid.filters)) liquid.unregisterFilter(name);
  for (const [name, filter] of Object.entries(FILTERS)) liquid.registerFilter(name, filter);
  for (const name of REFUSED) {
    liquid.registerTag(name, refused(`${name} is not available; use {% component %}`));
  }
  for (const [name, tag] of Object.entries(TAGS)) liquid.registerTag(name, tag);
  liquid.registerTag(
    'component',
    markup === 'html' ? componentTag(parse) : refused('component is available in the html of emails only'),
  );
  return liquid;
}

const escapedFor = (markup: Exclude<Markup, 'plain'>) =>
  function (this: { context: Context }, value: unknown): string {
    const { budget, content } = stateOf(this.context);
    const text = textOf(value, budget);
    spendMemory(budget, text.length);
    return text === content ? text : escapedOf(value, text, markup);
  };

function refused(problem: string) {
  return class extends Tag {
    constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
      super(token, remaining, liquid);
      throw new RenderProblem(problem);
    }

    render() {}
  };
}
