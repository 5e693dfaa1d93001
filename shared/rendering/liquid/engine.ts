import { defined } from '../../runtime/values/defined.ts';
import '../syntax/bounded-tokens.ts';
import { type Context, Liquid, Tag, type TagToken, type Template, type TopLevelToken } from 'liquidjs';
import { FILTERS } from '../filters/filters.ts';
import { escapedOf } from '../filters/texts.ts';
import {
  DocTag,
  IfChangedTag,
  LiquidCaseTag,
  LiquidCycleTag,
  NestedCommentTag,
  PaidCaptureTag,
} from '../syntax/block-tags.ts';
import { componentTag } from '../syntax/component-tag.ts';
import { PaidForTag, PaidTablerowTag } from '../syntax/loop-tags.ts';
import { OPERATORS } from '../syntax/operators.ts';
import { textOf } from '../values/value-text.ts';
import { RenderProblem, SOURCE_BYTES_MAX, spendMemory } from './limits.ts';
import { stateOf } from './scope.ts';

/**
 * The target of a text. In `html`, a merge tag is HTML-escaped unless its filters end in `| raw`, and components can be embedded;
 * in `chat` and `markdown`, mentions and links are escaped; in `plain`, text stays as it is.
 */
export type Markup = 'html' | 'chat' | 'markdown' | 'plain';

const REFUSED = ['include', 'render', 'layout', 'block'];

const HTML_FILTERS = ['escape', 'xml_escape', 'escape_once', 'newline_to_br'];

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
  // They return HTML, which is not escaped again: Markdown would read links out of it.
  if (markup === 'markdown')
    for (const name of HTML_FILTERS) liquid.registerFilter(name, (value: unknown) => value);
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
