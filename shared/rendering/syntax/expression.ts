import type { Context, Token } from 'liquidjs';

type Evaluation = Generator<unknown, unknown, unknown>;

export type Expression = {
  initial: { postfix: readonly Token[]; evaluate(context: Context, isLenient?: boolean): Evaluation };
  filters: readonly { args: readonly unknown[]; render(value: unknown, context: Context): Evaluation }[];
};

/** liquidjs has two classes for a value with filters. */
export function isExpression(value: unknown): value is Expression {
  return typeof value === 'object' && value !== null && 'initial' in value && 'filters' in value;
}
