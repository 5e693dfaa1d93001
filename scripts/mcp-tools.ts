import { pathSegmentOf } from '../client/src/path-segment.ts';
import { buildOpenapi } from '../functions/openapi.ts';
import { ROUTES } from '../functions/routes.ts';
import type { Route } from '../shared/http/route.ts';
import { defined } from '../shared/runtime/defined.ts';
import { redacted } from '../shared/schemas/secret.ts';

/** A tool of the MCP server that calls one endpoint. */
export type EndpointTool = {
  name: string;
  description: string;
  inputSchema: { type: 'object'; properties: Record<string, object>; required: string[]; $defs?: Json };
  isWrite: boolean;
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
  const schemas = asJson(asJson(document.components).schemas);
  return ROUTES.filter((row) => row.access !== 'none' && row.secrets === undefined)
    .map((row) =>
      toolOf(
        row,
        asJson(asJson(asJson(document.paths)[row.path])[row.method.toLowerCase()]),
        document,
        schemas,
      ),
    )
    .filter(({ isWrite }) => options.canWrite || !isWrite);
}

function toolOf(row: Route, operation: Json, document: Json, schemas: Json): EndpointTool {
  const { answer } = row;
  const parameters = asList(operation.parameters).map((each) => resolved(each, document));
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
    ...defined({ body: hasBody ? body : undefined }),
  };
  const required = [
    ...inUrl.filter((each) => each.required === true).map((each) => String(each.name)),
    ...(hasBody && !row.bodyOptional ? ['body'] : []),
  ];
  const $defs = reachable(properties, schemas);
  const inputSchema = { type: 'object' as const, properties, required, ...defined({ $defs }) };
  return {
    name: row.id,
    description: [row.summary, row.description].filter(Boolean).join('. '),
    inputSchema: withLocalRefs(inputSchema),
    isWrite: row.method !== 'GET' && !row.readOnly,
    method: row.method,
    path: row.path,
    pathNames: inUrl.filter((each) => each.in === 'path').map((each) => String(each.name)),
    queryNames: inUrl.filter((each) => each.in === 'query').map((each) => String(each.name)),
    withoutSecrets: (response) => (answer.kind === 'json' ? redacted(answer.body, response) : response),
  };
}

const REF = /#\/components\/(schemas|parameters)\/([^"]+)/g;

function resolved(value: Json, document: Json): Json {
  const [, kind = '', name = ''] = /#\/components\/(\w+)\/(.+)/.exec(String(value.$ref ?? '')) ?? [];
  return name === '' ? value : asJson(asJson(asJson(document.components)[kind])[name]);
}

/** Collects the shared schemas that a schema refers to, directly or not. */
function reachable(value: unknown, schemas: Json): Json | undefined {
  const found: Json = {};
  const pending = [value];
  while (pending.length > 0) {
    for (const [, , name = ''] of JSON.stringify(pending.pop()).matchAll(REF)) {
      if (name in found || !(name in schemas)) continue;
      found[name] = schemas[name];
      pending.push(schemas[name]);
    }
  }
  return Object.keys(found).length > 0 ? found : undefined;
}

/** Without the document, its shared schemas are the tool's. */
function withLocalRefs<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/'));
}

/** Fills a tool's path and query from its arguments. */
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
