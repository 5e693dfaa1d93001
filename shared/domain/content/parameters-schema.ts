import { createContext, Script } from 'node:vm';
import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';

/** A place in a schema or in parameters, such as `items[0].sku`, and what must be true there. */
export type SchemaProblem = { path: string; must: string };

type Fields = Readonly<Record<string, unknown>>;

const CHECK_MS_MAX = 250;
const VALUE_SHOWN_MAX = 200;

/** Keywords whose value is a schema, an object of schemas or a list of schemas. */
const ONE =
  'additionalProperties contains else if items not propertyNames then unevaluatedItems unevaluatedProperties';
const NAMED = '$defs definitions dependentSchemas patternProperties properties';
const LISTED = 'allOf anyOf oneOf prefixItems';
const nested = new Map(
  Object.entries({ one: ONE, named: NAMED, listed: LISTED }).flatMap(([kind, names]) =>
    names.split(' ').map((name): [string, string] => [name, kind]),
  ),
);

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
const isTextList = (value: unknown) => Array.isArray(value) && value.every(isText);

/** What the values of the other keywords must be. */
const RULES: readonly [names: string, must: string, test: (value: unknown) => boolean][] = [
  ['maximum minimum exclusiveMaximum exclusiveMinimum', 'must be a number', isNumber],
  ['multipleOf', 'must be a number above 0', (value) => isNumber(value) && Number(value) > 0],
  [
    'maxItems minItems maxLength minLength maxProperties minProperties maxContains minContains',
    'must be an integer from 0',
    isCount,
  ],
  ['title description $comment $anchor format', 'must be a string', isText],
  ['uniqueItems', 'must be true or false', (value) => typeof value === 'boolean'],
  ['required', 'must be a list of names', isTextList],
  [
    'dependentRequired',
    'must be an object of lists of names',
    (value) => isObject(value) && Object.values(value).every(isTextList),
  ],
  ['enum', 'must be a list that is not empty', (value) => Array.isArray(value) && value.length > 0],
  [
    'type',
    `must be one of ${TYPES.join(', ')}, or a list of them`,
    (value) => [value].flat().every((each) => TYPES.includes(String(each))) && [value].flat().length > 0,
  ],
  ['pattern', 'must be a regular expression with the flag u', isPattern],
  [
    '$schema',
    'must be https://json-schema.org/draft/2020-12/schema',
    (value) => value === 'https://json-schema.org/draft/2020-12/schema',
  ],
  ['$id $dynamicRef $dynamicAnchor $recursiveRef $vocabulary', 'is not supported', () => false],
];
const rules = new Map(
  RULES.flatMap(([names, must, test]) => names.split(' ').map((name) => [name, { must, test }] as const)),
);

function isPattern(value: unknown): boolean {
  try {
    return isText(value) && Boolean(new RegExp(String(value), 'u'));
  } catch {
    return false;
  }
}

/** Returns what is wrong with a schema of parameters: of JSON Schema 2020-12, with references into itself only. */
export function schemaProblems(root: unknown): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const anchors = new Set(JSON.stringify(root).match(/(?<="\$anchor":")[^"\\]+/g));
  const add = (path: string, must: string) => problems.push({ path, must });

  function check(schema: unknown, path: string): void {
    if (typeof schema === 'boolean') return;
    if (!isObject(schema)) return void add(path, 'must be a schema: an object, true or false');
    for (const [name, value] of Object.entries(schema))
      checkKeyword(name, value, path ? `${path}.${name}` : name);
  }

  function checkKeyword(name: string, value: unknown, path: string): void {
    const kind = nested.get(name);
    const rule = rules.get(name);
    if (name === '$ref' && !isKnownReference(root, anchors, value))
      add(path, 'must lead to a place in this schema, such as #/$defs/order');
    else if (kind === 'one') check(value, path);
    else if (kind === 'listed' && Array.isArray(value) && value.length > 0)
      for (const [index, each] of value.entries()) check(each, `${path}[${index}]`);
    else if (kind === 'named' && isObject(value))
      for (const [key, each] of Object.entries(value)) {
        if (name === 'patternProperties' && !isPattern(key))
          add(path, `has a name that ${rules.get('pattern')?.must}`);
        check(each, `${path}.${key}`);
      }
    else if (kind)
      add(path, `must be ${kind === 'named' ? 'an object' : 'a list that is not empty,'} of schemas`);
    else if (rule && !rule.test(value)) add(path, rule.must);
  }

  if (isObject(root)) check(root, '');
  else add('', 'must be an object');
  return problems;
}

function isKnownReference(root: unknown, anchors: ReadonlySet<string>, value: unknown): boolean {
  if (typeof value !== 'string' || !value.startsWith('#')) return false;
  if (!value.startsWith('#/')) return value === '#' || anchors.has(value.slice(1));
  const found = valueAt(root, value);
  return isObject(found) || typeof found === 'boolean';
}

