import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { ROUTES } from '../../functions/routes.ts';
import type { Answer } from '../../shared/http/answer.ts';
import { fileNameOf, type Route } from '../../shared/http/route.ts';
import { connectionPost } from '../../shared/providers/realtime.ts';
import { replace } from '../../shared/runtime/dependency.ts';
import { type LocalAccount, openLocalAccount } from './first-run.ts';
import { createGateway } from './gateway/gateway.ts';
import { createWebsocketGateway, type WebsocketGateway } from './gateway/websocket.ts';
import { lockFolder } from './lock.ts';
import { logLinesOf } from './log-lines.ts';
import { type Machine, startMachine } from './machine.ts';
import { checkoutRoutes, type DeliverCallback } from './sandbox/checkout-pages.ts';
import { createInvocationRoutes } from './sandbox/invocation-routes.ts';
import { createQueueRoutes } from './sandbox/queue-routes.ts';
import { createSandboxRoutes } from './sandbox/sandbox-routes.ts';
import { ISSUER_PATH, issuerRoutes, LOCAL_CLIENT_ID, openTokenIssuer } from './sandbox/token-issuer.ts';
import { sendWelcome } from './sandbox/welcome.ts';
import type { StartOptions } from './start.ts';

/** How long the first run waits for the last event of its welcome notification before it goes on. */
const WELCOME_MS_MAX = 6000;

/** The local run in the foreground, until SIGINT or SIGTERM. */
export async function run(options: StartOptions): Promise<void> {
  const say = (text: string) => {
    if (!options.isQuiet) console.log(text);
  };
  const unlock = options.dataFolder === undefined ? () => {} : lockFolder(options.dataFolder);
  const gateway = Promise.withResolvers<Server>();
  const server = await reservePort(options.port, gateway.promise);
  if (options.readyFile) rmSync(options.readyFile, { force: true });
  const port = portOf(server);
  const baseUrl = process.env.PUBLIC_BASE_URL || `http://localhost:${port}`;
  process.env.PUBLIC_BASE_URL = baseUrl;
  process.env.TOKEN_ISSUER ||= `http://127.0.0.1:${port}${ISSUER_PATH}`;
  process.env.TOKEN_CLIENT_ID ||= LOCAL_CLIENT_ID;
  const ownEndpoint = `http://127.0.0.1:${port}`;
  process.env.WEBSOCKET_ENDPOINT ||= ownEndpoint;
  say('Starting: DynamoDB Local, stream, queues, all functions …');
  const machine = await startMachine({
    dataFolder: options.dataFolder,
    clockStartMs: options.clockStartMs,
    onStreamEvent: (event) => logLinesOf(event).forEach(say),
    onError,
    onDatabaseLost: () => {
      console.error(
        'DynamoDB Local has stopped: start the service again, nothing that was accepted is lost.',
      );
      process.exit(1);
    },
  });
  const websocket = createWebsocketGateway({ server, nowMs: machine.clock.now, onError });
  if (process.env.WEBSOCKET_ENDPOINT === ownEndpoint) replace(connectionPost, () => websocket.post);
  stopOnSignal(server, machine, websocket, unlock);
  gateway.resolve(openGateway(machine, websocket, process.env.TOKEN_ISSUER));
  const smtpPort = await openMail(options.smtpPort, say);
  const account = await openLocalAccount();
  const answer = await fetch(`http://127.0.0.1:${port}/status`);
  if (!answer.ok) throw new Error('The service does not answer its own health check.');
  if (options.readyFile) writeReadyFile(options.readyFile, { baseUrl, smtpPort, ...account });
  if (account.isNew && options.isWelcoming) await welcome(`http://127.0.0.1:${port}`, account, machine);
  say(introduction(baseUrl, account));
}

/** Takes mail where SES would, on the port it answers; without one the rest runs as well. */
async function openMail(port: number, say: (text: string) => void): Promise<number | undefined> {
  const { openSmtpListener } = await import('./smtp-listener.ts');
  const listener = await openSmtpListener({ port, onError });
  say(
    listener
      ? `Mail is taken at localhost:${listener.port} (SMTP).`
      : `No mail is taken: port ${port} is in use, choose another with npm start -- --smtp-port <number>.`,
  );
  return listener?.port;
}

