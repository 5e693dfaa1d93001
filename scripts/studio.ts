import type { IncomingMessage, ServerResponse } from 'node:http';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { nameOf } from '../infra/aws/platform.ts';
import { reservePort } from '../infra/local/gateway/listen.ts';
import { readBody } from '../infra/local/gateway/read-body.ts';
import { type Access, createAccess } from '../studio/server/access.ts';
import { createStudio, rejected, type StudioResponse } from '../studio/server/studio.ts';
import { findStack } from './deploy/bootstrap.ts';
import { assertPrivate } from './frame/api.ts';
import { CommandError, EXIT, option, readPort, runCommand } from './frame/command.ts';
import { DEPLOYMENT_OPTIONS, parametersOf, useAws } from './frame/deployment.ts';
import { AWS_CLIENT } from './frame/proxy.ts';

const OPTIONS = {
  key: option.value('<secret key>', 'default: NDS_KEY'),
  url: option.value('<base URL>', "the API, instead of a stage's output"),
  'read-only': option.flag('reject every request that would change the stage'),
  port: option.value('<number>', 'listen on this port (default: any free one)'),
  ...DEPLOYMENT_OPTIONS,
} as const;

const ABOUT = `Opens the studio on 127.0.0.1 for a deployed stage, until Ctrl-C. The key stays in this process, and
only the printed address opens the studio.

npm run studio -- --key <secret key> [options]`;

const NOTES = `For the local run, no command is needed: open the address that npm start prints.`;

const BODY_BYTES_MAX = 7 * 1024 * 1024;

runCommand({ about: ABOUT, options: OPTIONS, notes: NOTES }, async (values) => {
  const key = values.key ?? process.env.NDS_KEY;
  if (!key) throw new CommandError('Pass --key with a secret key, or set NDS_KEY.', EXIT.usage);
  if (values.url !== undefined) assertPrivate(values.url);
  const requestedPort = readPort(values.port);
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
  const access = createAccess();
  const { port, open } = await reservePort(requestedPort, '127.0.0.1');
  open((request, response) => {
    respond(request, access, studio).then(
      ({ statusCode, headers, body }) => response.writeHead(statusCode, headers).end(body),
      () => fail(response),
    );
  });
  console.log(`Studio  http://127.0.0.1:${port}/${access.search}   ${apiUrl}\nStop with Ctrl-C.`);
});

async function respond(
  request: IncomingMessage,
  access: Access,
  studio: ReturnType<typeof createStudio>,
): Promise<StudioResponse> {
  // A target of two slashes has no host.
  const { pathname, search } = new URL(`http://127.0.0.1/${(request.url ?? '').replace(/^\//, '')}`);
  const headerPairs = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  const headers = new Headers(Object.fromEntries(headerPairs));
  const asked = { method: request.method ?? 'GET', path: pathname, search, headers, body: Buffer.alloc(0) };
  const checked = access.check(asked);
  if (checked) return checked;
  const body = await readBody(request, BODY_BYTES_MAX);
  if (!body) return rejected(413, 'TOO_LARGE', 'The body is too large.');
  return (
    (await studio({ ...asked, body })) ?? rejected(404, 'NOT_FOUND', 'The studio does not have this page.')
  );
}

function fail(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(500).end();
}

/** Returns the address of a deployed stage's API, the output `BaseUrl` of its gateway stack. */
async function findBaseUrl(parameters: ReturnType<typeof parametersOf>): Promise<string> {
  const stack = nameOf({ parameters }, 'gateway');
  const found = await findStack(new CloudFormationClient(AWS_CLIENT), stack);
  const address = found?.Outputs?.find(({ OutputKey }) => OutputKey === 'BaseUrl')?.OutputValue;
  if (address) return address;
  throw new CommandError(`Stack ${stack} does not exist or has no output BaseUrl. Deploy it, or pass --url.`);
}
