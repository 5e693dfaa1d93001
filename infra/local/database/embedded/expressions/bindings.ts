import { invalid } from '../rejected.ts';
import { checkedValue } from '../values/check.ts';
import { sizeOfValue } from '../values/sizes.ts';
import { field, type WireItem, type WireValue } from '../values/wire.ts';

export type GivenBindings = {
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: WireItem | undefined;
};

/** The same, checked. */
export type Bindings = { names: Record<string, string>; values: WireItem };

/** What an expression refers to, found when it is read. */
export type References = { kind: string; names: ReadonlySet<string>; values: ReadonlySet<string> };

const VALUES_BYTES_MAX = 2 * 1024 * 1024;
const NAME_BYTES_MAX = 65_535;
const PLACEHOLDER = /^[#:]\w+$/;

/** Checks that names and values are given and used. `fields` are the request's parameters with expressions. */
export function bind(
  given: GivenBindings,
  expressions: readonly (References | undefined)[],
  fields: readonly string[],
): Bindings {
  const read = expressions.filter((each) => each !== undefined);
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = given;
  if (!names && !values && read.every((each) => each.names.size + each.values.size === 0)) return NONE;
  if (read.length === 0) rejectWithoutExpression(given, fields);
  const bound = { names: checkedNames(names), values: checkedValues(values) };
  for (const each of read) rejectUndefined(each, bound);
  rejectUnused('ExpressionAttributeValues', bound.values, (name) =>
    read.some((each) => each.values.has(name)),
  );
  rejectUnused('ExpressionAttributeNames', bound.names, (name) => read.some((each) => each.names.has(name)));
  return bound;
}

const NONE: Bindings = { names: {}, values: {} };

function rejectWithoutExpression(given: GivenBindings, fields: readonly string[]): void {
  const absent = fields.length > 1 ? `${fields.join(', ')} are null` : `${fields[0] ?? 'expression'} is null`;
  for (const name of ['ExpressionAttributeNames', 'ExpressionAttributeValues'] as const)
    if (given[name]) throw invalid(`${name} can only be specified when using expressions: ${absent}`);
}

function checkedNames(names: Record<string, string> | undefined): Record<string, string> {
  if (!names) return {};
  rejectEmptyOrMisnamed('ExpressionAttributeNames', names, '#');
  for (const [name, value] of Object.entries(names)) {
    if (typeof value !== 'string' || value === '')
      throw invalid(`ExpressionAttributeNames contains invalid value: Empty attribute name for key ${name}`);
    if (Buffer.byteLength(value) > NAME_BYTES_MAX)
      throw invalid('ExpressionAttributeNames contains a name that is longer than 65535 bytes');
  }
  return names;
}

function checkedValues(values: WireItem | undefined): WireItem {
  if (!values) return {};
  rejectEmptyOrMisnamed('ExpressionAttributeValues', values, ':');
  let bytes = 0;
  const checked = Object.entries(values).map(([name, value]) => {
    const [, found] = [name, checkedBinding(name, value)];
    bytes += sizeOfValue(found);
    return [name, found] as const;
  });
  if (bytes > VALUES_BYTES_MAX) throw invalid('ExpressionAttributeValues exceeds the maximum size of 2 MB');
  return Object.fromEntries(checked);
}

function checkedBinding(name: string, value: WireValue): WireValue {
  try {
    return checkedValue(value);
  } catch (error) {
    if (!(error instanceof Error) || !('type' in error) || error.type !== 'ValidationException') throw error;
    throw invalid(`ExpressionAttributeValues contains invalid value: ${error.message} for key ${name}`);
  }
}

function rejectEmptyOrMisnamed(kind: string, given: object, sign: string): void {
  const names = Object.keys(given);
  if (names.length === 0) throw invalid(`${kind} must not be empty`);
  for (const name of names)
    if (!name.startsWith(sign) || !PLACEHOLDER.test(name))
      throw invalid(`${kind} contains invalid key: Syntax error; key: "${name}"`);
}

function rejectUndefined({ kind, names, values }: References, bound: Bindings): void {
  for (const name of names)
    if (field(bound.names, name) === undefined)
      throw invalid(
        `Invalid ${kind}: An expression attribute name used in the document path is not defined; attribute name: ${name}`,
      );
  for (const name of values)
    if (field(bound.values, name) === undefined)
      throw invalid(
        `Invalid ${kind}: An expression attribute value used in expression is not defined; attribute value: ${name}`,
      );
}

function rejectUnused(kind: string, given: object, isUsed: (name: string) => boolean): void {
  const unused = Object.keys(given).filter((name) => !isUsed(name));
  if (unused.length > 0)
    throw invalid(`Value provided in ${kind} unused in expressions: keys: {${unused.join(', ')}}`);
}
