import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { handler as getOpenapi } from '../functions/health/get-openapi.ts';
import { WEBHOOK_EVENTS } from '../shared/schemas/logs/webhook.ts';
import { call } from './support/app.ts';
import { compiled, document, type Json, operations } from './support/openapi-document.ts';

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

  it('gives a type to every property, and decimals for money and spans of time only', () => {
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
    const money = [...decimals].filter((name) => !/cost|price|_fee_|_rate_/i.test(name));
    expect(money.sort()).toEqual(['batchingWindow', 'retryHours']);
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

  it('avoids fixed-length lists, constants that are no text, numeric enumerations and integers without a size', () => {
    const odd: string[] = [];
    walk(document, (node, name) => {
      if ('prefixItems' in node) odd.push(`${name}: prefixItems`);
      if (Array.isArray(node.enum) && node.enum.some((each) => typeof each === 'number'))
        odd.push(`${name}: enum`);
      if (typeof node.const === 'boolean') odd.push(`${name}: const`);
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
    expect(tagsOf(document.webhooks).length).toBeGreaterThan(10);
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

  it('calls whole only the numbers that are', () => {
    const whole: string[] = [];
    const visit = (value: unknown, name: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if ('type' in value && value.type === 'integer') whole.push(name);
      for (const [key, each] of Object.entries(value)) {
        if (key !== 'properties') visit(each, name);
        else for (const [property, schema] of Object.entries(Object(each))) visit(schema, property);
      }
    };
    visit(document, '');
    expect(whole).toEqual(expect.arrayContaining(['epochMs', 'period', 'ttl']));
    for (const name of ['retryHours', 'expires_in', 'retryAfter', 'costUsd'])
      expect(whole).not.toContain(name);
  });
});
