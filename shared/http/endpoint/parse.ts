import type * as v from 'valibot';
import type { AnySchema } from '../../schemas/fields/any-schema.ts';
import type { FieldCode } from '../../schemas/fields/error.ts';
import { findMisfits, keyStep } from '../problems/misfits.ts';
import { PROBLEMS_MAX, type Problem } from '../problems/problems.ts';
import { nodeOf, type SchemaNode, unwrapped } from '../problems/schema-node.ts';

/** A union reports the problems of each option, so there are fewer problems than issues. */
const ISSUES_MAX = 10 * PROBLEMS_MAX;

/**
 * Parses `value` and adds its problems to `problems`, under `part` (`body`, `query`, `path`). Stops once
 * there are more problems than an error reports. `value` must have a limited depth.
 */
export function parsePart(part: string, schema: AnySchema, value: unknown, problems: Problem[]): unknown {
  const { problems: misfits, lists } = findMisfits(part, nodeOf(schema), value, PROBLEMS_MAX + 1);
  problems.push(...misfits);
  const { issues, output } = runSchema(schema, value, misfits.length > 0);
  if (issues.length === 0 && misfits.length === 0) return output;
  const found = issues.flatMap((each) => innermost(each, []));
  for (const { issue, path } of [...sizeIssues(schema, found), ...found]) {
    const steps = stepsOf(part, schema, path);
    const where = steps.at(-1) ?? part;
    const must = mustOf(issue);
    const isReported = problems.some(
      (each) => each.where === where && (each.must === must || misfits.includes(each)),
    );
    if (!isReported && !steps.some((step) => lists.has(step))) {
      problems.push({ where, must, code: codeOf(issue) });
    }
  }
  return undefined;
}

type Issue = v.BaseIssue<unknown>;

/**
 * Runs a schema until it has `ISSUES_MAX` issues: a body of two million wrong entries would otherwise fill the memory.
 * valibot reads `lang` once for each issue it makes, and `abortEarly` after each entry of a list or an object.
 * `isMisfit`: see `hasMisfits`.
 */
function runSchema(
  schema: AnySchema,
  value: unknown,
  isMisfit: boolean,
): { issues: readonly Issue[]; output: unknown } {
  let made = 0;
  const config: v.Config<Issue> & { isMisfit?: boolean } = {
    get lang() {
      made += 1;
      return undefined;
    },
    get abortEarly() {
      return made >= ISSUES_MAX;
    },
    isMisfit,
  };
  const dataset = schema['~run']({ value }, config);
  return { issues: dataset.issues ?? [], output: dataset.value };
}

type Path = readonly v.IssuePathItem[];
type Found = { issue: Issue; path: Path };

/** Returns what valibot does not report of a list or map with a wrong entry: that it also has too many. */
function sizeIssues(schema: AnySchema, found: readonly Found[]): Found[] {
  const holders = new Map<unknown, Found[]>();
  for (const { path } of found) {
    let node: SchemaNode | undefined = nodeOf(schema);
    for (const [depth, { input, key }] of path.entries()) {
      node = node && unwrapped(node, Array.isArray(input) ? 'item' : 'entries');
      if (node && !holders.has(input)) holders.set(input, sizeIssuesOf(node, input, path.slice(0, depth)));
      node = node?.entries?.[String(key)] ?? node?.item ?? node?.value;
    }
  }
  return [...holders.values()].flat();
}

function sizeIssuesOf({ type, pipe = [] }: SchemaNode, value: unknown, path: Path): Found[] {
  const checks = pipe.filter(
    (each) => each.type === 'max_length' || (type === 'record' && each.type === 'check'),
  );
  return checks.flatMap((each) => {
    const { issues = [] } = each['~run']({ typed: true, value } as never, {});
    return issues.map((issue) => ({ issue, path }));
  });
}

/**
 * Returns the issues inside the option of a union that matches the value's form; otherwise the issue itself.
 */
function innermost(issue: Issue, above: Path): Found[] {
  const path = [...above, ...(issue.path ?? [])];
  const inside = (issue.issues ?? []).filter((each) => each.path !== undefined);
  return inside.length === 0 ? [{ issue, path }] : inside.flatMap((each) => innermost(each, path));
}

function stepsOf(part: string, schema: AnySchema, path: Path): string[] {
  let where = part;
  const steps = [where];
  let current: SchemaNode | undefined = nodeOf(schema);
  for (const step of path) {
    current = current && unwrapped(current, typeof step.key === 'number' ? 'item' : 'entries');
    const entry: SchemaNode | undefined = current?.entries?.[String(step.key)];
    if (typeof step.key === 'number') where += `[${step.key}]`;
    else where += entry ? `.${String(step.key)}` : keyStep(String(step.key));
    steps.push(where);
    current = entry ?? current?.item ?? current?.value;
  }
  return steps;
}

const CODES: Readonly<Record<string, FieldCode>> = {
  min_value: 'TOO_SMALL',
  max_value: 'TOO_LARGE',
  min_length: 'TOO_SHORT',
  max_length: 'TOO_LONG',
  integer: 'WRONG_TYPE',
  picklist: 'UNKNOWN_VALUE',
  literal: 'UNKNOWN_VALUE',
  variant: 'UNKNOWN_VALUE',
};

function codeOf(issue: Issue): FieldCode {
  if (issue.expected === 'never') return 'NOT_ALLOWED';
  if (issue.kind === 'schema' && issue.received === 'undefined') return 'REQUIRED';
  return CODES[issue.type] ?? (issue.kind === 'schema' ? 'WRONG_TYPE' : 'INVALID');
}

/** Returns what the value must be, from the schema only: valibot's default text would repeat the value. */
function mustOf(issue: Issue): string {
  if (issue.kind === 'schema' && issue.received === 'undefined') return 'is required';
  const isOwn =
    ['check', 'partial_check', 'raw_check'].includes(issue.type) || issue.message.startsWith('must ');
  if (issue.kind === 'validation' && isOwn) return issue.message;
  if (issue.kind === 'schema' && issue.type === 'record' && issue.expected === null)
    return 'must be an object';
  if (issue.expected === 'never') return 'is not allowed here';
  const limit =
    'requirement' in issue && typeof issue.requirement === 'number' ? issue.requirement : undefined;
  switch (issue.type) {
    case 'min_value':
      return `must be at least ${limit}`;
    case 'max_value':
      return `must be at most ${limit}`;
    case 'min_length':
      if (typeof issue.input === 'string' && limit === 1) return 'must not be empty';
      return `must have at least ${limit} ${partsOf(issue.input, limit)}`;
    case 'max_length':
      return `must have at most ${limit} ${partsOf(issue.input, limit)}`;
    case 'integer':
      return 'must be an integer';
    case 'picklist':
    case 'literal':
    case 'variant':
    case 'union':
      return `must be one of ${expectedOf(issue)}`;
    default:
      return `must be ${expectedOf(issue)}`;
  }
}

/** The unit of a length limit. */
function partsOf(value: unknown, limit: number | undefined): string {
  if (typeof value === 'string') return limit === 1 ? 'character' : 'characters';
  return limit === 1 ? 'entry' : 'entries';
}

function expectedOf(issue: Issue): string {
  const names: Record<string, string> = {
    string: 'text',
    number: 'a number',
    boolean: 'true or false',
    Object: 'an object',
    Array: 'a list',
    null: 'null',
  };
  const expected = issue.expected ?? 'valid';
  const options = expected.replace(/^\((.*)\)$/, '$1').split(' | ');
  return options.map((each) => names[each] ?? each).join(', ');
}
