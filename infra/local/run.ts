import type { Server } from 'node:http';
import { join } from 'node:path';
import { ROUTES } from '../../functions/routes.ts';
import { isPublicName } from '../../shared/http-client/public-name.ts';
import { connectionClose, connectionPost } from '../../shared/providers/clients/realtime.ts';
import { providerOrder } from '../../shared/providers/order/provider-order.ts';
import { replace } from '../../shared/runtime/dependency.ts';
import { createStudio } from '../../studio/server/studio.ts';
import { print, printable } from '../terminal.ts';
import { LOCAL_TABLE } from './database/table-input.ts';
import { assertSpace, type DiskSpace, watchDiskSpace } from './files/disk-space.ts';
import { lockFolder } from './files/lock.ts';
import { loadRoute } from './functions/load.ts';
import { createLogLines } from './functions/log-lines.ts';
import { drainServer } from './gateway/drain.ts';
import { gatewayListener, type LocalRoutes } from './gateway/gateway.ts';
import { reservePort } from './gateway/listen.ts';
import { guarded, isLoopbackHost, newAccessToken } from './gateway/local-access.ts';
import { createAdmission } from './gateway/overload.ts';
import { createWebsocketGateway, type WebsocketGateway } from './gateway/websocket.ts';
import { type Machine, startMachine } from './machine.ts';
import { guideRoutes } from './reference/guide-routes.ts';
import { referenceRoutes } from './reference/reference-routes.ts';
import { checkoutRoutes } from './sandbox/checkout-pages.ts';
import { createEventStream } from './sandbox/event-stream.ts';
import { createInvocationRoutes } from './sandbox/invocation-routes.ts';
import { logNotices } from './sandbox/log-event.ts';
import { createQueueRoutes } from './sandbox/queue-routes.ts';
import { createRequestLog } from './sandbox/requests.ts';
import { createSandboxRoutes, type Sandbox } from './sandbox/sandbox-routes.ts';
import { ISSUER_PATH, issuerRoutes, LOCAL_CLIENT_ID, openTokenIssuer } from './sandbox/token-issuer.ts';
import { sendWelcome } from './sandbox/welcome.ts';
import { openLocalAccount } from './start/first-run.ts';
import { exposedWarning, introduction, RELAY_NOTE } from './start/introduction.ts';
import { allowLoopbackTargets } from './start/local-settings.ts';
import { type ReadyFacts, removeReadyFile, writeReadyFile } from './start/ready-file.ts';
import type { StartOptions } from './start/start-options.ts';

/** The first run waits this long for the last event of its welcome notification. */
const WELCOME_MS_MAX = 6000;
/** Requests in progress have this long to finish when the run is stopped. */
const DRAIN_MS_MAX = 10_000;

