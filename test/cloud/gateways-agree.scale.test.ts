import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../functions/routes.ts';
import { buildApp } from '../../infra/aws/build-app.ts';
import { createGateway } from '../../infra/local/gateway/gateway.ts';
import { createHttpApi } from './http-api.ts';
import { type Deployment, readDeployment } from './templates.ts';

const routes = ROUTES.filter(({ resource }) => ['inapp', 'topics', 'types'].includes(resource));
const LONG = 'a'.repeat(9_900);
const MANY = Array.from({ length: 300 }, (_, index) => `q=${index}`).join('&');

/** Request line, further header lines, body. */
const REQUESTS: [line: string, headers?: string[], body?: string][] = [
  ['GET /types HTTP/1.1'],
  ['GET /types HTTP/1.0'],
  ['GET /types/ HTTP/1.1'],
  ['GET //types HTTP/1.1'],
  ['GET /types//templates HTTP/1.1'],
  ['GET /./types HTTP/1.1'],
  ['GET /types/../types HTTP/1.1'],
  ['GET /TYPES HTTP/1.1'],
  ['GET /$default/types HTTP/1.1'],
  ['GET /t%79pes HTTP/1.1'],
  ['GET /t%2579pes HTTP/1.1'],
  ['PATCH /types/a+b HTTP/1.1'],
  ['PATCH /types/a%20b%2Bc HTTP/1.1'],
  ['PATCH /types/a%2Fb HTTP/1.1'],
  ['PATCH /types/a%252Fb HTTP/1.1'],
  ['PATCH /types/a%25252Fb HTTP/1.1'],
  ['PATCH /types/a%3Fb HTTP/1.1'],
  ['PATCH /types/a%253Fb HTTP/1.1'],
  ['PATCH /types/a%3Bb;c=d HTTP/1.1'],
  ['PATCH /types/a%00b HTTP/1.1'],
  ['PATCH /types/a%23b HTTP/1.1'],
  ['PATCH /types/50% HTTP/1.1'],
  ['PATCH /types/50%25 HTTP/1.1'],
  ['PATCH /types/50%2525 HTTP/1.1'],
  ['PATCH /types/%E4%BD%A0 HTTP/1.1'],
  ['PATCH /types/%E4%BD HTTP/1.1'],
  ['PATCH /types/%25E4%25BD HTTP/1.1'],
  ['PATCH /types/. HTTP/1.1'],
  ['PATCH /types/%2E%2E HTTP/1.1'],
  // Matches one path when it is decoded once, and another, or none, when it is decoded twice.
  ['PUT /types/a%252Fb HTTP/1.1'],
  ['PUT /t%2579pes HTTP/1.1'],
  ['PUT /types%252Fa HTTP/1.1'],
  ['HEAD /types HTTP/1.1'],
  ['OPTIONS /types HTTP/1.1'],
  ['OPTIONS /inapp HTTP/1.1', ['Origin: https://shop.example.com']],
  ['OPTIONS /no/such HTTP/1.1'],
  ['TRACE /types HTTP/1.1'],
  ['GET /types?a=1&a=2&b=&c&=d&e=f%2Cg&h=i,j HTTP/1.1'],
  ['GET /types?a=b+c%20d%2Be&%61=x HTTP/1.1'],
  ['GET /types?a=50%&b=%E4%BD HTTP/1.1'],
  ['GET /types?a=1?b=2&c=d;e=f HTTP/1.1'],
  ['GET /types? HTTP/1.1'],
  [`GET /types?${MANY} HTTP/1.1`],
  [`GET /types?a=${LONG} HTTP/1.1`],
  [`GET /types?a=${LONG}${LONG} HTTP/1.1`],
  ['GET /types HTTP/1.1', [`X-Long: ${LONG}`]],
  ['GET /types HTTP/1.1', [`X-Long: ${LONG}${LONG}`]],
  ['GET /types HTTP/1.1', ['Cookie: a=1; b=2', 'Cookie: c=3', 'X-A: 1', 'x-a: 2', 'X-Empty:']],
  ['GET /types HTTP/1.1', ['Authorization: Bearer a', 'Authorization: Bearer b']],
  ['GET /types HTTP/1.1', ['X-Latin: caf\u00e9', 'User-Agent: test']],
  [
    'GET /types HTTP/1.1',
    ['Upgrade: h2c', 'Connection: Upgrade, HTTP2-Settings', 'HTTP2-Settings: AAMAAABkAAQ'],
  ],
  ['GET /types HTTP/1.1', ['Content-Length: 2', 'Content-Type: application/json'], '{}'],
  ['POST /types HTTP/1.1', ['Content-Length: 2', 'Content-Type: application/json; charset=utf-8'], '{}'],
  ['POST /types HTTP/1.1', ['Content-Length: 2', 'Content-Type: application/problem+json'], '{}'],
  ['POST /types HTTP/1.1', ['Content-Length: 3', 'Content-Type: application/x-www-form-urlencoded'], 'a=b'],
  ['POST /types HTTP/1.1', ['Content-Length: 3'], 'a=b'],
  ['POST /types HTTP/1.1', ['Content-Length: 3', 'Content-Type: TEXT/PLAIN'], '\u00ff\u00fe\u00fd'],
  ['POST /types HTTP/1.1', ['Content-Length: 0', 'Content-Type: application/json']],
  [
    'POST /types HTTP/1.1',
    ['Transfer-Encoding: chunked', 'Content-Type: text/plain'],
    '3\r\nabc\r\n0\r\n\r\n',
  ],
  ['POST /types HTTP/1.1', ['Expect: 100-continue', 'Content-Length: 2', 'Content-Type: text/plain'], 'ab'],
  [
    'POST /types HTTP/1.1',
    ['Content-Length: 2', 'Content-Type: application/json', 'Content-Encoding: gzip'],
    '{}',
  ],
];

