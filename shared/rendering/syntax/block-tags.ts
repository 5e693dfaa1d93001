import {
  CaptureTag,
  CommentTag,
  type Context,
  CycleTag,
  type Emitter,
  evalToken,
  type FilteredValueToken,
  type Liquid,
  type Parser,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
  TypeGuards,
  toValue,
  Value,
  type ValueToken,
} from 'liquidjs';
import { openCapture } from '../liquid/emitters.ts';
import { stateOf } from '../liquid/scope.ts';
import { HtmlText } from '../values/typed-values.ts';
import { OPERATORS } from './operators.ts';

type Steps<T = void> = Generator<unknown, T, unknown>;

/** `{% case %}`: renders a branch for every value of it that matches, and an `else` before which none did. */
export class LiquidCaseTag extends Tag {
  readonly value: Value;
  readonly branches: { values?: ValueToken[]; templates: Template[] }[] = [];

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid);
    this.value = new Value(this.tokenizer.readFilteredValue(), liquid);
    const stream = parser.parseStream(remaining);
    stream
      .on('tag:when', (when: TagToken) => void this.branches.push({ values: valuesOf(when), templates: [] }))
      .on('tag:else', () => void this.branches.push({ templates: [] }))
      .on('tag:endcase', () => void stream.stop())
      .on('template', (template: Template) => void this.branches.at(-1)?.templates.push(template))
      .on('end', () => notClosed(token));
    stream.start();
  }

  *render(context: Context, emitter: Emitter): Steps {
    const { renderer } = this.liquid;
    const target: unknown = toValue(yield this.value.value(context, false));
    let isHit = false;
    for (const { values, templates } of this.branches) {
      if (!values && !isHit) yield renderer.renderTemplates(templates, context, emitter);
      for (const token of values ?? []) {
        const value = yield evalToken(token, context);
        if ((yield OPERATORS['==']?.(target, value, context)) !== true) continue;
        isHit = true;
        yield renderer.renderTemplates(templates, context, emitter);
      }
    }
  }

  *arguments() {
    yield this.value;
    for (const { values } of this.branches) yield* values ?? [];
  }

  children(): Generator<unknown, Template[]> {
    return given(this.branches.flatMap(({ templates }) => templates));
  }
}

function valuesOf({ tokenizer }: TagToken): ValueToken[] {
  const values: ValueToken[] = [];
  while (!tokenizer.end()) {
    values.push(tokenizer.readValueOrThrow());
    tokenizer.skipBlank();
    tokenizer.readTo(tokenizer.peek() === ',' ? ',' : 'or');
  }
  return values;
}

/** `{% cycle 'name': … %}`: tags with the same name share their position, even with different values. */
export class LiquidCycleTag extends CycleTag {
  override *render(context: Context): Steps<unknown> {
    const { candidates, group } = this as unknown as {
      candidates: FilteredValueToken[];
      group?: ValueToken;
    };
    const name = group
      ? `:${yield evalToken(group, context)}`
      : candidates.map((each) => each.getText()).join();
    const positions = context.getRegister<Map<string, number>>('cycle', new Map());
    const position = positions.get(name) ?? 0;
    positions.set(name, position + 1 >= candidates.length ? 0 : position + 1);
    const token = candidates[position];
    if (!token) return '';
    const { outputEscape } = this.liquid.options;
    const candidate = new Value(token, this.liquid);
    const value: unknown = yield candidate.value(context, false);
    if (!outputEscape || candidate.filters.at(-1)?.raw) return value;
    return outputEscape.call({ context, token: this.token, liquid: this.liquid } as never, value);
  }
}

/** `{% ifchanged %}`: renders its content unless it equals the previous content. */
export class IfChangedTag extends Tag {
  readonly templates: Template[] = [];

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid);
    const stream = parser.parseStream(remaining);
    stream
      .on('tag:endifchanged', () => void stream.stop())
      .on('template', (template: Template) => void this.templates.push(template))
      .on('end', () => notClosed(token));
    stream.start();
  }

  *render(context: Context, emitter: Emitter): Steps {
    const captured = openCapture(stateOf(context).budget);
    yield this.liquid.renderer.renderTemplates(this.templates, context, captured);
    if (captured.buffer === context.getRegister('ifchanged', '')) return;
    context.setRegister('ifchanged', captured.buffer);
    emitter.write(captured.buffer);
  }

  children(): Generator<unknown, Template[]> {
    return given(this.templates);
  }
}

/** `{% capture %}`: what it captures has been escaped, so it is HTML in HTML. */
export class PaidCaptureTag extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const captured = openCapture(stateOf(context).budget);
    yield this.liquid.renderer.renderTemplates(this.templates, context, captured);
    const isHtml = this.liquid.options.outputEscape !== undefined;
    context.bottom()[this.variable] = isHtml ? new HtmlText(captured.buffer) : captured.buffer;
  }
}

/** `{% comment %}`, which can be nested. */
export class NestedCommentTag extends CommentTag {
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, outermost(remaining), liquid);
  }
}

/** Removes the comments nested inside. */
function outermost(remaining: TopLevelToken[]): TopLevelToken[] {
  let depth = 0;
  const end = remaining.findIndex((token) => {
    if (!TypeGuards.isTagToken(token)) return false;
    if (token.name === 'comment') depth += 1;
    else if (token.name === 'endcomment') depth -= 1;
    return depth < 0;
  });
  if (end > 0) remaining.splice(0, end);
  return remaining;
}

/** `{% doc %}`: a comment. */
export class DocTag extends Tag {
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    const end = remaining.findIndex((each) => TypeGuards.isTagToken(each) && each.name === 'enddoc');
    if (end < 0) notClosed(token);
    remaining.splice(0, end + 1);
  }

  render() {}
}

/** liquidjs asks for a generator. */
function* given(templates: Template[]): Generator<unknown, Template[]> {
  yield;
  return templates;
}

function notClosed(token: TagToken): never {
  throw new Error(`tag ${token.getText()} not closed`);
}