/** Takes the port before anything heavy starts; its requests wait until the gateway is there. */
function reservePort(port: number, gateway: Promise<Server>): Promise<Server> {
  return import('node:http').then(
    ({ createServer }) =>
      new Promise((reserved, failed) => {
        const server = createServer((request, response) => {
          gateway.then((ready) => ready.emit('request', request, response));
        });
        server.once('error', (error: NodeJS.ErrnoException) =>
          failed(
            error.code === 'EADDRINUSE'
              ? new Error(`Port ${port} is taken: choose another with npm start -- --port <number>.`)
              : error,
          ),
        );
        server.listen(port, () => reserved(server));
      }),
  );
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

function openGateway(machine: Machine, websocket: WebsocketGateway, issuerUrl: string): Server {
  const issuer = openTokenIssuer(join(machine.folder, 'issuer.pem'), issuerUrl);
  const sandboxes = [
    createSandboxRoutes(machine),
    createQueueRoutes(machine.queues),
    createInvocationRoutes(loadHandler),
    websocket.answer,
    issuerRoutes(issuer),
    checkoutRoutes(callBack),
  ];
  return createGateway({
    routes: ROUTES,
    loadHandler,
    sandbox: async (request) => {
      for (const sandbox of sandboxes) {
        const answer = await sandbox(request);
        if (answer) return answer;
      }
      return undefined;
    },
    nowMs: machine.clock.now,
  });
}

/** The payment sandbox's callback, as a direct event of the function that takes Stripe's. */
const callBack: DeliverCallback = async ({ rawBody, signature }) => {
  const found = ROUTES.find((row) => row.path === '/callbacks/stripe');
  if (!found) throw new Error('there is no route for the payment provider');
  const handler = await loadHandler(found);
  return handler({ headers: { 'stripe-signature': signature }, body: rawBody } as never);
};

const handlers = new Map<string, Promise<(event: never) => Promise<Answer>>>();

/** A route's function, loaded with its first request. */
function loadHandler(route: Route): Promise<(event: never) => Promise<Answer>> {
  const known = handlers.get(route.id);
  if (known) return known;
  const loading = import(`../../functions/${route.resource}/${fileNameOf(route.id)}.ts`).then(
    (module: { handler: (event: never) => Promise<Answer> }) => module.handler,
  );
  handlers.set(route.id, loading);
  return loading;
}

const onError = (error: unknown) =>
  console.error(error instanceof Error ? `${error.name}: ${error.message}` : error);

function stopOnSignal(
  server: Server,
  machine: Machine,
  websocket: WebsocketGateway,
  unlock: () => void,
): void {
  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    websocket.stop();
    server.close();
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 2000).unref();
    await machine.stop();
    unlock();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

/** Written whole or not at all: a script that sees it can read it. */
function writeReadyFile(
  file: string,
  facts: { baseUrl: string; smtpPort: number | undefined } & LocalAccount,
): void {
  const { baseUrl, smtpPort, secretKey, publicKey, accountId, environmentId } = facts;
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ baseUrl, smtpPort, secretKey, publicKey, accountId, environmentId }));
  renameSync(draft, file);
}

async function welcome(baseUrl: string, account: LocalAccount, machine: Machine): Promise<void> {
  await sendWelcome(baseUrl, account.secretKey);
  const until = Date.now() + WELCOME_MS_MAX;
  do {
    await machine.settle();
    await new Promise((resume) => setTimeout(resume, 50));
  } while (machine.isAwaitingReceipts() && Date.now() < until);
  await machine.settle();
}

function introduction(baseUrl: string, account: LocalAccount): string {
  const authorization = `-H "Authorization: Bearer ${account.secretKey}"`;
  return `
The service answers at ${baseUrl}

  secret key   ${account.secretKey}
  public key   ${account.publicKey}
  environment  ${account.environmentId}

Send an e-mail:
  curl -s ${baseUrl}/send ${authorization} -d '{"type":"hello","to":{"id":"ada","email":"ada@example.com"},"email":{"subject":"Hello {{ user.id }}","html":"<p>It works.</p>"}}'

Read the last logs:
  curl -s ${baseUrl}/logs/tail ${authorization}

See what the sandbox providers were given:
  curl -s "${baseUrl}/_sandbox/messages?channel=EMAIL"

Stop with Ctrl-C.`;
}
