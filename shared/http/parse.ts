import * as v from 'valibot';
import { AppError } from '../runtime/errors.ts';
import type { AnySchema } from '../schemas/any-schema.ts';

/** Most bytes a request body may have (API 1). */
export const BODY_BYTES_MAX = 6 * 1024 * 1024;

/** Most levels of objects and lists in a body: rules walk values recursively. */
export const BODY_DEPTH_MAX = 64;

const PROBLEMS_MAX = 20;

/** One problem of a request: where it is and what it must be instead. */
export type Problem = { where: string; must: string };

/**
 * The request body as a value: text is parsed as JSON whatever its content type, a direct event's object is taken as is.
 * Throws INVALID_JSON, or INVALID_REQUEST over 6 MB.
 */
export function parseBody(body: unknown): unknown {
  if (body === undefined || body === '') {
    throw new AppError('INVALID_JSON', { message: 'The request body is missing.', fix: 'Send a JSON body.' });
  }
  if (typeof body !== 'string') {
    assertDepth(depthOfValue(body));
    return body;
  }
  if (Buffer.byteLength(body) > BODY_BYTES_MAX) {
    throw new AppError('INVALID_REQUEST', {
      message: 'The request body is over 6 MB.',
      fix: 'Send a smaller body; link large files by URL.',
    });
  }
  assertDepth(depthOf(body));
  try {
    return JSON.parse(body);
  } catch {
    throw new AppError('INVALID_JSON', {
      message: 'The request body is not valid JSON.',
      fix: 'Check quotes, commas and braces.',
    });
  }
}

function assertDepth(depth: number): void {
  if (depth <= BODY_DEPTH_MAX) return;
  throw new AppError('INVALID_REQUEST', {
    message: `The request body is nested more than ${BODY_DEPTH_MAX} levels deep.`,
    fix: 'Send a flatter body.',
  });
}

/** How many levels of objects and lists a value has, without recursion; one past the limit is counted last. */
function depthOfValue(value: unknown): number {
  let depth = 0;
  let holders = [value].filter(isHolder);
  while (holders.length > 0 && depth <= BODY_DEPTH_MAX) {
    depth += 1;
    holders = holders.flatMap((each) => Object.values(each).filter(isHolder));
  }
  return depth;
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** How deep brackets nest outside strings. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let isString = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (isString) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) isString = false;
    } else if (code === QUOTE) isString = true;
    else if (code === BRACE || code === BRACKET) deepest = Math.max(deepest, ++depth);
    else if (code === BRACE + 2 || code === BRACKET + 2) depth -= 1;
  }
  return deepest;
}

const [QUOTE, BACKSLASH, BRACKET, BRACE] = [34, 92, 91, 123];

/** Parses `value` and gathers what is wrong with it in `problems`, under `part` (`body`, `query`, `path`). */
export function parsePart(part: string, schema: AnySchema, value: unknown, problems: Problem[]): unknown {
  const lists = listsForObjects(part, nodeOf(schema), value);
  problems.push(...lists.map((where) => ({ where, must: 'must be a JSON object' })));
  const result = v.safeParse(schema, value);
  if (result.success && lists.length === 0) return result.output;
  for (const { issue, path } of (result.issues ?? []).flatMap((each) => innermost(each, []))) {
    const where = whereOf(part, schema, path);
    if (!lists.some((list) => where.startsWith(list))) problems.push({ where, must: mustOf(issue) });
  }
  return undefined;
}

type Path = readonly v.IssuePathItem[];

/** What is wrong inside the option of a union that the value has the form of; else the issue itself. */
function innermost(issue: v.BaseIssue<unknown>, above: Path): { issue: v.BaseIssue<unknown>; path: Path }[] {
  const path = [...above, ...(issue.path ?? [])];
  const inside = (issue.issues ?? []).filter((each) => each.path !== undefined);
  return inside.length === 0 ? [{ issue, path }] : inside.flatMap((each) => innermost(each, path));
}

/** Where `value` has a list that must be an object: to valibot a list is an object without the named fields. */
function listsForObjects(where: string, node: SchemaNode, value: unknown): string[] {
  const { type, entries, item } = unwrapped(node);
  if (Array.isArray(value)) {
    if (type === 'object' || type === 'record') return [where];
    return item ? value.flatMap((each, index) => listsForObjects(`${where}[${index}]`, item, each)) : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const given: Record<string, unknown> = { ...value };
  return Object.entries(entries ?? {}).flatMap(([name, entry]) =>
    listsForObjects(`${where}.${name}`, entry, given[name]),
  );
}

/** Throws INVALID_REQUEST naming all problems at once; does nothing when there are none. */
export function assertNoProblems(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const sentences = problems.slice(0, PROBLEMS_MAX).map((problem) => `${problem.where} ${problem.must}`);
  const more = problems.length - sentences.length;
  throw new AppError('INVALID_REQUEST', {
    message: `${sentences.join('; ')}${more > 0 ? `; and ${more} more problems` : ''}.`,
    fix: 'Correct the named fields; GET /openapi.json has the shape of every request.',
  });
}

function whereOf(part: string, schema: AnySchema, path: Path): string {
  let where = part;
  let current: SchemaNode | undefined = nodeOf(schema);
  for (const step of path) {
    current = current && unwrapped(current);
    const entry: SchemaNode | undefined = current?.entries?.[String(step.key)];
    if (typeof step.key === 'number') where += `[${step.key}]`;
    else where += entry ? `.${String(step.key)}` : '.*';
    current = entry ?? current?.item ?? current?.value;
  }
  return where;
}

/** The parts of a valibot schema that lead to the schemas inside it. */
type SchemaNode = {
  type?: string;
  wrapped?: SchemaNode;
  entries?: Record<string, SchemaNode>;
  item?: SchemaNode;
  value?: SchemaNode;
  options?: SchemaNode[];
};

/** Every valibot schema may carry these parts; those without them simply end the walk. */
function nodeOf(schema: AnySchema): SchemaNode {
  return schema as AnySchema & SchemaNode;
}

/** The schema inside optional ones; of a union the option with named fields. */
function unwrapped(schema: SchemaNode): SchemaNode {
  if (schema.wrapped) return unwrapped(schema.wrapped);
  const options = schema.type === 'union' ? schema.options : undefined;
  return options?.map(unwrapped).find(({ entries }) => entries) ?? schema;
}

/** What the value must be, from the schema alone: valibot's default text would repeat the caller's value. */
function mustOf(issue: v.BaseIssue<unknown>): string {
  if (issue.kind === 'schema' && issue.received === 'undefined') return 'is required';
  if (issue.kind === 'validation' && ['check', 'partial_check', 'raw_check'].includes(issue.type))
    return issue.message;
  if (issue.kind === 'schema' && issue.type === 'record' && issue.expected === null)
    return 'must be a JSON object';
  if (issue.expected === 'never') return 'must not be there';
  const limit =
    'requirement' in issue && typeof issue.requirement === 'number' ? issue.requirement : undefined;
  switch (issue.type) {
    case 'min_value':
      return `must be at least ${limit}`;
    case 'max_value':
      return `must be at most ${limit}`;
    case 'min_length':
      return `must have at least ${limit} characters or entries`;
    case 'max_length':
      return `must have at most ${limit} characters or entries`;
    case 'integer':
      return 'must be a whole number';
    case 'picklist':
    case 'literal':
    case 'variant':
    case 'union':
      return `must be one of ${expectedOf(issue)}`;
    default:
      return `must be ${expectedOf(issue)}`;
  }
}

function expectedOf(issue: v.BaseIssue<unknown>): string {
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
