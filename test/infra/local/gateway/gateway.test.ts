import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway } from '../../../../infra/local/gateway/gateway.ts';
import type { Answer } from '../../../../shared/http/answer.ts';
import { endpoint } from '../../../../shared/http/endpoint.ts';
import { type Route, route } from '../../../../shared/http/route.ts';

const LARGE_BYTES = 4 * 1024 * 1024;

const shared = {
  resource: 'things',
  access: 'none',
  answer: { status: 200, body: v.unknown() },
  grants: {},
  summary: 'A thing',
} as const satisfies Partial<Route>;

const readJson = route({
  ...shared,
  id: 'readJson',
  method: 'POST',
  path: '/json',
  body: v.object({ text: v.optional(v.string()) }),
});

const ROUTES: Route[] = [
  { ...shared, id: 'getThing', method: 'GET', path: '/things/{thingId}', cors: true },
  { ...shared, id: 'listThings', method: 'GET', path: '/things' },
  { ...shared, id: 'getFixed', method: 'GET', path: '/things/fixed' },
  { ...shared, id: 'patchFixed', method: 'PATCH', path: '/things/fixed', cors: true },
  { ...shared, id: 'saveThing', method: 'POST', path: '/things/{thingId}', cors: true },
  { ...shared, id: 'getPart', method: 'GET', path: '/things/{thingId}/parts/{partId}' },
  { ...shared, id: 'getFirst', method: 'GET', path: '/things/{thingId}/parts/first' },
  { ...shared, id: 'getImage', method: 'GET', path: '/image' },
  { ...shared, id: 'fails', method: 'GET', path: '/fails' },
  { ...shared, id: 'getLarge', method: 'GET', path: '/large' },
  readJson,
];

const jsonHandler = endpoint(readJson, {}, async ({ body }) => ({ length: body.text?.length ?? 0 }));

function loadHandler(asked: Route): Promise<(event: never) => Promise<Answer>> {
  if (asked === readJson) return Promise.resolve(jsonHandler);
  const answerEvent = async (event: unknown): Promise<Answer> => {
    if (asked.id === 'fails') throw new Error('zqmarkerqz');
    if (asked.id === 'getLarge') return { statusCode: 200, headers: {}, body: '"'.repeat(LARGE_BYTES) };
    if (asked.id === 'getImage') {
      const headers = { 'content-type': 'image/gif' };
      return { statusCode: 200, headers, body: btoa('GIF89a'), isBase64Encoded: true };
    }
    const body = JSON.stringify({ route: asked.id, event });
    return { statusCode: 200, headers: { 'content-type': 'application/json' }, body };
  };
  return Promise.resolve(answerEvent);
}

let server: Server;
beforeAll(async () => {
  server = createGateway({
    routes: ROUTES,
    loadHandler,
    local: async ({ path }) => {
      if (path === '/_sandbox/x') return { statusCode: 204, headers: { 'x-sandbox': 'yes' }, body: '' };
      if (path === '/_sandbox/broken') return { statusCode: 303, headers: { location: '/日' }, body: '' };
      return undefined;
    },
    nowMs: () => 1_795_250_000_000,
  }).listen(0);
  await once(server, 'listening');
});
afterAll(() => void server.close());

type Options = { method?: string; headers?: Record<string, string | string[]>; body?: string | Buffer };

/** The path goes over the wire as it is: fetch would tidy it. */
async function ask(path: string, { method = 'GET', headers = {}, body = '' }: Options = {}) {
  const { port } = server.address() as AddressInfo;
  const sent = httpRequest({ port, path, method, headers });
  sent.end(body);
  const [response] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  const type: string = response.headers['content-type'] ?? '';
  return {
    status: Number(response.statusCode),
    headers: response.headers as IncomingHttpHeaders,
    json: text !== '' && type.includes('json') ? JSON.parse(text) : undefined,
    text,
  };
}

