import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import * as v from 'valibot';
import { afterAll, beforeAll } from 'vitest';
import { createGateway } from '../../../../infra/local/gateway/gateway.ts';
import { endpoint } from '../../../../shared/http/endpoint/endpoint.ts';
import type { HttpResponse } from '../../../../shared/http/endpoint/response.ts';
import { type ListedRoute, route } from '../../../../shared/http/rows/route.ts';

export const LARGE_BYTES = 4 * 1024 * 1024;

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

export const server = createGateway({
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
export async function ask(path: string, { method = 'GET', headers = {}, body = '' }: Options = {}) {
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
export async function askRaw(start: string, lines: readonly string[] = [], body = '') {
  const { port } = server.address() as AddressInfo;
  const head = [`${start} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...lines].join('\r\n');
  const socket = connect(port).setEncoding('utf8');
  socket.write(`${head}\r\n\r\n${body}`);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return { text, json: JSON.parse(text.slice(text.lastIndexOf('\r\n\r\n'))) };
}

/** Starts this set-up for the tests of a file. */
export function useGateway(): void {
  beforeAll(async () => {
    server.listen(0);
    await once(server, 'listening');
  });
  afterAll(() => void server.close());
}
