/** One statement of an IAM policy, as the template has it with its references resolved. */
export type Statement = {
  Effect: 'Allow' | 'Deny';
  Action: string | string[];
  Resource?: string | string[];
  Principal?: unknown;
  Condition?: Record<string, Record<string, string | string[]>>;
};

/** A call's request in IAM's terms. Condition keys with several values have an array. */
export type Request = {
  action: string;
  resource: string;
  context?: Readonly<Record<string, string | readonly string[]>>;
};

/** Evaluates identity policies as IAM does: allowed by some statement and denied by none. */
export function isAllowed(statements: readonly Statement[], request: Request): boolean {
  const matching = statements.filter((statement) => appliesTo(statement, request));
  return (
    matching.some(({ Effect }) => Effect === 'Allow') && !matching.some(({ Effect }) => Effect === 'Deny')
  );
}

/** Returns true if a statement's actions, resources and conditions match a request. */
export function appliesTo(
  { Action, Resource = '*', Condition = {} }: Statement,
  { action, resource, context = {} }: Request,
) {
  return (
    listOf(Action).some((pattern) => isLike(pattern.toLowerCase(), action.toLowerCase())) &&
    listOf(Resource).some((pattern) => isLike(pattern, resource)) &&
    Object.entries(Condition).every(([operator, keys]) =>
      Object.entries(keys).every(([key, wanted]) => holds(operator, listOf(wanted), context[key])),
    )
  );
}

type Values = string | readonly string[] | undefined;

/** Throws for an operator that is not evaluated here, so that none is skipped. */
function holds(operator: string, wanted: readonly string[], given: Values): boolean {
  const [quantifier, base = quantifier] = operator.includes(':')
    ? operator.split(':')
    : [undefined, operator];
  const isMatch = COMPARISONS[base ?? ''];
  if (!isMatch) throw new Error(`the condition operator ${operator} is not evaluated here`);
  const values = given === undefined ? [] : listOf(given);
  const passes = (value: string) => wanted.some((pattern) => isMatch(pattern, value));
  if (quantifier === 'ForAllValues') return values.every(passes);
  if (values.length === 0) return false;
  return quantifier === 'ForAnyValue' ? values.some(passes) : values.length === 1 && values.every(passes);
}

const COMPARISONS: Readonly<Record<string, (pattern: string, value: string) => boolean>> = {
  StringEquals: (pattern, value) => pattern === value,
  StringLike: isLike,
  ArnEquals: isLike,
  ArnLike: isLike,
  Bool: (pattern, value) => pattern === value,
  NumericLessThan: (limit, value) => Number(value) < Number(limit),
};

/** Compares with IAM's wildcards `*` and `?`. */
function isLike(pattern: string, text: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^]*')
    .replaceAll('?', '[^]');
  return new RegExp(`^${source}$`).test(text);
}

/** A value or a list of values as a list. */
export function listOf<T>(value: T | readonly T[]): readonly T[] {
  return isList(value) ? value : [value];
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}
