import packageJson from '../package.json' with { type: 'json' };
import { isConditional, type ListedRoute, RESPONSE_STATUS, type Route } from '../shared/http/rows/route.ts';
import { ERRORS, type ErrorCode } from '../shared/runtime/errors.ts';
import { defined } from '../shared/runtime/values/defined.ts';
import type { AnySchema } from '../shared/schemas/fields/any-schema.ts';
import { LIMIT_DEFAULT, LIMIT_MAX } from '../shared/schemas/fields/list.ts';
import { CLAMPED } from './openapi/checks.ts';
import { withClosedRequests } from './openapi/closed-requests.ts';
import { refined } from './openapi/refine.ts';
import {
  ERROR_RESPONSES,
  errorOf,
  GATEWAY_RESPONSES,
  RESPONSE_HEADERS,
  SECURITY_SCHEMES,
  securityOf,
} from './openapi/responses.ts';
import { namedSchemas, schemaOf } from './openapi/schemas.ts';
import { tagOrderOf, tagTextOf } from './openapi/tags.ts';
import { EVENTS_TAG, webhookSchemas, webhooksOf } from './openapi/webhooks.ts';
import { ROUTES } from './routes.ts';

type Json = Record<string, unknown>;
type Operation = Json & { parameters: readonly Json[] };

/** Codes that every route with a credential or a body may return. */
const COMMON_ERRORS: readonly ErrorCode[] = ['INVALID_REQUEST', 'INTERNAL'];

/** Returns the OpenAPI 3.1 document of the route table. A test compares it with docs/openapi.json. */
export function buildOpenapi(routes: readonly ListedRoute[] = ROUTES): Json {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const row of routes) {
    const methods = paths[row.path] ?? {};
    methods[row.method.toLowerCase()] = operationOf(row);
    paths[row.path] = methods;
  }
  const webhooks = webhooksOf();
  const requests = withClosedRequests(sorted(paths), { ...namedSchemas(), ...webhookSchemas() }, webhooks);
  const shared = withSharedParameters(requests.paths as typeof paths);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Notification Delivery Service',
      version: packageJson.version,
      description:
        'Delivers notifications over EMAIL, INAPP_WEB, SMS, CALL, PUSH, WEB_PUSH and CHAT, from your own AWS account. If an ID has other characters than A-Za-z0-9._-, write it in a path as ~ and the base64url of its UTF-8.',
      contact: { name: 'The operator of this deployment' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The address that this document was requested from.' }],
    tags: [...new Set([...routes.map((row) => row.resource), EVENTS_TAG])]
      .sort((left, right) => tagOrderOf(left) - tagOrderOf(right))
      .map((name) => ({ name, description: tagTextOf(name) })),
    paths: shared.paths,
    webhooks,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: shared.parameters,
      headers: RESPONSE_HEADERS,
      responses: ERROR_RESPONSES,
      schemas: requests.schemas,
    },
  };
}

function sorted<T>(paths: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(paths).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function operationOf(row: ListedRoute): Operation {
  return {
    operationId: row.id,
    tags: [row.resource],
    summary: row.summary,
    description: [deprecationOf(row), row.description ?? `${row.summary}.`, adminsOf(row)]
      .filter(Boolean)
      .join(' '),
    security: securityOf(row),
    ...defined({ deprecated: row.deprecated && true }),
    parameters: [...parametersOf(row, 'path'), ...parametersOf(row, 'query'), ...headersOf(row)],
    ...defined({ requestBody: row.body ? requestBodyOf(row, row.body) : undefined }),
    responses: responsesOf(row),
  };
}

const deprecationOf = ({ deprecated }: Route) =>
  deprecated && `Use ${deprecated.successor}; this path works until ${deprecated.sunset.slice(0, 10)}.`;

/** `security` has the kinds of credential; no scheme has members' roles. */
const adminsOf = ({ access }: Route) => access !== 'none' && access.admin && 'Administrators only.';

function parametersOf(row: Route, place: 'path' | 'query'): Json[] {
  const schema = place === 'path' ? row.pathParameters : row.query;
  const parsed = schema ? schemaOf(schema) : undefined;
  const properties = (parsed?.properties ?? {}) as Record<string, Json>;
  const required = (parsed?.required ?? []) as string[];
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    description,
    schema: parameterSchema(name, property),
  }));
}

