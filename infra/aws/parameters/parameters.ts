import { SETTINGS } from '../../../shared/runtime/settings.ts';
import { findJson } from '../../../shared/runtime/values/find-json.ts';
import { CONTEXT, type Count, type Parameter, PROVIDER_SETTINGS, type Text } from './parameter-table.ts';

/** Thrown for invalid parameters: its message is printed to the operator unchanged. */
export class ParameterError extends Error {
  constructor(problems: readonly string[]) {
    const list = problems.length === 1 ? ` ${problems[0]}` : `\n  ${problems.join('\n  ')}`;
    super(`These parameters are invalid:${list}`);
    this.name = 'ParameterError';
  }
}

type ValueOf<P> = P extends { kind: 'text' }
  ? string
  : P extends { kind: 'number' }
    ? number
    : P extends { kind: 'flag' }
      ? boolean
      : P extends { kind: 'choice'; values: readonly (infer T)[] }
        ? T
        : P extends { kind: 'numbers' }
          ? Readonly<Record<string, number>>
          : Readonly<Record<string, string>>;

type Given = { -readonly [K in keyof typeof CONTEXT]: ValueOf<(typeof CONTEXT)[K]> };

/** The parameters of a deployment; `isProtected`, `hasAlarms` and `hasDashboard` are decided from `protection`, `alarms` and `dashboard`. */
export type Parameters = Given & { isProtected: boolean; hasAlarms: boolean; hasDashboard: boolean };

/** Name, default and meaning of every parameter, for help texts and the README. */
export const PARAMETERS: readonly { name: string; about: string; fallback: unknown }[] = Object.entries(
  CONTEXT,
).map(([name, parameter]) => ({
  name,
  about: parameter.about,
  fallback: 'fallback' in parameter ? parameter.fallback : {},
}));

const PROTECTED_STAGE = /^(prod|live)/;
/** Names and values that would put a credential into a template. */
const SECRET_NAME = /(^|_)(SECRET|PASSWORD|PRIVATE|CREDENTIAL|API_KEY|AUTH_TOKEN|ACCESS_TOKEN)(_|S?$)/;
const SECRET_VALUE = /:\/\/[^/:]*:[^/]*@|-----BEGIN|^(sk|rk)_(live|test)_/;

/** Names of the CDK's own context have a colon, a slash or a dash. */
const PARAMETER_NAME = /^\w+$/;

/** Reads the parameters from CDK context; throws one `ParameterError` with everything that is wrong. */
export function readParameters(context: Readonly<Record<string, unknown>>): Parameters {
  const problems = Object.keys(context)
    .filter((name) => PARAMETER_NAME.test(name) && !Object.hasOwn(CONTEXT, name))
    .map((name) => `${name}: there is no such parameter`);
  const read = Object.entries(CONTEXT).map(([name, parameter]): [string, unknown] => {
    const value = context[name];
    if (value === undefined || value === null) return [name, fallbackOf(parameter)];
    const parsed = parse(parameter, value);
    if (parsed === undefined) problems.push(`${name}: ${expectationOf(parameter)}`);
    return [name, parsed];
  });
  const parameters = asGiven(Object.fromEntries(read));
  if (problems.length === 0) problems.push(...conflictsOf(parameters));
  if (problems.length > 0) throw new ParameterError(problems);
  const isProtected =
    parameters.protection === 'on' ||
    (parameters.protection === 'auto' && PROTECTED_STAGE.test(parameters.stage));
  const hasAlarms = parameters.alarms === 'on' || (parameters.alarms === 'auto' && isProtected);
  const hasDashboard = parameters.dashboard === 'on' || (parameters.dashboard === 'auto' && isProtected);
  return { ...parameters, isProtected, hasAlarms, hasDashboard };
}

/** Returns the context of a construct's properties: lists as text, and the provider of a channel as its setting. */
export function contextOf(props: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(props).filter(([name]) => !Object.hasOwn(PROVIDER_SETTINGS, name));
  const providers = Object.entries(PROVIDER_SETTINGS).flatMap(([name, setting]) => {
    const given = props[name] as { provider: string | readonly string[] } | undefined;
    return given ? [[setting, [given.provider].flat().join(',')]] : [];
  });
  const context = Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  );
  if (providers.length === 0) return context;
  return { ...context, settings: { ...(props.settings as object), ...Object.fromEntries(providers) } };
}

/** Every parameter has been parsed by its own row of `CONTEXT`, which gives its type. */
function asGiven(values: Record<string, unknown>): Given {
  return values as Given;
}

function fallbackOf(parameter: Parameter): unknown {
  return 'fallback' in parameter ? parameter.fallback : {};
}