type Response = { status: number; allow: string[]; body: unknown };
const folder = mkdtempSync(join(tmpdir(), 'gateways-'));
const problems: string[] = [];
let servers: Server[];

beforeAll(async () => {
  servers = [localGateway(), cloudGateway(templates())];
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

describe('the local gateway and the HTTP API of the templates', () => {
  it('respond alike to every kind of request', async () => {
    const differing = [];
    for (const request of REQUESTS) {
      const [local, cloud] = await Promise.all(servers.map((server) => ask(server, ...request)));
      if (JSON.stringify(local) !== JSON.stringify(cloud))
        differing.push({ request: request[0], local, cloud });
    }
    expect(differing).toEqual([]);
    expect(problems).toEqual([]);
  });
});

function templates(): Deployment {
  mkdirSync(join(folder, 'code'));
  writeFileSync(join(folder, 'code/index.mjs'), '');
  const outputFolder = join(folder, 'out');
  const codeFolderOf = () => join(folder, 'code');
  const context = { 'aws:cdk:disable-asset-staging': true };
  buildApp({ routes, workers: [], codeFolderOf, context, outputFolder, isReviewed: false }).app.synth();
  return readDeployment(outputFolder);
}

/** Every function returns its event, as JSON. */
const answerOf = (event: object) => ({
  statusCode: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(event),
});

function localGateway(): Server {
  return createGateway({
    routes,
    loadHandler: async () => async (event) => answerOf(event),
    local: async () => undefined,
    nowMs: () => 0,
  });
}

function cloudGateway(deployment: Deployment): Server {
  const api = deployment
    .ofType('AWS::ApiGatewayV2::Api')
    .find(({ properties }) => properties.ProtocolType === 'HTTP');
  if (!api) throw new Error('the templates have no HTTP API');
  const invoke = async (arn: string, event: object) => {
    const code = deployment.ofType('AWS::Lambda::Function').find((each) => each.arn === arn)?.properties.Code;
    if (!code?.ZipFile) return answerOf(event);
    const exports = { handler: async (_event: object): Promise<unknown> => undefined };
    runInNewContext(code.ZipFile, { exports });
    return exports.handler(event);
  };
  const lambda = { invoke, usage: new Map(), problems: [], moveClock: async () => {}, close: async () => {} };
  const events = () => ({ mayInvoke: () => true }) as never;
  return createHttpApi(deployment, api, { lambda, events, problems });
}

async function ask(server: Server, line: string, headers: string[] = [], body = ''): Promise<Response> {
  const socket = connect((server.address() as AddressInfo).port).setEncoding('latin1');
  const head = [line, 'Host: api.example.com', ...headers];
  const closes = headers.some((header) => header.startsWith('Connection')) ? [] : ['Connection: close'];
  socket.write(`${[...head, ...closes].join('\r\n')}\r\n\r\n${body}`, 'latin1');
  let text = '';
  for await (const chunk of socket) {
    text += chunk;
    if (closes.length === 0 && text.includes('}')) break;
  }
  const [, status = '', fields = '', content = ''] =
    /^(?:HTTP\/1.1 100 Continue\r\n\r\n)?HTTP\/1.1 (\d+)[^\r]*\r\n(.*?)\r\n\r\n(.*)$/s.exec(text) ?? [];
  const allow =
    /^(?:allow|access-control-allow-methods): (.*)$/im.exec(fields)?.[1]?.split(', ').sort() ?? [];
  const json = /\{.*\}/s.exec(content)?.[0];
  return { status: Number(status), allow, body: json ? comparable(JSON.parse(json)) : '' };
}

/** The parts of a response that both must share: not their names, IDs, times and addresses. */
function comparable(body: Record<string, unknown>): unknown {
  const { trackingId: _id, requestContext, headers, ...rest } = body;
  if (headers === undefined) return sorted(rest);
  const {
    'x-forwarded-proto': _proto,
    'x-forwarded-port': _port,
    ...own
  } = headers as Record<string, string>;
  const { http } = requestContext as { http: Record<string, string> };
  return sorted({ ...rest, headers: sorted(own), method: http.method, path: http.path });
}

const sorted = (fields: object) =>
  Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
