import type { Bindings, References } from './bindings.ts';
import type { Tokens } from './tokens.ts';

/** A way into an item as an expression writes it: names, placeholders of names, and positions in lists. */
export type PathText = readonly (string | number)[];

/** What is found while an expression is read. */
export type Scope = References & {
  names: Set<string>;
  values: Set<string>;
  /** Every path, as it is written. */
  paths: PathText[];
  /** Checks that need the request's names and values. */
  checks: ((bindings: Bindings) => void)[];
  /** Counts an operator or a function. */
  count(tokens: Tokens): void;
};

const OPERATORS_MAX = 300;

export function openScope(kind: string): Scope {
  let operators = 0;
  return {
    kind,
    names: new Set(),
    values: new Set(),
    paths: [],
    checks: [],
    count(tokens) {
      operators += 1;
      if (operators > OPERATORS_MAX)
        throw tokens.refused(
          `The expression contains too many operators; maximum operator count: ${OPERATORS_MAX}`,
        );
    },
  };
}
