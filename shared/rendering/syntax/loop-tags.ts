import {
  type Context,
  type Emitter,
  evalToken,
  ForTag,
  type Liquid,
  type Parser,
  TablerowTag,
  type TagToken,
  type TopLevelToken,
  toValue,
} from 'liquidjs';
import { spendMemory } from '../liquid/limits.ts';
import { stateOf } from '../liquid/scope.ts';
import { tokenThat } from './bounded-tokens.ts';

/** `{% for %}`, whose list is paid for. */
export class PaidForTag extends ForTag {
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid, parser);
    this.collection = paidCollection(this.collection);
  }
}

/** `{% tablerow %}` as Liquid writes it: rows on lines of their own, `break` and `continue`. */
export class PaidTablerowTag extends TablerowTag {
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid, parser);
    this.collection = paidCollection(this.collection);
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const { offset, limit, cols } = (yield this.args.render(context)) as Record<string, unknown>;
    const all = listOf(yield evalToken(this.collection, context));
    const start = integerOf(offset) ?? 0;
    const list = all.slice(start, start + (integerOf(limit) ?? all.length));
    const columns = Math.max(integerOf(cols) ?? list.length, 1);
    const loop = { ...loopOf(list.length), ...cellOf(0, columns) };
    const scope: Record<string, unknown> = Object.assign(Object.create(null), { tablerowloop: loop });
    context.push(scope);
    emitter.write('<tr class="row1">\n');
    for (const [index, item] of list.entries()) {
      scope[this.variable] = item;
      Object.assign(loop, positionOf(index, list.length), cellOf(index, columns));
      if (loop.col_first && index > 0) emitter.write(`</tr>\n<tr class="row${loop.row}">`);
      emitter.write(`<td class="col${loop.col}">`);
      yield this.liquid.renderer.renderTemplates(this.templates, context, emitter);
      emitter.write('</td>');
      const isOver = context.breakCalled;
      context.breakCalled = context.continueCalled = false;
      if (isOver) break;
    }
    emitter.write('</tr>\n');
    context.pop();
  }
}

const loopOf = (length: number) => ({ length, ...positionOf(0, length) });

function positionOf(index: number, length: number) {
  return {
    index: index + 1,
    index0: index,
    rindex: length - index,
    rindex0: length - index - 1,
    first: index === 0,
    last: index === length - 1,
  };
}

function cellOf(index: number, columns: number) {
  const col0 = index % columns;
  return {
    row: Math.floor(index / columns) + 1,
    col: col0 + 1,
    col0,
    col_first: col0 === 0,
    col_last: col0 === columns - 1,
  };
}

function listOf(value: unknown): unknown[] {
  const plain: unknown = toValue(value);
  if (Array.isArray(plain)) return plain;
  if (typeof plain === 'string') return plain === '' ? [] : [plain];
  return typeof plain === 'object' && plain !== null ? Object.entries(plain) : [];
}

function integerOf(value: unknown): number | undefined {
  const number = Math.trunc(Number(toValue(value) ?? Number.NaN));
  return Number.isNaN(number) ? undefined : Math.max(number, 0);
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
