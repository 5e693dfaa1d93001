import { type JsonSchema, typeOf } from './client-types.ts';

/** The parts of the OpenAPI document that the client is generated from. */
export type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; parameters?: Record<string, Parameter> };
};
export type Parameter = {
  $ref?: string;
  in: string;
  name: string;
  required?: boolean;
  schema?: JsonSchema;
  description?: string;
};
export type Operation = {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  deprecated?: boolean;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema?: JsonSchema }> }>;
};

/** Resources whose operations have another noun than the resource's name. */
const NOUNS: Record<string, string[]> = {
  keys: ['ApiKeys', 'ApiKey'],
  providers: ['Providers'],
  webhooks: ['EventWebhook', 'Webhook'],
  waiting: ['AllWaiting', 'Waiting'],
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
/** POST operations that are safe to repeat: merges and reads. */
export const REPEATABLE = new Set([
  'saveUser',
  'saveManyUsers',
  'savePreferences',
  'getLogsBulk',
  'previewTemplate',
  'updateAccount',
]);

export type Method = { resource: string; name: string; verb: string; path: string; operation: Operation };

/** Returns the document with a copy of each shared parameter in its operations. */
export function withOwnParameters(document: Document): Document {
  const { parameters = {} } = document.components;
  const resolve = (each: Parameter) => parameters[each.$ref?.split('/').at(-1) ?? ''] ?? each;
  for (const operation of Object.values(document.paths).flatMap((verbs) => Object.values(verbs)))
    operation.parameters = operation.parameters?.map(resolve) ?? [];
  return document;
}

export function methodsOf({ paths }: Document): Method[] {
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

/** A method's name omits the noun of its resource, in plural or singular: `saveUser` is `users.save`. */
function nameOf(tag: string, id: string): string {
  const plural = tag.replace(/^./, (first) => first.toUpperCase());
  const noun = (NOUNS[tag] ?? [plural, plural.replace(/(?<=ss)es$|s$/, '')]).find((each) =>
    id.includes(each),
  );
  return noun ? id.replace(noun, '') : id;
}

function camelCase(text: string): string {
  return text.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

type ListFacts = { items: string; cursorIn: string; cursorOut: string; item: string; page: string };

export function listOf({ operation }: Method, document: Document): ListFacts | undefined {
  const schema = resolved(responseOf(operation), document);
  const queries = queryOf(operation).map(({ name }) => name);
  const cursorIn = ['cursor', 'nextToken'].find((name) => queries.includes(name));
  const cursorOut = ['nextCursor', 'nextToken'].find((name) => schema?.properties?.[name]);
  const items = Object.entries(schema?.properties ?? {}).find(([, each]) => each.type === 'array');
  if (!cursorIn || !cursorOut || !items) return undefined;
  const [name, { items: item }] = items;
  return { items: name, cursorIn, cursorOut, item: typeOf(item), page: typeOf(responseOf(operation), 1) };
}

function resolved(schema: JsonSchema | undefined, { components }: Document): JsonSchema | undefined {
  const name = schema?.$ref?.split('/').at(-1);
  return name ? components.schemas[name] : schema;
}

export function responseOf(operation: Operation): JsonSchema | undefined {
  return operation.responses['200']?.content?.['application/json']?.schema;
}

export function bodyOf(operation: Operation): JsonSchema | undefined {
  return operation.requestBody?.content['application/json']?.schema;
}

/** The user of a browser is an option of the client. */
export function queryOf(operation: Operation): Parameter[] {
  return (operation.parameters ?? []).filter((each) => each.in === 'query' && each.name !== 'userId');
}

export function acceptsIdempotencyKey({ parameters = [] }: Operation): boolean {
  return parameters.some((each) => each.in === 'header' && each.name.toLowerCase() === 'idempotency-key');
}
