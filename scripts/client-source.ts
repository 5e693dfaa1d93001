import { ERRORS } from '../shared/runtime/errors.ts';
import { docOf, type JsonSchema, typeOf } from './client-types.ts';

/** The parts of the OpenAPI document that the client is made of. */
type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
};
type Parameter = {
  $ref?: string;
  in: string;
  name: string;
  required?: boolean;
  schema?: JsonSchema;
  description?: string;
};
type Operation = {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  deprecated?: boolean;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema?: JsonSchema }> }>;
};

/** What the method names of a resource leave out: `saveUser` is `users.save`. */
const NOUNS: Record<string, string[]> = {
  users: ['Users', 'User'],
  logs: ['Logs', 'Log'],
  types: ['Types', 'Type'],
  templates: ['Templates', 'Template'],
  components: ['Components', 'Component'],
  keys: ['ApiKeys', 'ApiKey'],
  domains: ['Domains', 'Domain'],
  addresses: ['Addresses', 'Address'],
  environments: ['Environments', 'Environment'],
  members: ['Members', 'Member'],
  preferences: ['Preferences'],
  inapp: ['Inapp'],
  account: ['Account'],
  backend: ['Backend'],
  webhooks: ['EventWebhook'],
  topics: ['Topics', 'Topic'],
  translations: ['Translations', 'Translation'],
  providers: ['Providers'],
};

/** Resources whose methods are on the client itself. */
const HOISTED = new Set(['sending', 'health']);
/** Pages, links in messages and provider callbacks: no program calls them. */
const LEFT_OUT = new Set(['callbacks', 'tracking', 'unsubscribe']);
const LEFT_OUT_OPERATIONS = new Set([
  'sender',
  'receivePaymentEvent',
  'showConfirmEmail',
  'confirmEmail',
  'getOpenapi',
]);
/** POST operations that may be repeated: merges and reads. */
const REPEATABLE = new Set([
  'saveUser',
  'savePreferences',
  'getLogsBulk',
  'previewTemplate',
  'updateAccount',
]);

/** Every spelling of a yes or no in a query. */
const FLAGS = new Set<unknown>(['true', 'false', '1', '0', '']);

type Method = { resource: string; name: string; verb: string; path: string; operation: Operation };

/** Returns the client's generated files: the rows of its operations, and its types. */
export function buildClientSource(document: unknown): { operations: string; types: string } {
  // `buildOpenapi` returns a plain object; its parts are read here as OpenAPI names them.
  const read = JSON.parse(JSON.stringify(document)) as Document;
  const methods = methodsOf(read);
  return { operations: operationsFile(methods, read), types: typesFile(methods, read) };
}

function methodsOf({ paths }: Document): Method[] {
  return Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, operation]) => {
      const tag = operation.tags?.[0] ?? '';
      if (!operation.operationId || LEFT_OUT.has(tag) || LEFT_OUT_OPERATIONS.has(operation.operationId))
        return [];
      if (!hasJson(operation)) return [];
      const resource = HOISTED.has(tag) ? '' : camelCase(tag);
      return [
        { resource, name: nameOf(tag, operation.operationId), verb: verb.toUpperCase(), path, operation },
      ];
    }),
  );
}

/** False for pages and images. */
function hasJson({ responses }: Operation): boolean {
  const content = responses['200']?.content;
  return content === undefined ? responses['204'] !== undefined : content['application/json'] !== undefined;
}

function nameOf(tag: string, id: string): string {
  const noun = NOUNS[tag]?.find((each) => id.includes(each));
  return noun ? id.replace(noun, '') : id;
}

function camelCase(text: string): string {
  return text.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

type ListFacts = { items: string; cursorIn: string; cursorOut: string; item: string; page: string };

/** Where a list has its items and its cursor, if the operation is one. */
function listOf({ operation }: Method, document: Document): ListFacts | undefined {
  const schema = resolved(answerOf(operation), document);
  const queries = queryOf(operation).map(({ name }) => name);
  const cursorIn = ['cursor', 'nextToken'].find((name) => queries.includes(name));
  const cursorOut = ['nextCursor', 'nextToken'].find((name) => schema?.properties?.[name]);
  const items = Object.entries(schema?.properties ?? {}).find(([, each]) => each.type === 'array');
  if (!cursorIn || !cursorOut || !items) return undefined;
  const [name, { items: item }] = items;
  return { items: name, cursorIn, cursorOut, item: typeOf(item), page: typeOf(answerOf(operation), 1) };
}

function resolved(schema: JsonSchema | undefined, { components }: Document): JsonSchema | undefined {
  const name = schema?.$ref?.split('/').at(-1);
  return name ? components.schemas[name] : schema;
}

function answerOf(operation: Operation): JsonSchema | undefined {
  return operation.responses['200']?.content?.['application/json']?.schema;
}

function bodyOf(operation: Operation): JsonSchema | undefined {
  return operation.requestBody?.content['application/json']?.schema;
}

/** The user of a browser is an option of the client. */
function queryOf(operation: Operation): Parameter[] {
  return (operation.parameters ?? []).filter((each) => each.in === 'query' && each.name !== 'userId');
}

function takesIdempotencyKey({ parameters = [] }: Operation): boolean {
  return parameters.some((each) => each.in === 'header' && each.name.toLowerCase() === 'idempotency-key');
}

function operationsFile(methods: readonly Method[], document: Document): string {
  const rows = methods.map((method) => {
    const { resource, name, verb, path, operation } = method;
    const parts = [
      bodyOf(operation) ? 'b' : '',
      queryOf(operation).length > 0 ? 'q' : '',
      takesIdempotencyKey(operation) ? 'i' : '',
      REPEATABLE.has(operation.operationId) ? 'r' : '',
    ].join('');
    const list = listOf(method, document);
    const more = list ? `, ['${list.items}', '${list.cursorIn}', '${list.cursorOut}']` : '';
    return `  '${resource ? `${resource}.` : ''}${name}': ['${verb}', '${path}', '${parts}'${more}],`;
  });
  return `// Written by \`npm run openapi\` from the route table.

/** Method, path, what is given after the path's parameters (b body, q query), i: idempotency key, r: repeatable; a list. */
export type OperationRow = readonly [string, string, string, (readonly [string, string, string])?];

export const OPERATIONS: Record<string, OperationRow> = {
${rows.join('\n')}
};
`;
}

function typesFile(methods: readonly Method[], document: Document): string {
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `${docOf(schema, '')}export type ${name} = ${typeOf(schema)};\n`,
  );
  return `// Written by \`npm run openapi\` from the route table.
import type { List } from '../list.ts';
import type { CallOptions } from '../request.ts';
import type { SendMany } from '../send-many.ts';

${errorCodeType(document)}
${schemas.join('\n')}
${webhookTypes(document)}
/** One method per operation, grouped by resource. */
export type Client = SendMany & ${clientType(methods, document)};
`;
}

