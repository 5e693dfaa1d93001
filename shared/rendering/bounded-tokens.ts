import {
  type Context,
  evalTokenValue,
  type RangeToken,
  type Token,
  Tokenizer,
  TokenKind,
  TypeGuards,
  type ValueToken,
} from 'liquidjs';
import { RANGE_NUMBERS_MAX, RenderProblem } from './limits.ts';

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
 * liquidjs counts from the low end of a range to the high one in steps of 1, which never ends if numbers are
 * too far apart to be counted (from 2 to the power of 53). Ranges are also read from text while rendering
 * (`where`), so the ends are checked when ranges are read.
 */
Tokenizer.prototype.readGroupOrRange = function (this: Tokenizer) {
  const token = readGroupOrRange.call(this);
  return TypeGuards.isRangeToken(token) ? boundedRange(token) : token;
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
  if (typeof value !== 'number' && typeof value !== 'string') return Number.NaN;
  const end = Number(value);
  if (Math.abs(end) > Number.MAX_SAFE_INTEGER)
    throw new RenderProblem('a range ends beyond the largest integer');
  return end;
}