/** Runs the service in the foreground until SIGINT or SIGTERM, or the end of standard input if that is an option. */
export async function run(options: StartOptions): Promise<void> {
  const say = (text: string) => {
    if (!options.isQuiet) print(text);
  };
  // Files of this process and its database are readable by their owner only.
  process.umask(0o077);
  process.on('unhandledRejection', onError);
  const token = isLoopbackHost(options.host) ? undefined : newAccessToken();
  if (token === undefined) allowLoopbackTargets();
  const space = openSpace(options.dataFolder);
  const unlock = options.dataFolder === undefined ? () => {} : lockFolder(options.dataFolder);
  if (options.readyFile) removeReadyFile(options.readyFile);
  const reserved = await reservePort(options.port, options.host);
  const { server, port } = reserved;
  const ownEndpoint = `http://127.0.0.1:${port}`;
  const baseUrl = setAddresses(ownEndpoint, `http://localhost:${port}`);
  say('Starting: table, stream, queues, all functions …');
  const logLines = createLogLines();
  const stream = createEventStream();
  let facts: ReadyFacts | undefined;
  /** By `npm run pause -- --local`, until the end of the run. */
  const pause = { isPaused: false };
  const machine = await startMachine({
    dataFolder: options.dataFolder,
    database: options.database,
    clockStartMs: options.clockStartMs,
    onStreamEvent: ({ Records }) => {
      if (!options.isQuiet) logLines(Records).forEach(say);
      if (stream.listeners() > 0) for (const notice of logNotices(Records)) stream.send('log', notice);
    },
    isPaused: () => pause.isPaused || space.isFull(),
    onError,
    onDatabaseLost: () => {
      console.error('DynamoDB Local has stopped. Start the service again: no accepted notification is lost.');
      process.exit(1);
    },
  });
  const websocket = createWebsocketGateway({ server, nowMs: machine.clock.now, onError });
  if (process.env.WEBSOCKET_ENDPOINT === ownEndpoint) {
    replace(connectionPost, () => websocket.post);
    replace(connectionClose, () => websocket.close);
  }
  machine.outbox.onMessage((message) => stream.send('message', message, message.id));
  const requests = createRequestLog(machine.clock.now, (id) => stream.send('request', { id }));
  const open: { stop(): void }[] = [websocket, stream];
  const stop = createStop(server, machine, open, unlock);
  process.on('SIGINT', stop).on('SIGTERM', stop);
  if (options.isUntilStdinEnds) process.stdin.on('end', stop).resume();
  reserved.open(
    gatewayListener({
      routes: ROUTES,
      loadHandler: loadRoute,
      onResponse: requests.note,
      local: guarded(
        { token, onError },
        localRoutes({ machine, stream, requests, facts: () => facts, pause }, websocket, ownEndpoint),
      ),
      nowMs: machine.clock.now,
      admission: createAdmission({ isFull: space.isFull }),
    }),
  );
  if (options.tablePort !== undefined) open.push(await openTable(machine, options.tablePort, say));
  const smtpPort = await openMail(options.smtpPort, say);
  const { isNew, ...account } = await openLocalAccount();
  facts = { baseUrl, localUrl: ownEndpoint, smtpPort, sandboxToken: token, ...account };
  const status = await fetch(`${ownEndpoint}/status`);
  if (!status.ok) throw new Error('The service failed its own health check.');
  if (token !== undefined) console.error(exposedWarning(options.host, baseUrl, token));
  if (options.readyFile) writeReadyFile(options.readyFile, facts);
  if (isNew && options.isWelcoming) await welcome(ownEndpoint, account, machine);
  const { clock } = machine;
  if (isWithoutCallbacks(baseUrl)) console.error(NO_CALLBACKS);
  say(introduction(baseUrl, account, { nowMs: clock.now(), offsetMs: clock.offsetMs() }));
}

/** Without a data folder, everything is in memory. */
function openSpace(folder: string | undefined): DiskSpace {
  if (folder === undefined) return { isFull: () => false };
  assertSpace(folder);
  return watchDiskSpace(folder, (line) => console.error(line));
}

/** Sets the addresses in the functions' messages; addresses of the environment take precedence. */
function setAddresses(ownEndpoint: string, defaultBaseUrl: string): string {
  const baseUrl = process.env.PUBLIC_BASE_URL || defaultBaseUrl;
  process.env.PUBLIC_BASE_URL = baseUrl;
  process.env.TOKEN_ISSUER ||= `${ownEndpoint}${ISSUER_PATH}`;
  process.env.TOKEN_CLIENT_ID ||= LOCAL_CLIENT_ID;
  process.env.WEBSOCKET_ENDPOINT ||= ownEndpoint;
  return baseUrl;
}

const NO_CALLBACKS =
  'PUBLIC_BASE_URL is not a public address: Twilio and Telnyx get no callback address, so text messages and calls have no receipts.';

function isWithoutCallbacks(baseUrl: string): boolean {
  const orders = `${process.env.SMS_PROVIDER},${process.env.CALL_PROVIDER}`;
  return /twilio|telnyx/.test(orders) && !isPublicName(new URL(baseUrl).hostname);
}