describe('a route', () => {
  it.each([
    ['GET', '/things', 'listThings'],
    ['GET', '/things/fixed', 'getFixed'],
    ['GET', '/things/other', 'getThing'],
    ['GET', '/things/Fixed', 'getThing'],
    ['POST', '/things/fixed', 'saveThing'],
    ['GET', '/things/a/parts/first', 'getFirst'],
    ['GET', '/things/a/parts/second', 'getPart'],
    ['GET', '/things/fixed/parts/first', 'getFirst'],
    ['GET', '/things/..', 'getThing'],
    ['GET', '/things/fixed?x=/things', 'getFixed'],
  ])('%s %s is %s: fixed segments come before parameters', async (method, path, expected) => {
    expect((await ask(path, { method })).json.route).toBe(expected);
  });

  it.each([
    ['a', 'a'],
    ['%20a%20', ' a '],
    ['%2C', ','],
    ['%252C', '%2C'],
    ['%2E%2E', '..'],
    ['..', '..'],
    ['%00', '\u0000'],
    ['a+b', 'a+b'],
    ['%E6%97%A5', '日'],
    ['a,b', 'a,b'],
    ['%23', '#'],
  ])('decodes the parameter %s once, before it chooses the route', async (sent, expected) => {
    const { json } = await ask(`/things/${sent}?q=1`);
    expect(json.event.pathParameters).toEqual({ thingId: expected });
    expect(json.event.rawPath).toBe(`/things/${expected}`);
    expect(json.event.rawQueryString).toBe('q=1');
  });

  it('separates segments at an encoded slash', async () => {
    expect((await ask('/things/a%2Fb')).status).toBe(404);
    expect((await ask('/things/a%2Fparts%2Fsecond')).json.route).toBe('getPart');
    expect((await ask('/%74hings/fixed')).json.route).toBe('getFixed');
  });

  it('cuts the path at an encoded question mark', async () => {
    const { json } = await ask('/things/a%3Fb?q=1');
    expect(json.event).toMatchObject({ rawPath: '/things/a', pathParameters: { thingId: 'a' } });
    expect(json.event.queryStringParameters).toEqual({ q: '1' });
  });

  it.each(['%', '%zz', '%E6', '%ff'])(
    "rejects the malformed escape %s with the gateway's body",
    async (sent) => {
      const { status, json } = await ask(`/things/${sent}`);
      expect([status, json]).toEqual([400, { message: 'Bad Request' }]);
    },
  );
});

describe('an unknown path or method', () => {
  it.each([
    '/',
    '/thing',
    '/things/',
    '/things/a/parts',
    '/things//parts/x',
    '//things',
    '/THINGS',
    '/_sandbox/y',
  ])('GET %s is 404 as JSON', async (path) => {
    const { status, json, headers } = await ask(path);
    expect([status, json.error.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
    expect([json.error.message, json.error.fix, json.trackingId].every(Boolean)).toBe(true);
    expect(headers['x-request-id']).toBe(json.trackingId);
  });

  it('is 405 as JSON with the methods that the path takes', async () => {
    for (const method of ['DELETE', 'PUT', 'PATCH']) {
      const { status, json, headers } = await ask('/things/a', { method });
      expect([status, json.error.code, headers.allow]).toEqual([405, 'RESOURCE_NOT_FOUND', 'GET, POST']);
    }
    expect((await ask('/things', { method: 'POST' })).headers.allow).toBe('GET');
  });

  it('of the sandbox is asked before the routes', async () => {
    const { status, headers } = await ask('/_sandbox/x');
    expect([status, headers['x-sandbox']]).toEqual([204, 'yes']);
  });
});

it('returns the bytes of a body that is base64', async () => {
  const { text, headers } = await ask('/image');
  expect([text, headers['content-length']]).toEqual(['GIF89a', '6']);
});

describe('an event', () => {
  it('has the form of payload 2.0, its header names in lower case and its repeats joined', async () => {
    const headers = { 'X-MiXed': 'One', 'X-Many': ['a', 'b'], 'User-Agent': 'agent' };
    const { json } = await ask('/things/a?x=1&x=2&y=%20z&empty=', { headers });
    const { event } = json;
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: 'GET /things/{thingId}',
      rawPath: '/things/a',
      rawQueryString: 'x=1&x=2&y=%20z&empty=',
      queryStringParameters: { x: '1,2', y: ' z', empty: '' },
      isBase64Encoded: false,
    });
    expect(event.headers).toMatchObject({ 'x-mixed': 'One', 'x-many': 'a, b', 'user-agent': 'agent' });
    expect(Object.keys(event.headers).every((name) => name === name.toLowerCase())).toBe(true);
    expect(event.requestContext.http).toMatchObject({ method: 'GET', path: '/things/a', userAgent: 'agent' });
    expect(event.requestContext.http.sourceIp).toMatch(/^(127\.0\.0\.1|::1)$/);
    expect(event.requestContext.timeEpoch).toBe(1_795_250_000_000);
    expect(event.body).toBeUndefined();
    expect((await ask('/things')).json.event.queryStringParameters).toBeUndefined();
  });

  it('has a text body as text and any other as base64', async () => {
    const post = async (type: string | undefined, body: Buffer) => {
      const headers = type === undefined ? {} : { 'content-type': type };
      const { event } = (await ask('/things/a', { method: 'POST', headers, body })).json;
      return [event.body, event.isBase64Encoded];
    };
    const text = Buffer.from('{"a":"日"}');
    for (const type of [undefined, 'application/json', 'text/plain', 'application/problem+json']) {
      expect(await post(type, text)).toEqual([text.toString(), false]);
    }
    for (const type of ['application/octet-stream', 'image/png', 'application/x-www-form-urlencoded']) {
      expect(await post(type, Buffer.from([0xff, 0]))).toEqual(['/wA=', true]);
    }
  });
});

