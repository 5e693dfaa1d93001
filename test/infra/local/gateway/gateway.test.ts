import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway } from '../../../../infra/local/gateway/gateway.ts';
import { endpoint } from '../../../../shared/http/endpoint/endpoint.ts';
import type { HttpResponse } from '../../../../shared/http/endpoint/response.ts';
import { type ListedRoute, route } from '../../../../shared/http/rows/route.ts';

const LARGE_BYTES = 4 * 1024 * 1024;

const shared = {
  resource: 'things',
  access: 'none',
  response: { kind: 'json', body: v.unknown() },
  grants: {},
  summary: 'A thing',
} as const satisfies Partial<ListedRoute>;

const readJson = route({
  ...shared,
  id: 'readJson',
  method: 'POST',
  path: '/json',
  body: v.object({ text: v.optional(v.string()) }),
});

const ROUTES: ListedRoute[] = [
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

function loadHandler(asked: ListedRoute): Promise<(event: never) => Promise<HttpResponse>> {
  if (asked === readJson) return Promise.resolve(jsonHandler);
  const responseEvent = async (event: unknown): Promise<HttpResponse> => {
    if (asked.id === 'fails') throw new Error('zqmarkerqz');
    if (asked.id === 'getLarge') return { statusCode: 200, headers: {}, body: '"'.repeat(LARGE_BYTES) };
    if (asked.id === 'getImage') {
      const headers = { 'content-type': 'image/gif' };
      return { statusCode: 200, headers, body: btoa('GIF89a'), isBase64Encoded: true };
    }
    const body = JSON.stringify({ route: asked.id, event });
    return { statusCode: 200, headers: { 'content-type': 'application/json' }, body };
  };
  return Promise.resolve(responseEvent);
}

const server = createGateway({
  routes: ROUTES,
  loadHandler,
  local: async ({ path }) => {
    if (path === '/_sandbox/x') return { statusCode: 204, headers: { 'x-sandbox': 'yes' }, body: '' };
    if (path === '/_sandbox/broken') return { statusCode: 303, headers: { location: '/日' }, body: '' };
    return undefined;
  },
  nowMs: () => 1_795_250_000_000,
});

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

/** Sends a request as it is written, headers that repeat included; returns everything that came back. */
async function askRaw(start: string, lines: readonly string[] = [], body = '') {
  const { port } = server.address() as AddressInfo;
  const head = [`${start} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...lines].join('\r\n');
  const socket = connect(port).setEncoding('utf8');
  socket.write(`${head}\r\n\r\n${body}`);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return { text, json: JSON.parse(text.slice(text.lastIndexOf('\r\n\r\n'))) };
}

/** Starts this set-up for the tests of a file. */
function useGateway(): void {
  beforeAll(async () => {
    server.listen(0);
    await once(server, 'listening');
  });
  afterAll(() => void server.close());
}

useGateway();

describe('routing', () => {
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
  ])('matches %s %s to %s: fixed segments come before parameters', async (method, path, expected) => {
    expect((await ask(path, { method })).json.route).toBe(expected);
  });

  it.each([
    ['a', 'a'],
    ['%20a%20', ' a '],
    ['%2C', ','],
    ['%252C', ','],
    ['%252F', '/'],
    ['%25252F', '%2F'],
    ['a%3Bb;c=d', 'a;b;c=d'],
    ['a%252Fb%2525%253F', 'a/b%?'],
    ['%252E%252E', '..'],
    ['%2E%2E', '..'],
    ['..', '..'],
    ['%00', '\u0000'],
    ['a+b', 'a+b'],
    ['%E6%97%A5', '日'],
    ['a,b', 'a,b'],
    ['%23', '#'],
  ])(
    'decodes the parameter %s once before it chooses the route, and once more for the event',
    async (sent, expected) => {
      const { json } = await ask(`/things/${sent}?q=1`);
      expect(json.event.pathParameters).toEqual({ thingId: expected });
      expect(json.event.rawPath).toBe(`/things/${expected}`);
      expect(json.event.rawQueryString).toBe('q=1');
    },
  );

  it('separates segments at an encoded slash', async () => {
    expect((await ask('/things/a%2Fb')).status).toBe(404);
    expect((await ask('/things/a%2Fparts%2Fsecond')).json.route).toBe('getPart');
    expect((await ask('/%74hings/fixed')).json.route).toBe('getFixed');
  });

  it('ends the path at an encoded question mark', async () => {
    const { json } = await ask('/things/a%3Fb?q=1');
    expect(json.event).toMatchObject({ rawPath: '/things/a', pathParameters: { thingId: 'a' } });
    expect(json.event.queryStringParameters).toEqual({ q: '1' });
  });

  it.each(['%', '%zz', '%E6', '%ff', '50%25', '50%25off', '%25zz', '%25E6'])(
    'rejects the malformed escape %s with the body of API Gateway',
    async (sent) => {
      const { status, json } = await ask(`/things/${sent}`);
      expect([status, json]).toEqual([400, { message: 'Bad Request' }]);
    },
  );
});

it.each([
  ['http://example.com/things/a?q=1', '/things/a'],
  ['HTTP://example.com:80/things/a?q=1', '/things/a'],
])('routes the whole address %s by its path', async (target, path) => {
  const { event } = (await askRaw(`GET ${target}`)).json;
  expect([event.rawPath, event.rawQueryString]).toEqual([path, 'q=1']);
});

it.each(['/things/fixed', '/nothing', '/_sandbox/x'])(
  'states the service clock in the response to %s',
  async (path) => {
    const { headers } = await ask(path);
    expect(headers.date).toBe(new Date(1_795_250_000_000).toUTCString());
  },
);

it('reads a body that comes in chunks, after a response 100', async () => {
  const lines = ['Expect: 100-continue', 'Transfer-Encoding: chunked', 'Content-Type: text/plain'];
  const body = '2\r\nab\r\n1\r\nc\r\n0\r\n\r\n';
  const { text, json } = await askRaw('POST /things/a', lines, body);
  expect(text).toMatch(/^HTTP\/1\.1 100 /);
  expect([json.event.body, json.event.isBase64Encoded]).toEqual(['abc', false]);
});

it('returns 405 for TRACE', async () => {
  expect((await ask('/things', { method: 'TRACE' })).status).toBe(405);
});

it('responds to HEAD as to GET, without the body, and passes the method on', async () => {
  const [get, head] = [await ask('/image'), await ask('/image', { method: 'HEAD' })];
  expect([head.status, head.headers['content-type'], head.headers['content-length'], head.text]).toEqual([
    200,
    get.headers['content-type'],
    get.headers['content-length'],
    '',
  ]);
  expect((await ask('/nothing', { method: 'HEAD' })).status).toBe(404);
  expect((await ask('/json', { method: 'HEAD' })).headers.allow).toBe('POST');
});

describe('an unknown path or method', () => {
  it.each([
    '/',
    '/thing',
    '/things/',
    '/things/a/parts',
    '/things//parts/x',
    '//things',
    '/./things',
    '/things/../things',
    '/$default/things',
    '/THINGS',
    '/_sandbox/y',
  ])('returns 404 as JSON for GET %s', async (path) => {
    const { status, json, headers } = await ask(path);
    expect([status, json.error.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
    expect([json.error.message, json.error.fix, json.trackingId].every(Boolean)).toBe(true);
    expect(headers['x-request-id']).toBe(json.trackingId);
  });

  it('returns 405 as JSON with the methods of the path', async () => {
    for (const method of ['DELETE', 'PUT', 'PATCH']) {
      const { status, json, headers } = await ask('/things/a', { method });
      expect([status, json.error.code, headers.allow]).toEqual([
        405,
        'RESOURCE_NOT_FOUND',
        'GET, HEAD, POST',
      ]);
    }
    expect((await ask('/things', { method: 'POST' })).headers.allow).toBe('GET, HEAD');
  });

  it('reads the path of an unknown route decoded twice, as the $default route does', async () => {
    expect((await ask('/things%252Fa', { method: 'PUT' })).status).toBe(405);
    expect((await ask('/things/a%252Fb', { method: 'PUT' })).status).toBe(404);
  });

  it('reaches the sandbox before the routes', async () => {
    const { status, headers } = await ask('/_sandbox/x');
    expect([status, headers['x-sandbox']]).toEqual([204, 'yes']);
  });
});

it('returns the bytes of a base64 body', async () => {
  const { text, headers } = await ask('/image');
  expect([text, headers['content-length']]).toEqual(['GIF89a', '6']);
});

describe('the Lambda event of a request', () => {
  it('uses payload format 2.0 with lower-case header names and combined repeats', async () => {
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
    expect(event.headers).toMatchObject({ 'x-mixed': 'One', 'x-many': 'a,b', 'user-agent': 'agent' });
    expect(Object.keys(event.headers).every((name) => name === name.toLowerCase())).toBe(true);
    expect(event.requestContext.http).toMatchObject({ method: 'GET', path: '/things/a', userAgent: 'agent' });
    expect(event.requestContext.http.sourceIp).toMatch(/^(127\.0\.0\.1|::1)$/);
    expect(event.requestContext.timeEpoch).toBe(1_795_250_000_000);
    expect(event.body).toBeUndefined();
    expect((await ask('/things')).json.event.queryStringParameters).toBeUndefined();
  });

  it.each([
    ['', undefined],
    ['a&b=', { a: '', b: '' }],
    ['a=b%2Cc&a=d,e', { a: 'b,c,d,e' }],
    ['a=b+c%20d%2Be&%61=x', { a: 'b c d+e,x' }],
    ['a=50%&b=%E4%BD', { a: '50%', b: '\u{fffd}' }],
    ['a=1?b=2&c=d;e=f', { a: '1?b=2', c: 'd;e=f' }],
  ])('decodes the query %j once', async (sent, expected) => {
    const { event } = (await ask(`/things?${sent}`)).json;
    expect([event.rawQueryString, event.queryStringParameters]).toEqual([sent, expected]);
  });

  it('combines every repeated header with commas, so that two credentials are none', async () => {
    const lines = [
      ...['Authorization: Bearer a', 'authorization: Bearer b', 'X-Empty:'],
      ...['Cookie: a=1; b=2', 'Cookie: c=3'],
    ];
    const { event } = (await askRaw('GET /things', lines)).json;
    expect(event.headers).toMatchObject({ authorization: 'Bearer a,Bearer b', 'x-empty': '' });
    expect(event.cookies).toEqual(['a=1', 'b=2', 'c=3']);
  });

  it('contains a text body as text and any other as base64', async () => {
    const post = async (type: string | undefined, body: Buffer) => {
      const headers = type === undefined ? {} : { 'content-type': type };
      const { event } = (await ask('/things/a', { method: 'POST', headers, body })).json;
      return [event.body, event.isBase64Encoded];
    };
    const text = Buffer.from('{"a":"日"}');
    for (const type of ['application/json; charset=utf-8', 'TEXT/PLAIN', 'application/problem+json']) {
      expect(await post(type, text)).toEqual([text.toString(), false]);
    }
    expect(await post('text/plain', Buffer.from([0xff]))).toEqual(['\u{fffd}', false]);
    expect(await post('text/plain', Buffer.alloc(0))).toEqual([undefined, false]);
    for (const type of [undefined, 'application/octet-stream', 'application/x-www-form-urlencoded']) {
      expect(await post(type, Buffer.from([0xff, 0]))).toEqual(['/wA=', true]);
    }
  });
});

describe('a preflight request', () => {
  it('passes on a public route', async () => {
    const headers = { origin: 'https://example.com', 'access-control-request-method': 'POST' };
    const response = await ask('/things/a', { method: 'OPTIONS', headers });
    expect(response.status).toBe(204);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST',
    });
    expect(response.headers['access-control-allow-headers']).toContain('authorization');
  });

  it('returns the methods of the most specific path, as API Gateway does', async () => {
    const { headers } = await ask('/things/fixed', { method: 'OPTIONS' });
    expect(headers['access-control-allow-methods']).toBe('PATCH');
  });

  it('fails on other routes', async () => {
    const response = await ask('/things', { method: 'OPTIONS' });
    expect([response.status, response.headers['access-control-allow-origin']]).toEqual([405, undefined]);
    expect((await ask('/no/such', { method: 'OPTIONS' })).status).toBe(404);
    expect((await ask('/things')).headers['access-control-allow-origin']).toBeUndefined();
  });
});

it('leaves the end of an idle connection to the client, so that no request comes too late', async () => {
  const { status, headers } = await ask('/things');
  expect([status, headers['keep-alive']]).toEqual([200, undefined]);
});

describe('a request body', () => {
  const bodyOf = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes - 11) });

  it('passes as an event of up to 6 MB', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = bodyOf(6 * 1024 * 1024 - 2000);
    const { status, json } = await ask('/json', { method: 'POST', headers, body });
    expect((await ask('/json', { method: 'POST', body })).status).toBe(413);
    expect([status, json]).toEqual([200, { length: 6 * 1024 * 1024 - 2011 }]);
  });

  it.each([6 * 1024 * 1024, 7e6, 12e6])(
    'returns 413 with %i bytes, and the server continues',
    async (bytes) => {
      const { status, json } = await ask('/json', { method: 'POST', body: bodyOf(bytes) });
      expect([status, json]).toEqual([413, { message: 'Request Entity Too Large' }]);
      expect((await ask('/things')).status).toBe(200);
    },
  );

  it('that no function can receive is 413 on an unknown path and with another method, too', async () => {
    const body = bodyOf(6.5e6);
    expect((await ask('/no/such', { method: 'POST', body })).status).toBe(413);
    expect((await ask('/json', { method: 'PATCH', body })).status).toBe(413);
    expect((await ask('/no/such', { method: 'POST', body: bodyOf(4e6) })).status).toBe(404);
  });

  it('counts with the escapes and base64 of its event', async () => {
    const post = (type: string, body: Buffer) =>
      ask('/things/a', { method: 'POST', headers: { 'content-type': type }, body });
    expect((await post('text/plain', Buffer.alloc(LARGE_BYTES, '"'))).status).toBe(413);
    expect((await post('image/png', Buffer.alloc(4.8e6))).status).toBe(413);
    expect((await post('image/png', Buffer.alloc(1e6))).status).toBe(200);
  });

  it('returns 400 when it is empty', async () => {
    const { status, json } = await ask('/json', { method: 'POST' });
    expect([status, json.error.code]).toEqual([400, 'INVALID_JSON']);
  });
});

describe('a failing function', () => {
  it('returns 500 with the body of API Gateway and without the cause', async () => {
    const { status, json, text } = await ask('/fails');
    expect([status, json]).toEqual([500, { message: 'Internal Server Error' }]);
    expect(text).not.toContain('zqmarkerqz');
  });

  it('returns 500 when its response is over 6 MB as JSON', async () => {
    expect((await ask('/large')).status).toBe(500);
  });

  it('returns 500 when its headers cannot be sent, and the server continues', async () => {
    expect((await ask('/_sandbox/broken')).status).toBe(500);
    expect((await ask('/things')).status).toBe(200);
  });
});

describe('request headers', () => {
  it.each([
    [10_000, 200],
    [10_240, 431],
    [100_000, 431],
    [400_000, 431],
  ])('return the status for %i bytes: %i', async (bytes, expected) => {
    const { status, json } = await ask('/things', { headers: { 'x-long': 'x'.repeat(bytes) } });
    expect(status).toBe(expected);
    if (status === 431) expect(json).toEqual({ message: 'Request Header Fields Too Large' });
  });

  it('count together with the request line', async () => {
    expect((await ask(`/things?q=${'x'.repeat(10_240)}`)).status).toBe(431);
  });

  it('contain cookies as a list', async () => {
    const { json } = await ask('/things', { headers: { cookie: 'a=1; b=2' } });
    expect(json.event.cookies).toEqual(['a=1', 'b=2']);
    expect(json.event.headers.cookie).toBeUndefined();
  });
});

describe('an upgrade request', () => {
  it.each(['h2c', 'TLS/1.2', 'foo'])('to %s is ignored', async (protocol) => {
    const headers = {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: protocol,
      'http2-settings': 'AAMAAABkAAQAAP__',
    };
    const { status, json } = await ask('/things', { headers });
    expect([status, json.route]).toEqual([200, 'listThings']);
  });

  it('gets no upgrade from curl --http2, even with a body', async () => {
    const { port } = server.address() as AddressInfo;
    const args = ['-s', '--http2', '-d', '{"text":"abc"}', `http://127.0.0.1:${port}/json`];
    const { stdout } = await promisify(execFile)('curl', args);
    expect(JSON.parse(stdout)).toEqual({ length: 3 });
  });
});

it('responds to data that is not HTTP and continues', async () => {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port).end('\u0000\u0001 nonsense\r\n\r\n');
  const [first] = await once(socket, 'data');
  expect(String(first)).toMatch(/^HTTP\/1\.1 400 /);
  expect((await ask('/things')).status).toBe(200);
});
