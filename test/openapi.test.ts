import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { handler as getOpenapi } from '../functions/health/get-openapi.ts';
import { buildOpenapi } from '../functions/openapi.ts';
import { ROUTES } from '../functions/routes.ts';
import { WEBHOOK_EVENTS } from '../shared/schemas/webhook.ts';
import { call } from './support/app.ts';

type Json = Record<string, unknown>;
type Media = { schema: Json; example?: unknown };
type Content = Record<string, Media>;
type Parameter = { $ref?: string; name: string; in: string; required: boolean; schema: Json };
type Response = { $ref?: string; description: string; content?: Content };
type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Json[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, Response>;
};
type Document = {
  openapi: string;
  info: { title: string; version: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Json>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Response>;
    securitySchemes: Json;
  };
  servers: Json[];
  webhooks: Record<string, { post: { requestBody: { content: Content } } }>;
};

const FILE = resolve(import.meta.dirname, '../docs/openapi.json');
const document: Document = JSON.parse(readFileSync(FILE, 'utf8'));
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    operation: { ...operation, parameters: operation.parameters.map(resolvedParameter) },
  })),
);

/** A shared parameter in place of the reference to it. */
function resolvedParameter(parameter: Parameter): Parameter {
  return document.components.parameters[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter;
}

/** A shared response in place of the reference to it. */
function resolved(response: Response): Response {
  const shared = document.components.responses[response.$ref?.split('/').at(-1) ?? ''];
  return { ...shared, ...response };
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'document', components: document.components });

/** The schema with its references into the document. */
function compiled(schema: Json) {
  return ajv.compile(
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')),
  );
}

const mediaOf = ({ requestBody, responses }: Operation): Media[] =>
  [requestBody, ...Object.values(responses).map(resolved)].flatMap((each) =>
    Object.values(each?.content ?? {}),
  );

describe('docs/openapi.json', () => {
  it('matches the route table: npm run openapi writes it', () => {
    expect(document).toEqual(JSON.parse(JSON.stringify(buildOpenapi())));
  });

  it('equals what GET /openapi.json returns, without a credential', async () => {
    const { status, json, answer } = await call(getOpenapi, {});
    expect([status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    expect({ ...json, servers: document.servers }).toEqual(document);
  });

  it('conforms to OpenAPI 3.1', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect([document.info.title, document.info.version].every(Boolean)).toBe(true);
    expect(Object.keys(document.paths).every((path) => path.startsWith('/'))).toBe(true);
    expect(Object.keys(document.components.securitySchemes)).toEqual([
      'secretKey',
      'publicKey',
      'accessToken',
      'callbackSignature',
    ]);
  });

  it('lists every route once, under its own ID', () => {
    expect(operations.map(({ name }) => name).sort()).toEqual(
      ROUTES.map(({ method, path }) => `${method} ${path}`).sort(),
    );
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(ROUTES.length);
  });

  it('names the header Idempotency-Key where it is accepted', () => {
    const named = operations.filter(({ operation }) =>
      operation.parameters.some((each) => each.in === 'header' && each.name === 'idempotency-key'),
    );
    expect(named.map(({ name }) => name)).toEqual([
      'POST /email',
      'POST /send',
      'POST /send/bulk',
      'POST /sender',
      'POST /sms',
    ]);
  });

  it('references no missing definition', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, ref = '']) => ref,
    );
    const known = (['schemas', 'parameters', 'responses'] as const).flatMap((kind) =>
      Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`),
    );
    expect(references.length).toBeGreaterThan(0);
    expect([...new Set(references)].filter((ref) => !known.includes(ref))).toEqual([]);
  });
});

describe.each(operations)('$name', ({ path, operation }) => {
  it('lists a summary, a tag and the parameters of its path', () => {
    expect(operation.summary).toMatch(/^\S.{5,}$/);
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining(operation.tags));
    expect(operation.tags).toHaveLength(1);
    const inPath = operation.parameters.filter((each) => each.in === 'path');
    const wanted = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
    expect(inPath.map(({ name }) => name).sort()).toEqual(wanted.sort());
    expect(inPath.every(({ required }) => required)).toBe(true);
    const names = operation.parameters.map((each) => `${each.in} ${each.name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('lists one success and the errors that every operation has, each in the standard form', () => {
    const { responses, security, requestBody } = operation;
    const isSuccess = (status: string) => /^[23]/.test(status);
    expect(Object.keys(responses).filter(isSuccess)).toHaveLength(1);
    const needed = ['400', '500', ...(security.length > 0 ? ['401'] : [])];
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(needed));
    for (const [status, response] of Object.entries(responses)) {
      const { description, content } = resolved(response);
      expect(description).toBeTruthy();
      expect('200 204 302 400 401 402 404 405 413 429 500 502 503 default'.split(' ')).toContain(status);
      if (!isSuccess(status) && !['413', '429', '503'].includes(status)) {
        expect(content?.['application/json']?.schema).toEqual({
          $ref: '#/components/schemas/ErrorResponse',
        });
      }
      expect(content === undefined).toBe(['204', '302'].includes(status));
    }
    if (requestBody) expect(responses['400']?.description).toContain('INVALID_JSON');
  });

  it('uses schemas that compile, and examples that match them', () => {
    for (const { schema } of operation.parameters) compiled(schema);
    for (const { schema, example } of mediaOf(operation)) {
      const validate = compiled(schema);
      if (example === undefined) continue;
      validate(example);
      expect(validate.errors ?? []).toEqual([]);
    }
  });
});

