import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBody } from '../infra/local/gateway/read-body.ts';
import { createStudio, type StudioResponse } from '../studio/server/studio.ts';
import { CommandError, EXIT, EXIT_HELP, readOptions, readPort, runCommand } from './command.ts';
import { DEPLOYMENT_HELP, DEPLOYMENT_OPTIONS, parametersOf, useAws } from './deployment.ts';
import { findBaseUrl } from './stage-address.ts';

const HELP = `Opens the studio on 127.0.0.1 for a deployed stage, until Ctrl-C. The key stays in this process.

npm run studio -- --key <secret key> [options]

  --key <secret key>     default: NDS_KEY
  --url <base URL>       the API, instead of a stage's output
  --read-only            reject every request that would change the stage
  --port <number>        listen on this port (default: any free one)
${DEPLOYMENT_HELP}

For the local run, no command is needed: open the address that npm start prints.

${EXIT_HELP}`;

const OPTIONS = {
  ...DEPLOYMENT_OPTIONS,
  key: { type: 'string' },
  url: { type: 'string' },
  'read-only': { type: 'boolean' },
  port: { type: 'string' },
} as const;

const BODY_BYTES_MAX = 7 * 1024 * 1024;

runCommand(HELP, async () => {
  const values = readOptions(OPTIONS);
  const key = values.key ?? process.env.NDS_KEY;
  if (!key) throw new CommandError('Pass --key with a secret key, or set NDS_KEY.', EXIT.usage);
  if (values.url === undefined) useAws(values);
  const apiUrl = values.url ?? (await findBaseUrl(parametersOf({ stage: values.stage })));
  const studio = createStudio({
    mode: 'stage',
    name: values.url ? new URL(apiUrl).host : `stage ${values.stage ?? 'dev'}`,
    isReadOnly: values['read-only'] ?? false,
    apiUrl,
    publicUrl: () => apiUrl,
    key: () => key,
  });
  const server = createServer((request, response) => {
    respond(request, studio).then(
      ({ statusCode, headers, body }) => response.writeHead(statusCode, headers).end(body),
      () => fail(response),
    );
  });
  await new Promise<void>((listening) => server.listen(readPort(values.port), '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  console.log(`Studio  http://127.0.0.1:${port}/   ${apiUrl}\nStop with Ctrl-C.`);
  return undefined;
});

async function respond(
  request: IncomingMessage,
  studio: ReturnType<typeof createStudio>,
): Promise<StudioResponse> {
  const problem = problemOf(request);
  if (problem) return rejected(403, problem);
  const body = await readBody(request, BODY_BYTES_MAX);
  if (!body) return rejected(413, 'The body is too large.');
  const { pathname, search } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const headerPairs = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  const headers = new Headers(Object.fromEntries(headerPairs));
  const response = await studio({ method: request.method ?? 'GET', path: pathname, search, headers, body });
  return response ?? rejected(404, 'The studio does not have this page.');
}

/** Only this page may call: no other name of this machine (DNS rebinding), no other page. */
function problemOf({ headers, method }: IncomingMessage): string | undefined {
  const host = headers.host ?? '';
  if (!/^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(host)) return 'The studio responds on this machine only.';
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`)
    return 'The studio rejects requests from other pages.';
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site') return 'The studio rejects requests from other pages.';
  if (method !== 'GET' && headers.authorization === undefined)
    return 'The studio rejects requests that a form could send.';
  return undefined;
}

function rejected(statusCode: number, message: string): StudioResponse {
  const headers = { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' };
  return {
    statusCode,
    headers,
    body: Buffer.from(JSON.stringify({ error: { code: 'FORBIDDEN', message } })),
  };
}

function fail(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(500).end();
}