function headersOf(row: Route): Json[] {
  return [
    ...(row.idempotent ? [IDEMPOTENCY_KEY] : []),
    ...(isConditional(row) ? [IF_MATCH] : []),
    ...userHeadersOf(row),
  ];
}

const IDEMPOTENCY_KEY = {
  name: 'idempotency-key',
  in: 'header',
  required: false,
  description:
    'A repetition with the same key within 24 hours gets the same response, with the header idempotent-replayed, and has no further effect.',
  schema: { type: 'string', maxLength: 255 },
};

const IF_MATCH = {
  name: 'if-match',
  in: 'header',
  required: false,
  description:
    'The ETag of the state that the change is based on. If there is another one by now, the response is CHANGED_MEANWHILE with its ETag, and nothing is changed.',
  schema: { type: 'string' },
};

function userHeadersOf(row: Route): Json[] {
  if (row.access === 'none' || row.access.self === undefined) return [];
  const userHash = {
    name: 'x-user-hash',
    in: 'header',
    required: false,
    description:
      'Base64 HMAC-SHA256 of the user ID with the client secret; required of public keys in secure mode.',
    schema: { type: 'string' },
  };
  if (row.access.self !== 'userId') return [userHash];
  const userId = {
    name: 'x-user-id',
    in: 'header',
    required: false,
    description: 'The user, if it is not in the query.',
    schema: { type: 'string' },
  };
  return [userId, userHash];
}

function requestBodyOf(row: Route, body: AnySchema): Json {
  const example = defined({ example: row.example?.request });
  const content = { 'application/json': { schema: schemaOf(body), ...example } };
  return { required: !row.bodyOptional, content };
}

function responsesOf(row: Route): Json {
  const codes = [
    ...new Set([
      ...COMMON_ERRORS,
      ...authErrors(row),
      ...rateErrors(row),
      ...bodyErrors(row),
      ...editErrors(row),
      ...(row.errors ?? []),
      ...listErrors(row),
    ]),
  ];
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  const errors = [...byStatus]
    .sort(([left], [right]) => left - right)
    .map(([status, list]) => [String(status), errorOf(status, list)]);
  return {
    [String(RESPONSE_STATUS[row.response.kind])]: withHeaders(row, successOf(row)),
    ...GATEWAY_RESPONSES,
    ...Object.fromEntries(errors),
  };
}

const authErrors = (row: Route): ErrorCode[] =>
  row.access === 'none'
    ? row.signedBy
      ? ['UNAUTHORIZED']
      : []
    : ['UNAUTHORIZED', 'FORBIDDEN_KEY_TYPE', ...(row.access.admin ? (['ADMIN_ONLY'] as const) : [])];
const rateErrors = (row: Route): ErrorCode[] => (row.access === 'none' ? [] : ['RATE_LIMITED']);
const editErrors = (row: Route): ErrorCode[] => (isConditional(row) ? ['CHANGED_MEANWHILE'] : []);
const listErrors = ({ query }: Route): ErrorCode[] =>
  query && 'entries' in query && 'cursor' in Object(query.entries) ? ['INVALID_CURSOR'] : [];
const bodyErrors = (row: Route): ErrorCode[] => (row.body ? ['INVALID_JSON'] : []);

/** The response of a success with the headers that a caller may read. */
function withHeaders(row: Route, success: Json): Json {
  const names = [
    'x-request-id',
    ...(row.etag && row.method !== 'DELETE' ? ['etag'] : []),
    ...(row.idempotent ? ['idempotent-replayed'] : []),
    ...(row.deprecated ? ['deprecation', 'sunset', 'link'] : []),
  ];
  const shared = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return { ...success, headers: { ...Object(success.headers), ...Object.fromEntries(shared) } };
}