describe('the OpenAPI document for generators', () => {
  const walk = (value: unknown, visit: (node: Json, name: string) => void, name = ''): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) visit(value as Json, name);
    for (const [key, each] of Object.entries(value)) walk(each, visit, key);
  };

  it('describes every property and every parameter', () => {
    const missing = new Set<string>();
    walk([document.paths, document.components.schemas], ({ properties }) => {
      for (const [name, each] of Object.entries((properties ?? {}) as Record<string, Json>)) {
        if (!each.description) missing.add(name);
      }
    });
    for (const { operation } of operations) {
      for (const parameter of operation.parameters) {
        if (!(parameter as unknown as Json).description) missing.add(parameter.name);
      }
    }
    expect([...missing], 'describe it in the file *.texts.ts next to its schema').toEqual([]);
  });

  it('defines each parameter of several operations once', () => {
    const own = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ parameters }) => parameters),
    );
    const names = own.flatMap(({ $ref }) => ($ref ? [$ref.split('/').at(-1)] : []));
    expect(names).toEqual(expect.arrayContaining(['UserIdPath', 'LimitQuery', 'IdempotencyKeyHeader']));
    expect([...new Set(names)].sort()).toEqual(Object.keys(document.components.parameters).sort());
  });

  it('gives a type to every property, and decimals for money and minutes only', () => {
    const bare: string[] = [];
    const decimals = new Set<string>();
    walk([document.paths, document.components.schemas], ({ properties }) => {
      for (const [name, each] of Object.entries((properties ?? {}) as Record<string, Json>)) {
        if (!['type', '$ref', 'anyOf', 'const'].some((key) => key in each)) bare.push(name);
        if (each.type === 'number') decimals.add(name);
      }
    });
    // PATCH /members/{userId} accepts any.
    expect(bare).toEqual(['envId']);
    const money = [...decimals].filter((name) => !/cost|_fee_|_rate_/i.test(name));
    expect(money).toEqual(['batchingWindow']);
  });

  it('gives no format to a closed list of values, and a boolean to a yes or no in a query', () => {
    const both: string[] = [];
    walk(document, (node, name) => {
      if (Array.isArray(node.enum) && 'format' in node) both.push(name);
    });
    expect(both).toEqual([]);
    const { parameters } = document.paths['/user/inapp']?.get ?? { parameters: [] };
    const archived = parameters.find(({ name }) => name === 'archived');
    expect(archived?.schema).toEqual({ type: 'boolean' });
  });

  it('lists the formats that the service checks', () => {
    const { User, SendRequest, LogRecord, Attachment, InappItem } = document.components.schemas;
    const formatOf = (schema: Json | undefined, name: string) =>
      (schema?.properties as Record<string, Json> | undefined)?.[name]?.format;
    expect([formatOf(User, 'email'), formatOf(User, 'pausedUntil')]).toEqual(['email', 'date-time']);
    expect([formatOf(LogRecord, 'email_held_until'), formatOf(InappItem, 'date')]).toEqual([
      'date-time',
      'date-time',
    ]);
    expect([formatOf(Attachment, 'url'), formatOf(SendRequest, 'schedule')]).toEqual(['uri', undefined]);
  });

  it('has no fixed-length lists, no numeric enumerations and no integer without a size', () => {
    const odd: string[] = [];
    walk(document, (node, name) => {
      if ('prefixItems' in node) odd.push(`${name}: prefixItems`);
      if (Array.isArray(node.enum) && node.enum.some((each) => typeof each === 'number'))
        odd.push(`${name}: enum`);
    });
    expect(odd).toEqual([]);
    expect(document.components.schemas.InboundMessage?.properties).toMatchObject({
      epochMs: { type: 'integer', format: 'int64' },
    });
  });

  it('lists a webhook with a schema for every event', () => {
    expect(Object.keys(document.webhooks)).toEqual([...WEBHOOK_EVENTS]);
    for (const { post } of Object.values(document.webhooks)) {
      compiled(post.requestBody.content['application/json']?.schema ?? {});
    }
  });

  it('lists the events under another tag than the operations, for generators that write one file per tag', () => {
    const tagsOf = (items: object) =>
      Object.values(items).flatMap((item) => Object.values(item as object).flatMap(({ tags }) => tags ?? []));
    const ofPaths = new Set(tagsOf(document.paths));
    expect(tagsOf(document.webhooks).filter((tag) => ofPaths.has(tag))).toEqual([]);
  });

  it('names the address that it was requested from', async () => {
    const headers = { host: 'api.example.com', 'x-forwarded-proto': 'https' };
    expect((await call(getOpenapi, { headers })).json.servers[0].url).toBe('https://api.example.com');
    const odd = { host: 'a"b', 'x-forwarded-proto': 'https' };
    expect((await call(getOpenapi, { headers: odd })).json.servers[0].url).toBe('/');
  });

  it('travels compressed, and not again to a caller that already has it', async () => {
    const plain = await getOpenapi({ headers: {} });
    expect(plain.headers['cache-control']).toBe('public, max-age=300');
    const packed = await getOpenapi({ headers: { 'Accept-Encoding': 'gzip, br;q=0' } });
    expect([packed.headers['content-encoding'], packed.isBase64Encoded]).toEqual(['gzip', true]);
    expect(gunzipSync(Buffer.from(packed.body, 'base64')).toString()).toBe(plain.body);
    const etag = plain.headers.etag ?? '';
    const known = await getOpenapi({ headers: { 'if-none-match': `W/${etag}` } });
    expect([known.statusCode, known.body]).toEqual([304, '']);
  });
});