async function openTable(
  { engine }: Machine,
  port: number,
  say: (text: string) => void,
): Promise<{ stop(): void }> {
  if (!engine) throw new Error('--table-port serves the embedded table only.');
  const { serveTable } = await import('./database/server/table-server.ts');
  const served = await serveTable(engine, port);
  say(`DynamoDB's API of the table ${LOCAL_TABLE}: ${served.url}`);
  return served;
}

/** Accepts email as SES would; without its port the rest runs as well. */
async function openMail(port: number, say: (text: string) => void): Promise<number | undefined> {
  if (providerOrder('EMAIL_PROVIDER').some(({ provider }) => provider === 'smtp')) say(RELAY_NOTE);
  const { openSmtpListener } = await import('./gateway/smtp-listener.ts');
  const listener = await openSmtpListener({ port, onError });
  say(
    listener
      ? `Inbound email: localhost:${listener.port} (SMTP).`
      : `SMTP is off: port ${port} is in use. Choose another with npm start -- --smtp-port <number>.`,
  );
  return listener?.port;
}

function localRoutes(
  sandbox: Sandbox & { machine: Machine; pause: { isPaused: boolean } },
  websocket: WebsocketGateway,
  ownEndpoint: string,
): LocalRoutes {
  const { machine } = sandbox;
  const issuerUrl = process.env.TOKEN_ISSUER ?? '';
  const issuer = openTokenIssuer(join(machine.folder, 'issuer.pem'), issuerUrl);
  const all: LocalRoutes[] = [
    createSandboxRoutes(sandbox),
    createQueueRoutes(machine.queues, sandbox.pause),
    createInvocationRoutes(),
    websocket.response,
    issuerRoutes(issuer),
    checkoutRoutes(),
    studioRoutes(ownEndpoint, sandbox),
    referenceRoutes(),
    guideRoutes(),
  ];
  return async (request) => {
    for (const routes of all) {
      const response = await routes(request);
      if (response) return response;
    }
    return undefined;
  };
}

const onError = (error: unknown) =>
  console.error(printable(error instanceof Error ? `${error.name}: ${error.message}` : String(error)));

/** Ends the process in order: open connections, requests in progress, machine. A second call does nothing. */
function createStop(
  server: Server,
  machine: Machine,
  open: readonly { stop(): void }[],
  unlock: () => void,
): () => Promise<void> {
  let isStopping = false;
  return async () => {
    if (isStopping) return;
    isStopping = true;
    for (const each of open) each.stop();
    await drainServer(server, DRAIN_MS_MAX);
    await machine.stop();
    unlock();
    process.exit(0);
  };
}

async function welcome(
  baseUrl: string,
  account: Pick<ReadyFacts, 'secretKey'>,
  machine: Machine,
): Promise<void> {
  await sendWelcome(baseUrl, account.secretKey);
  const until = Date.now() + WELCOME_MS_MAX;
  do {
    await machine.settle();
    await new Promise((resume) => setTimeout(resume, 50));
  } while (machine.isAwaitingReceipts() && Date.now() < until);
  await machine.settle();
}

/** The studio at `/`, with the secret key of the local account. */
function studioRoutes(ownEndpoint: string, { facts, machine }: Sandbox): LocalRoutes {
  const studio = createStudio({
    mode: 'sandbox',
    name: 'local sandbox',
    isReadOnly: false,
    apiUrl: ownEndpoint,
    publicUrl: () => facts()?.baseUrl ?? ownEndpoint,
    key: () => facts()?.secretKey,
    nowMs: machine.clock.now,
  });
  return async ({ method, path, query, body, raw }) => {
    const search = query.size > 0 ? `?${query}` : '';
    const headerPairs = Object.entries(raw.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    );
    const response = await studio({
      method,
      path,
      search,
      body,
      headers: new Headers(Object.fromEntries(headerPairs)),
    });
    if (!response) return undefined;
    const { statusCode, headers, body: bytes } = response;
    return { statusCode, headers, body: bytes.toString('base64'), isBase64Encoded: true };
  };
}