function clientType(methods: readonly Method[], document: Document): string {
  const resources = [...new Set(methods.map(({ resource }) => resource))].sort();
  const groups = resources.map((resource) => {
    const own = methods.filter((each) => each.resource === resource);
    const indent = resource === '' ? '  ' : '    ';
    const lines = own
      .map((method) => `${indent}${docLine(method)}\n${indent}${signatureOf(method, document)};`)
      .join('\n');
    return resource === '' ? lines : `  ${resource}: {\n${lines}\n  };`;
  });
  return `{\n${groups.join('\n')}\n}`;
}

function docLine({ verb, path, operation }: Method): string {
  const deprecated = operation.deprecated ? ' @deprecated' : '';
  return `/** ${operation.summary ?? ''}: \`${verb} ${path}\`.${deprecated} */`;
}

function signatureOf(method: Method, document: Document): string {
  const { name, path, operation } = method;
  const segments = [...path.matchAll(/\{(\w+)\}/g)].map(([, each = '']) => segmentParameter(each, operation));
  const body = bodyOf(operation);
  const isBodyOptional = operation.requestBody?.required === false;
  const query = queryOf(operation);
  const isQueryOptional = query.every(({ required }) => !required);
  const parameters = [
    ...segments,
    ...(body ? [`body${isBodyOptional ? '?' : ''}: ${typeOf(body, 2)}`] : []),
    ...(query.length > 0 ? [`query${isQueryOptional ? '?' : ''}: ${queryType(query)}`] : []),
    'options?: CallOptions',
  ];
  const list = listOf(method, document);
  const answer = operation.responses['200'] ? typeOf(answerOf(operation), 2) : 'undefined';
  const result = list ? `List<${answer}, ${list.item}>` : `Promise<${answer}>`;
  return `${name}(${parameters.join(', ')}): ${result}`;
}

/** Several tracking IDs go into one segment. */
function segmentParameter(name: string, { parameters = [] }: Operation): string {
  if (name === 'trackingIds') return 'trackingIds: string | readonly string[]';
  const schema = parameters.find((each) => each.in === 'path' && each.name === name)?.schema;
  const type = typeOf(schema);
  return `${name}: ${type === 'unknown' ? 'string' : type}`;
}

function queryType(query: readonly Parameter[]): string {
  const fields = query.map(({ name, required, schema }) => {
    const type = typeOf(schema);
    const given = isFlag(schema) ? 'boolean | "true" | "false"' : type;
    const loose = name === 'limit' || name === 'count' ? union(given, 'number') : given;
    return `${name}${required ? '' : '?'}: ${loose}`;
  });
  return `{ ${fields.join('; ')} }`;
}

/** True for the texts of a yes or no, whose other spellings the client need not offer. */
function isFlag(schema: JsonSchema | undefined): boolean {
  const texts = schema?.enum ?? [];
  return ['true', 'false'].every((text) => texts.includes(text)) && texts.every((text) => FLAGS.has(text));
}

function union(left: string, right: string): string {
  return left === right || left === 'unknown' ? right : `${left} | ${right}`;
}

/** The closed list of error codes, where the document has no schema of its own for it. */
function errorCodeType({ components }: Document): string {
  if (components.schemas.ErrorCode) return '';
  const codes = Object.keys(ERRORS).map((code) => JSON.stringify(code));
  return `/** Code of an error body. */\nexport type ErrorCode = ${codes.join(' | ')};\n`;
}

/** The events of the document's `webhooks` section, told apart by `eventType`. */
function webhookTypes({ webhooks = {} }: Document): string {
  const events = Object.values(webhooks).flatMap((verbs) =>
    Object.values(verbs).map((operation) => typeOf(bodyOf(operation))),
  );
  const doc = '/** An event that the service posts to your webhook. */';
  const fallback = '{ eventType: string } & Record<string, unknown>';
  return `${doc}\nexport type WebhookEvent = ${events.length > 0 ? [...new Set(events)].join(' | ') : fallback};\n`;
}
