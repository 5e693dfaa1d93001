import { pathSegmentOf } from '../../client/src/path-segment.ts';
import { buildOpenapi } from '../../functions/openapi.ts';
import { ROUTES } from '../../functions/routes.ts';
import { isReplacing, type ListedRoute } from '../../shared/http/rows/route.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { redacted } from '../../shared/schemas/account/secret.ts';
import { CommandError, EXIT } from '../frame/command.ts';

export type EndpointTool = {
  name: string;
  /** The resource; `--tools` chooses by it. */
  group: string;
  description: string;
  inputSchema: { type: 'object'; properties: Record<string, object>; required: string[] };
  outputSchema?: { type: 'object'; [keyword: string]: unknown };
  isWrite: boolean;
  /** Changes or removes what exists. */
  isReplacing: boolean;
  isIdempotent: boolean;
  method: string;
  path: string;
  pathNames: readonly string[];
  queryNames: readonly string[];
  /** Removes credentials from a response. */
  withoutSecrets: (response: unknown) => unknown;
};

type Json = Record<string, unknown>;

const asJson = (value: unknown): Json => (typeof value === 'object' && value !== null ? { ...value } : {});
const asList = (value: unknown): Json[] => (Array.isArray(value) ? value.map(asJson) : []);

/** Builds a tool per endpoint that needs a credential, named after its operation, with the texts of the OpenAPI document. */
export function endpointTools(options: { canWrite: boolean }): EndpointTool[] {
  const document = buildOpenapi();
  return ROUTES.filter((row) => row.access !== 'none' && row.secrets === undefined && !row.deprecated)
    .map((row) =>
      toolOf(row, asJson(asJson(asJson(document.paths)[row.path])[row.method.toLowerCase()]), document),
    )
    .filter(({ isWrite }) => options.canWrite || !isWrite);
}

function toolOf(row: ListedRoute, operation: Json, document: Json): EndpointTool {
  const { response } = row;
  const parameters = asList(inlined(operation.parameters, document));
  const inUrl = parameters.filter((each) => each.in === 'path' || each.in === 'query');
  const body = asJson(asJson(asJson(asJson(operation.requestBody).content)['application/json']).schema);
  const hasBody = Object.keys(body).length > 0;
  const properties: Record<string, object> = {
    ...Object.fromEntries(
      inUrl.map((each) => [
        String(each.name),
        { ...asJson(each.schema), ...defined({ description: each.description }) },
      ]),
    ),
    ...defined({ body: hasBody ? body : undefined, idempotencyKey: row.idempotent && IDEMPOTENCY_KEY }),
  };
  const required = [
    ...inUrl.filter((each) => each.required === true).map((each) => String(each.name)),
    ...(hasBody && !row.bodyOptional ? ['body'] : []),
  ];
  return {
    name: row.id,
    group: row.resource === 'sending' ? 'send' : row.resource,
    description: shortened([row.summary, row.description].filter(Boolean).join('. ')),
    inputSchema: { type: 'object', properties: asObjects(inlined(properties, document)), required },
    ...defined({ outputSchema: outputSchemaOf(operation, document) }),
    isWrite: row.method !== 'GET' && !row.readOnly,
    isReplacing: isReplacing(row),
    isIdempotent: row.idempotent ?? false,
    method: row.method,
    path: row.path,
    pathNames: inUrl.filter((each) => each.in === 'path').map((each) => String(each.name)),
    queryNames: inUrl.filter((each) => each.in === 'query').map((each) => String(each.name)),
    withoutSecrets: (value) => (response.kind === 'json' ? redacted(response.body, value) : value),
  };
}

const IDEMPOTENCY_KEY = {
  type: 'string',
  description: 'Only to repeat a call: the key in its error.',
};

/** Fields of a response and their types, to this depth: the descriptions would be most of a list of tools. */
const OUTPUT_DEPTH_MAX = 3;

/** A list is the field `result`: the result of a tool is an object. */
function outputSchemaOf({ responses }: Json, document: Json): EndpointTool['outputSchema'] {
  const success = asJson(asJson(responses)['200']);
  const { schema } = asJson(asJson(success.content)['application/json']);
  if (schema === undefined) return undefined;
  const outline = outlineOf(inlined(schema, document), OUTPUT_DEPTH_MAX);
  const isObject = asJson(outline).type === 'object';
  return { type: 'object', ...(isObject ? asJson(outline) : { properties: { result: outline } }) };
}

function outlineOf(schema: unknown, depthMax: number): Json {
  const { type, properties, items, anyOf } = asJson(schema);
  if (anyOf || typeof type !== 'string') return {};
  if (depthMax === 0) return { type };
  const fields = Object.entries(asJson(properties)).map(([name, each]) => [
    name,
    outlineOf(each, depthMax - 1),
  ]);
  return defined({
    type,
    properties: fields.length > 0 ? Object.fromEntries(fields) : undefined,
    items: items && outlineOf(items, depthMax - 1),
  });
}

/** Models' APIs refuse a list of tools with a longer description. */
const DESCRIPTION_LENGTH_MAX = 1024;

/** Returns the whole sentences that fit. */
function shortened(text: string): string {
  return text.length <= DESCRIPTION_LENGTH_MAX
    ? text
    : text.slice(0, text.slice(0, DESCRIPTION_LENGTH_MAX).lastIndexOf('. ') + 1);
}

/** Limits that the service checks itself: they would be a tenth of what a model reads. */
const LEFT_TO_SERVICE = new Set([
  ...['minLength', 'maxLength', 'pattern', 'format', 'additionalProperties'],
  ...['minimum', 'maximum', 'multipleOf', 'minProperties', 'maxProperties'],
]);

/** Puts shared parts where they are referred to: several clients drop references. A schema inside itself is any value. */
function inlined(value: unknown, document: Json, inside: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((each) => inlined(each, document, inside));
  if (typeof value !== 'object' || value === null) return value;
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)/.exec(String(asJson(value).$ref ?? '')) ?? [];
  if (inside.includes(name)) return {};
  if (name !== '')
    return inlined(asJson(asJson(document.components)[kind])[name], document, [...inside, name]);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => typeof each === 'object' || !LEFT_TO_SERVICE.has(key))
      .map(([key, each]) => [key, inlined(each, document, inside)]),
  );
}

const asObjects = (value: unknown) => asJson(value) as Record<string, object>;

/** The tools of the groups that `names` has, separated by commas; all without it. */
export function toolsIn<T extends { group: string }>(
  tools: readonly T[],
  names: string | undefined,
): readonly T[] {
  if (names === undefined) return tools;
  const groups = names.split(',').map((each) => each.trim());
  const known = [...new Set(tools.map(({ group }) => group))].sort();
  const unknown = groups.find((each) => !known.includes(each));
  if (unknown !== undefined)
    throw new CommandError(`--tools has no group ${unknown}. Groups: ${known.join(', ')}.`, EXIT.usage);
  return tools.filter(({ group }) => groups.includes(group));
}

export function requestOf(tool: EndpointTool, args: Json): { method: string; path: string; body?: unknown } {
  const path = tool.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(args[name] ?? '');
    if (['', '.', '..'].includes(value)) throw new Error(`${name} must be an ID.`);
    return pathSegmentOf(value);
  });
  const query = new URLSearchParams(
    tool.queryNames.flatMap((name): [string, string][] =>
      args[name] === undefined ? [] : [[name, String(args[name])]],
    ),
  );
  const body = args.body === undefined ? {} : { body: args.body };
  return { method: tool.method, path: query.size > 0 ? `${path}?${query}` : path, ...body };
}
