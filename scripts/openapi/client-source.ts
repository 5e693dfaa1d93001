import packageJson from '../../client/package.json' with { type: 'json' };
import { ERRORS } from '../../shared/runtime/errors.ts';
import { TEMPLATE_CONTENT } from '../../shared/schemas/content/template-content.ts';
import {
  acceptsIdempotencyKey,
  bodyOf,
  type Document,
  listOf,
  type Method,
  methodsOf,
  type Operation,
  type Parameter,
  queryOf,
  REPEATABLE,
  responseOf,
  withOwnParameters,
} from './client-operations.ts';
import { docOf, typeOf } from './client-types.ts';

/** Returns the client's generated files: the rows of its operations, and its types. */
export function buildClientSource(document: unknown): {
  operations: string;
  methods: string;
  types: string;
} {
  // `buildOpenapi` returns a plain object; its parts are read here as OpenAPI names them.
  const read = withOwnParameters(JSON.parse(JSON.stringify(document)) as Document);
  const methods = methodsOf(read);
  return {
    operations: operationsFile(methods, read),
    methods: methodsFile(methods, read),
    types: typesFile(read),
  };
}

function operationsFile(methods: readonly Method[], document: Document): string {
  const rows = methods.map((method) => {
    const { resource, name, verb, path, operation } = method;
    const parts = [
      bodyOf(operation) ? 'b' : '',
      queryOf(operation).length > 0 ? 'q' : '',
      acceptsIdempotencyKey(operation) ? 'i' : '',
      REPEATABLE.has(operation.operationId) ? 'r' : '',
    ].join('');
    const list = listOf(method, document);
    const more = list ? `, ['${list.items}', '${list.cursorIn}', '${list.cursorOut}']` : '';
    return `  '${resource ? `${resource}.` : ''}${name}': ['${verb}', '${path}', '${parts}'${more}],`;
  });
  return `// Written by \`npm run openapi\` from the route table.

/** Method, path, what is given after the path's parameters (b body, q query), i: idempotency key, r: repeatable; a list. */
export type OperationRow = readonly [string, string, string, (readonly [string, string, string])?];

/** This package's version. */
export const VERSION = '${packageJson.version}';

export const OPERATIONS: Record<string, OperationRow> = {
${rows.join('\n')}
};
`;
}

function typesFile(document: Document): string {
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `${docOf(schema, '')}export type ${name} = ${demandingType(name, typeOf(schema))};\n`,
  );
  return `// Written by \`npm run openapi\` from the route table.

import type { WithOne } from '../with-one.ts';

${errorCodeType(document)}
${schemas.join('\n')}
${webhookTypes(document)}`;
}

/** Of each list, the service demands one field: its generators' schemas cannot say so. */
const DEMANDED: Record<string, string[][]> = {
  SendRequest: [
    ['type', 'notificationId'],
    ['to', 'user'],
  ],
  SendRecipient: [['id', 'email', 'number', 'topic']],
};

function demandingType(name: string, type: string): string {
  return (DEMANDED[name] ?? []).reduce(
    (sum, names) => `WithOne<${sum}, ${names.map((each) => JSON.stringify(each)).join(' | ')}>`,
    type,
  );
}

function methodsFile(methods: readonly Method[], document: Document): string {
  const type = methodsType(methods, document);
  const names = Object.keys(document.components.schemas).filter((name) =>
    new RegExp(`\\b${name}\\b`).test(type),
  );
  return `// Written by \`npm run openapi\` from the route table.
import type { List } from '../list.ts';
import type { CallOptions } from '../request.ts';
import type { Result } from '../result.ts';
import type { ${names.join(', ')} } from './types.ts';

/** The fields of a template's content, by channel. */
type TemplateFields = {
${Object.entries(TEMPLATE_CONTENT)
  .map(
    ([channel, { entries }]) =>
      `  ${channel}: ${Object.keys(entries)
        .map((each) => `'${each}'`)
        .join(' | ')};`,
  )
  .join('\n')}
};

/** The body without the content of other channels. */
type ForChannel<C extends Channel, Body> = Omit<Body, Exclude<TemplateFields[Channel], TemplateFields[C]>>;

/** One method per operation, grouped by resource. */
export type Methods = ${type};
`;
}

function methodsType(methods: readonly Method[], document: Document): string {
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
  const isPerChannel =
    body?.properties !== undefined && 'html' in body.properties && path.includes('{channel}');
  const bodyType = isPerChannel ? `ForChannel<C, ${typeOf(body, 2)}>` : typeOf(body, 2);
  const parameters = [
    ...segments.map((each) => (isPerChannel && each === 'channel: Channel' ? 'channel: C' : each)),
    ...(body ? [`body${isBodyOptional ? '?' : ''}: ${bodyType}`] : []),
    ...(query.length > 0 ? [`query${isQueryOptional ? '?' : ''}: ${queryType(query)} & CallOptions`] : []),
    'options?: CallOptions',
  ];
  const list = listOf(method, document);
  const response = operation.responses['200'] ? typeOf(responseOf(operation), 2) : 'undefined';
  const result = list ? `List<${response}, ${list.item}>` : `Result<${response}>`;
  return `${name}${isPerChannel ? '<C extends Channel>' : ''}(${parameters.join(', ')}): ${result}`;
}

/** Several tracking IDs are in one segment. */
function segmentParameter(name: string, { parameters = [] }: Operation): string {
  if (name === 'trackingIds') return 'trackingIds: string | readonly string[]';
  const schema = parameters.find((each) => each.in === 'path' && each.name === name)?.schema;
  const type = typeOf(schema);
  return `${name}: ${type === 'unknown' ? 'string' : type}`;
}

function queryType(query: readonly Parameter[]): string {
  const fields = query.map(({ name, required, schema }) => {
    const type = typeOf(schema);
    const accepted = schema?.type === 'boolean' ? 'boolean | "true" | "false"' : type;
    const loose = name === 'limit' || name === 'count' ? union(accepted, 'number') : accepted;
    return `${name}${required ? '' : '?'}: ${loose}`;
  });
  return `{ ${fields.join('; ')} }`;
}

function union(left: string, right: string): string {
  return left === right || left === 'unknown' ? right : `${left} | ${right}`;
}

/** The closed list of error codes, if the document has no separate schema for it. */
function errorCodeType({ components }: Document): string {
  if (components.schemas.ErrorCode) return '';
  const codes = Object.keys(ERRORS).map((code) => JSON.stringify(code));
  return `/** Code of an error body. */\nexport type ErrorCode = ${codes.join(' | ')};\n`;
}

/** The events of the document's `webhooks` section, distinguished by `eventType`. */
function webhookTypes({ webhooks = {} }: Document): string {
  const events = Object.values(webhooks).flatMap((verbs) =>
    Object.values(verbs).map((operation) => typeOf(bodyOf(operation))),
  );
  const doc = '/** An event that the service posts to your webhook. */';
  const fallback = '{ eventType: string } & Record<string, unknown>';
  return `${doc}\nexport type WebhookEvent = ${events.length > 0 ? [...new Set(events)].join(' | ') : fallback};\n`;
}