function successOf({ response, example }: Route): Json {
  if (response.kind === 'file') return fileOf(response.mediaType);
  if (response.kind !== 'json') return SUCCESS[response.kind];
  const content = { schema: schemaOf(response.body), ...defined({ example: example?.response }) };
  return { description: 'Success.', content: { 'application/json': content } };
}

const fileOf = (mediaType = 'application/octet-stream'): Json => ({
  description: 'The file.',
  content: { [mediaType]: { schema: { type: 'string', contentMediaType: mediaType } } },
});

const SUCCESS: Record<Exclude<Route['response']['kind'], 'json' | 'file'>, Json> = {
  empty: { description: 'Success, without content.' },
  html: { description: 'A page.', content: { 'text/html': { schema: { type: 'string' } } } },
  gif: {
    description: 'An image.',
    content: { 'image/gif': { schema: { type: 'string', contentMediaType: 'image/gif' } } },
  },
  redirect: {
    description: 'Redirects.',
    headers: { location: { required: true, schema: { type: 'string', format: 'uri' } } },
  },
  document: { description: 'Success.', content: { 'application/json': { schema: { type: 'object' } } } },
};

const CLAMPED_MAX = 999_999_999_999_999;

/** As `isCursor` reads it: a text before a signature. */
const CURSOR = { pattern: '^[A-Za-z0-9_-]+$', minLength: 44, maxLength: 4096 };

/** Spellings of a yes or no in a query. */
const FLAGS = new Set<unknown>(['true', 'false', '1', '0', '']);

function isFlag(schema: Json): boolean {
  return (
    Array.isArray(schema.enum) && schema.enum.includes('true') && schema.enum.every((text) => FLAGS.has(text))
  );
}

/** Query parameters are strings on the wire; clients write numbers and booleans. */
function parameterSchema(name: string, schema: Json): Json {
  if (name === 'limit' || name === 'count') {
    // Browsers may ask for more than they get.
    const maximum = schema.pattern === CLAMPED ? CLAMPED_MAX : LIMIT_MAX;
    return { type: 'integer', format: 'int64', minimum: 1, maximum, default: LIMIT_DEFAULT };
  }
  if (name === 'cursor' || name === 'nextToken') return { ...schema, ...CURSOR };
  if (isFlag(schema)) return { type: 'boolean' };
  return refined(schema);
}

type Paths<P> = Record<string, Record<string, Json & { parameters: readonly P[] }>>;

/** Moves the parameters that several operations have to `components`, as `UserIdPath` or `LimitQuery`. */
function withSharedParameters(paths: Paths<Json>): { paths: Paths<Json>; parameters: Json } {
  const all = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ parameters }) => parameters),
  );
  const texts = all.map((parameter) => JSON.stringify(parameter));
  const byText = Map.groupBy(texts, (text) => text);
  // The most frequent of those with the same name has it, the others stay in their operations.
  const repeated = [...byText]
    .filter(([, same]) => same.length > 1)
    .sort(([, left], [, right]) => left.length - right.length);
  const textByName = new Map(repeated.map(([text]) => [componentName(JSON.parse(text)), text]));
  const nameByText = new Map([...textByName].map(([name, text]) => [text, name]));
  const shared = (parameter: Json): Json => {
    const name = nameByText.get(JSON.stringify(parameter));
    return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
  };
  return {
    paths: mapValues(paths, (methods) =>
      mapValues(methods, (operation) => ({ ...operation, parameters: operation.parameters.map(shared) })),
    ),
    parameters: mapValues(Object.fromEntries([...textByName].sort()), (text) => JSON.parse(text)),
  };
}

function componentName(parameter: { name: string; in: string }): string {
  return `${parameter.name}-${parameter.in}`.replace(/(^|-)(\w)/g, (_, __, letter: string) =>
    letter.toUpperCase(),
  );
}

function mapValues<T, R>(values: Record<string, T>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