/** The command line gives every value as text. */
function parse(parameter: Parameter, value: unknown): unknown {
  switch (parameter.kind) {
    case 'text':
      return typeof value === 'string' && isShaped(value, parameter) ? value : undefined;
    case 'number':
      return wholeNumber(value, parameter);
    case 'flag':
      return value === true || value === 'true'
        ? true
        : value === false || value === 'false'
          ? false
          : undefined;
    case 'choice':
      return parameter.values.find((each) => each === value);
    case 'numbers':
      return mapOf(value, (each) => wholeNumber(each, parameter));
    case 'texts':
      return mapOf(value, (each) => (typeof each === 'string' ? each : undefined));
  }
}

/** A setting whose value is an integer, such as CREDENTIAL_REQUESTS_PER_SECOND, has no credential. */
function isNumeric(name: string): boolean {
  return Object.entries<object>(SETTINGS).some(([known, shape]) => known === name && 'integer' in shape);
}

/** Parameters that are empty by default may be empty. */
function isShaped(value: string, { shape, fallback }: Text): boolean {
  return shape === undefined || shape.pattern.test(value) || (value === '' && fallback === '');
}

function wholeNumber(
  value: unknown,
  { min, max, values }: Pick<Count, 'min' | 'max' | 'values'>,
): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) return undefined;
  return number >= min && number <= max && (values?.includes(number) ?? true) ? number : undefined;
}

function mapOf<T>(value: unknown, read: (each: unknown) => T | undefined): Record<string, T> | undefined {
  const object = typeof value === 'string' ? findJson(value) : value;
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return undefined;
  const entries = Object.entries(object).map(([name, each]): [string, T | undefined] => [name, read(each)]);
  const known = entries.filter((entry): entry is [string, T] => entry[1] !== undefined);
  return known.length === entries.length ? Object.fromEntries(known) : undefined;
}

function expectationOf(parameter: Parameter): string {
  switch (parameter.kind) {
    case 'text':
      return parameter.shape ? parameter.shape.expected : 'text';
    case 'number':
      return parameter.values
        ? `one of ${parameter.values.join(', ')}`
        : `an integer from ${parameter.min} to ${parameter.max}`;
    case 'flag':
      return 'true or false';
    case 'choice':
      return `one of ${parameter.values.join(', ')}`;
    case 'numbers':
      return `a JSON object of integers from ${parameter.min} to ${parameter.max} by name`;
    case 'texts':
      return 'a JSON object of strings by name';
  }
}

function conflictsOf(parameters: Given): string[] {
  const problems: string[] = [];
  if (parameters.domainName && !parameters.certificateArn) problems.push('domainName: needs certificateArn');
  if (parameters.certificateArn && !parameters.domainName) problems.push('certificateArn: needs domainName');
  if (parameters.hostedZoneId && !parameters.domainName) problems.push('hostedZoneId: needs domainName');
  if (parameters.assignedAddress === 'off' && !parameters.domainName)
    problems.push('assignedAddress: off needs domainName');
  if (parameters.tableName && !parameters.tableStreamArn) problems.push('tableName: needs tableStreamArn');
  if (
    parameters.tableStreamArn &&
    !parameters.tableStreamArn.includes(`:table/${parameters.tableName}/stream/`)
  )
    problems.push('tableStreamArn: is not a stream of tableName');
  if (parameters.restoredUntil && !parameters.tableName) problems.push('restoredUntil: needs tableName');
  if (parameters.monthlyBudgetUsd > 0 && !parameters.alarmAddress)
    problems.push('monthlyBudgetUsd: needs alarmAddress');
  if (parameters.sesReceiving && !parameters.mailDomain) problems.push('sesReceiving: needs mailDomain');
  if (parameters.warmReadUnits > 0 && parameters.warmReadUnits < 12_000)
    problems.push('warmReadUnits: at least 12000, or 0');
  if (parameters.warmWriteUnits > 0 && parameters.warmWriteUnits < 4000)
    problems.push('warmWriteUnits: at least 4000, or 0');
  const { EDGE_HEADER_SHA256: edge = '', CLIENT_ADDRESS_HEADER: address } = parameters.settings;
  if (edge && !/^[0-9a-f]{64}(\s*,\s*[0-9a-f]{64})?$/i.test(edge))
    problems.push(
      'settings: EDGE_HEADER_SHA256 must be one or two SHA-256 hashes in hexadecimal, with a comma between them',
    );
  if (address && !edge)
    problems.push(
      'settings: CLIENT_ADDRESS_HEADER needs EDGE_HEADER_SHA256, or anybody could state an address',
    );
  for (const [name, value] of Object.entries(parameters.settings)) {
    if ((SECRET_NAME.test(name) && !isNumeric(name)) || SECRET_VALUE.test(value))
      problems.push(`settings: ${name} is a credential, put it in the secret of secretsArn`);
  }
  return problems;
}