describe('a browser', () => {
  it('may ask what a public route takes', async () => {
    const headers = { origin: 'https://example.com', 'access-control-request-method': 'POST' };
    const answer = await ask('/things/a', { method: 'OPTIONS', headers });
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST',
    });
    expect(answer.headers['access-control-allow-headers']).toContain('authorization');
  });

  it('gets the methods of the most specific path, as API Gateway reports them', async () => {
    const { headers } = await ask('/things/fixed', { method: 'OPTIONS' });
    expect(headers['access-control-allow-methods']).toBe('PATCH');
  });

  it('gets no leave for the others', async () => {
    const answer = await ask('/things', { method: 'OPTIONS' });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([405, undefined]);
    expect((await ask('/things')).headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('a body', () => {
  const bodyOf = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes - 11) });

  it('is accepted up to 6 MB of event', async () => {
    const { status, json } = await ask('/json', { method: 'POST', body: bodyOf(6 * 1024 * 1024 - 2000) });
    expect([status, json]).toEqual([200, { length: 6 * 1024 * 1024 - 2011 }]);
  });

  it.each([6 * 1024 * 1024, 7e6, 12e6])('of %i bytes is 413, and the server continues', async (bytes) => {
    const { status, json } = await ask('/json', { method: 'POST', body: bodyOf(bytes) });
    expect([status, json]).toEqual([413, { message: 'Request Entity Too Large' }]);
    expect((await ask('/things')).status).toBe(200);
  });

  it('is measured with the escapes and base64 of its event', async () => {
    const post = (type: string, body: Buffer) =>
      ask('/things/a', { method: 'POST', headers: { 'content-type': type }, body });
    expect((await post('text/plain', Buffer.alloc(LARGE_BYTES, '"'))).status).toBe(413);
    expect((await post('image/png', Buffer.alloc(4.8e6))).status).toBe(413);
    expect((await post('image/png', Buffer.alloc(1e6))).status).toBe(200);
  });

  it('of none is 400', async () => {
    const { status, json } = await ask('/json', { method: 'POST' });
    expect([status, json.error.code]).toEqual([400, 'INVALID_JSON']);
  });
});

describe('a failing function', () => {
  it("is 500 with the gateway's body and without the cause", async () => {
    const { status, json, text } = await ask('/fails');
    expect([status, json]).toEqual([500, { message: 'Internal Server Error' }]);
    expect(text).not.toContain('zqmarkerqz');
  });

  it('is 500 when its response is over 6 MB as JSON', async () => {
    expect((await ask('/large')).status).toBe(500);
  });

  it('is 500 when its headers cannot be sent, and the server continues', async () => {
    expect((await ask('/_sandbox/broken')).status).toBe(500);
    expect((await ask('/things')).status).toBe(200);
  });
});

describe('headers', () => {
  it.each([
    [10_000, 200],
    [10_240, 431],
    [100_000, 431],
    [400_000, 431],
  ])('of %i bytes are %i', async (bytes, expected) => {
    const { status, json } = await ask('/things', { headers: { 'x-long': 'x'.repeat(bytes) } });
    expect(status).toBe(expected);
    if (status === 431) expect(json).toEqual({ message: 'Request Header Fields Too Large' });
  });

  it('count together with the request line', async () => {
    expect((await ask(`/things?q=${'x'.repeat(10_240)}`)).status).toBe(431);
  });

  it('give cookies as a list', async () => {
    const { json } = await ask('/things', { headers: { cookie: 'a=1; b=2' } });
    expect(json.event.cookies).toEqual(['a=1', 'b=2']);
    expect(json.event.headers.cookie).toBeUndefined();
  });
});

describe('an upgrade', () => {
  it.each(['h2c', 'TLS/1.2', 'foo'])('to %s is ignored', async (protocol) => {
    const headers = {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: protocol,
      'http2-settings': 'AAMAAABkAAQAAP__',
    };
    const { status, json } = await ask('/things', { headers });
    expect([status, json.route]).toEqual([200, 'listThings']);
  });

  it('is offered by curl --http2, with a body as well', async () => {
    const { port } = server.address() as AddressInfo;
    const args = ['-s', '--http2', '-d', '{"text":"abc"}', `http://127.0.0.1:${port}/json`];
    const { stdout } = await promisify(execFile)('curl', args);
    expect(JSON.parse(stdout)).toEqual({ length: 3 });
  });
});

it('responds to what is no HTTP and continues', async () => {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port).end('\u0000\u0001 nonsense\r\n\r\n');
  const [first] = await once(socket, 'data');
  expect(String(first)).toMatch(/^HTTP\/1\.1 400 /);
  expect((await ask('/things')).status).toBe(200);
});
