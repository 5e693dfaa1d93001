import { describe, expect, it } from 'vitest';
import { handler as getOpenapi } from '../functions/health/get-openapi.ts';
import { buildOpenapi } from '../functions/openapi.ts';
import { ROUTES } from '../functions/routes.ts';
import { call } from './support/app.ts';
import { compiled, document, mediaOf, operations, resolved } from './support/openapi-document.ts';

describe('docs/openapi.json', () => {
  it('matches the route table: npm run openapi writes it', () => {
    expect(document).toEqual(JSON.parse(JSON.stringify(buildOpenapi())));
  });

  it('equals what GET /openapi.json returns, without a credential', async () => {
    const { status, json, response } = await call(getOpenapi, {});
    expect([status, response.headers['content-type']]).toEqual([200, 'application/json']);
    expect({ ...json, servers: document.servers }).toEqual(document);
  });

  it('is not built while a resource has no description', () => {
    const rows = ROUTES.slice(0, 1).map((row) => ({ ...row, resource: 'undescribed' }));
    expect(() => buildOpenapi(rows)).toThrow('functions/openapi/tags.ts has no description of undescribed');
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
    const taking = ROUTES.filter(({ idempotent }) => idempotent).map(
      ({ method, path }) => `${method} ${path}`,
    );
    expect(named.map(({ name }) => name).sort()).toEqual(taking.sort());
    expect(taking).toEqual(expect.arrayContaining(['POST /send', 'POST /keys', 'PUT /webhooks/events']));
  });

  it('references no missing definition', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, ref = '']) => ref,
    );
    const known = (['schemas', 'parameters', 'headers', 'responses'] as const).flatMap((kind) =>
      Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`),
    );
    expect(references.length).toBeGreaterThan(0);
    expect([...new Set(references)].filter((ref) => !known.includes(ref))).toEqual([]);
  });

  it("describes API Gateway's own errors in words, with the default of every operation", () => {
    const { description } = document.components.responses.ErrorDefault ?? {};
    for (const status of ['413', '429', '503']) expect(description).toContain(status);
    for (const { operation } of operations) expect(operation.responses).toHaveProperty('default');
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
      expect('200 204 302 400 401 402 404 405 429 500 502 default'.split(' ')).toContain(status);
      if (!isSuccess(status)) {
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