/** The names in a JSON pointer. */
const namesIn = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => decoded(name).replaceAll('~1', '/').replaceAll('~0', '~'));

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** What a pointer leads to; a reference on the way is followed. */
function valueAt(root: unknown, pointer: string): unknown {
  return namesIn(pointer).reduce<unknown>((value, name) => {
    const next = (value as Fields | undefined)?.[name];
    return name === '$ref' && typeof next === 'string' && next.startsWith('#/') && pointer !== next
      ? valueAt(root, next)
      : next;
  }, root);
}

/** What parameters must be, by the keyword that they fail and its value. */
const MUST: Readonly<Record<string, (value: string) => string>> = {
  type: (value) => `must be of the type ${value}`,
  enum: (value) => `must be one of ${value}`,
  const: (value) => `must be ${value}`,
  pattern: (value) => `must match the pattern ${value}`,
  format: (value) => `must be of the format ${value}`,
  minimum: (value) => `must be at least ${value}`,
  maximum: (value) => `must be at most ${value}`,
  exclusiveMinimum: (value) => `must be above ${value}`,
  exclusiveMaximum: (value) => `must be below ${value}`,
  multipleOf: (value) => `must be a multiple of ${value}`,
  minLength: (value) => `must have at least ${value} characters`,
  maxLength: (value) => `must have at most ${value} characters`,
  minItems: (value) => `must have at least ${value} items`,
  maxItems: (value) => `must have at most ${value} items`,
  minProperties: (value) => `must have at least ${value} fields`,
  maxProperties: (value) => `must have at most ${value} fields`,
  uniqueItems: () => 'must not have an item twice',
  anyOf: () => 'must match one of the schemas of anyOf',
  oneOf: () => 'must match exactly one of the schemas of oneOf',
  not: () => 'must not match the schema of not',
  contains: () => 'must have an item that matches contains',
  dependentRequired: () => 'lacks a field that dependentRequired names',
  propertyNames: () => 'has a name that propertyNames excludes',
  required: () => 'is required',
  false: () => 'is not in the schema',
};

/** Failures of an alternative are not failures of the whole. */
const ALTERNATIVE = /\/(?:anyOf|oneOf)\/\d+\/|\/(?:contains|propertyNames)\//;

/** Keywords whose check may take long for its input; a time limit costs more than most checks. */
const SLOW = /"(?:pattern|patternProperties|format|uniqueItems|\$ref)"/;

/** Returns what is wrong with parameters by the text of a schema. Whatever the schema, this ends after a quarter of a second. */
export function parameterProblems(text: string, parameters: Fields): SchemaProblem[] {
  const schema: Schema = JSON.parse(text);
  try {
    const validate = () => new Validator(schema, '2020-12', false).validate(parameters);
    const { valid, errors } = SLOW.test(text) ? withinTime(validate) : validate();
    if (valid) return [];
    const leaves = errors.filter(
      ({ keyword, keywordLocation }) => MUST[keyword] && !ALTERNATIVE.test(keywordLocation),
    );
    const found = leaves.map((unit) => problemOf(schema, unit));
    const distinct = [...new Map(found.map((each) => [`${each.path} ${each.must}`, each])).values()];
    return distinct.length > 0
      ? distinct
      : [{ path: '', must: 'must match the parametersSchema of the type' }];
  } catch {
    const must = `cannot be checked within ${CHECK_MS_MAX} ms: simplify the patterns and references of parametersSchema`;
    return [{ path: '', must }];
  }
}

function problemOf(
  schema: Schema,
  { keyword, keywordLocation, instanceLocation, error }: OutputUnit,
): SchemaProblem {
  const missing = keyword === 'required' ? /"(.*)"/s.exec(error)?.[1] : undefined;
  const names = [...namesIn(instanceLocation), ...(missing === undefined ? [] : [missing])];
  const path = names.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`)).join('');
  const value = valueAt(schema, keywordLocation);
  const shown = typeof value === 'string' ? value : JSON.stringify([value]).slice(1, -1);
  return { path: path.replace(/^\./, ''), must: MUST[keyword]?.(shown.slice(0, VALUE_SHOWN_MAX)) ?? '' };
}

const guard: { run?: () => void } = createContext({});
const script = new Script('run()');

/** Ends a regular expression that backtracks without end. Throws then. */
function withinTime<T>(run: () => T): T {
  let result: { value: T } | undefined;
  guard.run = () => {
    result = { value: run() };
  };
  script.runInContext(guard, { timeout: CHECK_MS_MAX });
  if (!result) throw new Error('the check did not end');
  return result.value;
}
