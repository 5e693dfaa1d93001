import { type Context, evalToken, type Template, type Token, TypeGuards } from 'liquidjs';
import { isExpression } from '../syntax/expression.ts';
import { RenderProblem } from './limits.ts';

type Steps = Generator<unknown, void, unknown>;

/** A value that every filter accepts: whether a filter accepts its own arguments does not depend on it. */
const ANY_VALUE = 1;

/**
 * Evaluates everything in parsed templates that does not depend on variables: constants, ranges of constants, and filters whose
 * arguments are constants. Throws RenderProblem, with its template's token, for what always fails to render. Yields inner
 * templates, so that `drive` counts them.
 */
export function* checkConstants(templates: readonly Template[], context: Context): Steps {
  for (const template of templates) {
    for (const argument of template.arguments?.() ?? []) {
      try {
        yield checkValue(argument, context);
      } catch (error) {
        if (error instanceof RenderProblem) throw new ConstantProblem(error, template.token);
        // A value of another kind than the filter expects: its result would not be used.
      }
    }
    if (template.children) {
      yield checkConstants((yield template.children(false, true)) as Template[], context);
    }
  }
}

/** A problem at the place of the tag or merge tag that has it. */
class ConstantProblem extends Error {
  readonly originalError: RenderProblem;
  readonly token: Token;

  constructor(originalError: RenderProblem, token: Token) {
    super(originalError.message);
    this.originalError = originalError;
    this.token = token;
  }
}

function* checkValue(value: unknown, context: Context): Steps {
  if (!isExpression(value)) {
    if (TypeGuards.isRangeToken(value) && isConstant(value)) yield evalToken(value, context);
    return;
  }
  const { initial, filters } = value;
  let isKnown = initial.postfix.every(isConstant);
  for (const token of initial.postfix) if (TypeGuards.isRangeToken(token)) yield checkValue(token, context);
  if (filters.length === 0) return;
  let result: unknown = isKnown ? yield initial.evaluate(context, true) : ANY_VALUE;
  for (const filter of filters) {
    const isFixed = filter.args.every((each) => isConstant(Array.isArray(each) ? each[1] : each));
    if (isFixed) result = yield filter.render(result, context);
    isKnown &&= isFixed;
    if (!isKnown) result = ANY_VALUE;
  }
}

function isConstant(token: unknown): boolean {
  if (TypeGuards.isRangeToken(token)) return isConstant(token.lhs) && isConstant(token.rhs);
  return !TypeGuards.isPropertyAccessToken(token);
}
