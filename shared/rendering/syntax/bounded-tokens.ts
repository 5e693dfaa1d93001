import {
  type Context,
  evalTokenValue,
  type PropertyAccessToken,
  type RangeToken,
  type Token,
  Tokenizer,
  TokenKind,
  TypeGuards,
  toValue,
  type ValueToken,
} from 'liquidjs';
import { RANGE_NUMBERS_MAX, RenderProblem } from '../liquid/limits.ts';
import { WholeDecimal } from '../values/typed-values.ts';

type Evaluation = Generator<unknown, unknown, unknown>;

/**
 * A token with a replaced evaluation. liquidjs reads only the kind of a filtered value, its expression's
 * `evaluate`, its filters and, for the names of loops, its text; to find variables, its `postfix`.
 */
export function tokenThat(token: Token, evaluate: (context: Context) => Evaluation): ValueToken {
  const { input, begin, end, file } = token;
  const place = { input, begin, end, file, getText: () => token.getText() };
  return {
    ...place,
    kind: TokenKind.FilteredValue,
    filters: [],
    initial: { evaluate, postfix: [token] },
  } as unknown as ValueToken;
}

const readGroupOrRange = Tokenizer.prototype.readGroupOrRange;

/**
 * liquidjs counts through a range in steps of 1, which never ends if the numbers are too large to be counted (from 2 to the power
 * of 53). Ranges are also read from text while rendering (`group_by`), so the ends are checked when ranges are read.
 */
Tokenizer.prototype.readGroupOrRange = function (this: Tokenizer) {
  const token = readGroupOrRange.call(this);
  return TypeGuards.isRangeToken(token) ? boundedRange(token) : token;
};

const { readNumber, readTagToken } = Tokenizer.prototype;
/** Private in its types. */
const hidden = Tokenizer.prototype as unknown as {
  readProperties(this: Tokenizer, isBegin?: boolean): PropertyAccessToken['props'];
};
const { readProperties } = hidden;
type Unparsed = { rawBeginAt: number };

const DOC = /\{%-?\s*doc\b/y;
const END_OF_DOC = /\{%-?\s*enddoc\s*-?%\}/g;
const END_OF_RAW = /\{%-?\s*endraw\s*-?%\}/g;

/** liquidjs parses the content of `doc`. */
Tokenizer.prototype.readTagToken = function (this: Tokenizer, options) {
  const begin = this.p;
  const token = readTagToken.call(this, options);
  if (token.name === 'doc') Object.assign(this, { rawBeginAt: begin } satisfies Unparsed);
  return token;
};

/** liquidjs does not know `{%- endraw %}`. */
Tokenizer.prototype.readEndrawOrRawContent = function (this: Tokenizer, options) {
  const { rawBeginAt } = this as unknown as Unparsed;
  DOC.lastIndex = rawBeginAt;
  const isDoc = DOC.test(this.input);
  const end = isDoc ? END_OF_DOC : END_OF_RAW;
  end.lastIndex = this.p;
  const [found] = end.exec(this.input) ?? [];
  if (found === undefined) {
    throw this.error(isDoc ? 'tag {% doc %} not closed' : 'raw tag not closed', this.p);
  }
  if (!this.input.startsWith(found, this.p)) return this.readHTMLToken([found]);
  Object.assign(this, { rawBeginAt: -1 } satisfies Unparsed);
  return readTagToken.call(this, options);
};

/** liquidjs reads `2.0` as the integer 2. */
Tokenizer.prototype.readNumber = function (this: Tokenizer) {
  const token = readNumber.call(this);
  const isWhole = token?.getText().includes('.') && Number.isInteger(token.content);
  if (token && isWhole) Object.assign(token, { content: new WholeDecimal(token.content) });
  return token;
};

/** liquidjs ends a path at white space and drops the rest: `user .name` printed the whole user. */
hidden.readProperties = function (isBegin = true) {
  const properties = readProperties.call(this, isBegin);
  while (properties.length > 0 || !isBegin) {
    const end = this.p;
    this.skipBlank();
    const isPath = this.peek() === '[' || (this.peek() === '.' && this.peek(1) !== '.');
    const more = isPath ? readProperties.call(this, false) : [];
    if (more.length === 0) {
      this.p = end;
      break;
    }
    properties.push(...more);
  }
  return properties;
};

function boundedRange(range: RangeToken): RangeToken {
  const { lhs, rhs } = range;
  range.lhs = tokenThat(lhs, function* (context): Evaluation {
    return endOf(yield evalTokenValue(lhs, context));
  });
  range.rhs = tokenThat(rhs, function* (context): Evaluation {
    const low = endOf(yield evalTokenValue(lhs, context));
    const high = endOf(yield evalTokenValue(rhs, context));
    if (high - low >= RANGE_NUMBERS_MAX) {
      throw new RenderProblem(`a range has more than ${RANGE_NUMBERS_MAX.toLocaleString('en-US')} numbers`);
    }
    return high;
  });
  return range;
}

function endOf(value: unknown): number {
  const plain: unknown = toValue(value);
  const number = typeof plain === 'number' || typeof plain === 'string' ? Math.trunc(Number(plain)) : 0;
  const end = Number.isNaN(number) ? 0 : number;
  if (Math.abs(end) > Number.MAX_SAFE_INTEGER)
    throw new RenderProblem('a range ends beyond the largest integer');
  return end;
}
