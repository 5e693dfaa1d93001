import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as v from 'valibot';
import { verifyWebhook } from '../client/src/webhooks.ts';
import { readBody } from '../infra/local/gateway/read-body.ts';
import { coloured, print, printable, printableJson } from '../infra/terminal.ts';
import { findJson } from '../shared/runtime/values/find-json.ts';
import { WEBHOOK_EVENTS } from '../shared/schemas/logs/webhook.ts';
import { API_OPTIONS, type Api, openApi } from './frame/api.ts';
import {
  assertFetchable,
  CommandError,
  codeOf,
  EXIT,
  interruption,
  option,
  readPort,
  runCommand,
} from './frame/command.ts';

const OPTIONS = {
  forward: option.value('<URL>', 'receives each event as the webhook would'),
  events: option.value('<list>', 'separated by commas (default: all)'),
  port: option.value('<number>', 'listen on this port (default: any free one)'),
  'public-url': option.value(
    '<URL>',
    'address at which a deployed stage reaches that port, such as that of\na tunnel; not needed for a local run',
  ),
  ...API_OPTIONS,
} as const;

const ABOUT = `Forwards webhook events, with their signature, to a process on this machine until Ctrl-C.

npm run listen -- --forward http://localhost:4110/hook [options]`;

const NOTES = `The environment has one webhook. It is replaced while this command runs and restored at the end.`;

const BODY_BYTES_MAX = 1024 * 1024;
const FORWARD_MS_MAX = 10_000;
const Saved = v.object({ webhook: v.string(), events: v.array(v.string()), secret: v.string() });
const NoWebhook = v.object({ error: v.object({ code: v.literal('RESOURCE_NOT_FOUND') }) });

function eventsOf(text: string | undefined): readonly string[] {
  if (text === undefined) return WEBHOOK_EVENTS;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !WEBHOOK_EVENTS.some((each) => each === name));
  if (unknown === undefined) return names;
  throw new CommandError(
    `${unknown} is not an event. The events are ${WEBHOOK_EVENTS.join(', ')}.`,
    EXIT.usage,
  );
}

const protocolOf = (url: string) => (URL.canParse(url) ? new URL(url).protocol : '');

/** Reads the body of an event of this webhook; undefined for anything else, such as a form or a forged event. */
async function readEvent(request: IncomingMessage, secret: Promise<string>): Promise<Buffer | undefined> {
  const { headers, method } = request;
  if (method !== 'POST') return undefined;
  const body = await readBody(request, BODY_BYTES_MAX);
  if (!body) return undefined;
  // The clock of a local run may have been moved: the age does not count.
  const sentAtMs = Number(headers['webhook-timestamp']) * 1000;
  const verified = verifyWebhook(await secret, headers, body, sentAtMs);
  return verified.then(
    () => body,
    () => undefined,
  );
}

/** Forwards a request unchanged, and its response back, so that the service retries failures. */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { target, secret, isJson }: { target: string; secret: Promise<string>; isJson: boolean },
): Promise<void> {
  const body = await readEvent(request, secret);
  if (!body) {
    response.writeHead(400, { connection: 'close' }).end();
    return;
  }
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(
      ([name]) => name.startsWith('webhook-') || name === 'content-type',
    ),
  );
  const status = await fetch(target, {
    method: 'POST',
    headers: headers as Record<string, string>,
    body,
    signal: AbortSignal.timeout(FORWARD_MS_MAX),
  }).then(
    (forwarded) => forwarded.status,
    () => 502,
  );
  response.writeHead(status).end();
  const at = new Date().toISOString();
  const { eventType, trackingId, failureCode } = parsed(body.toString('utf8'));
  const shown = coloured(status < 300 ? 'delivered' : 'failed', String(status));
  const about = printable([eventType, trackingId, failureCode].filter(Boolean).join('  '));
  if (isJson) print(printableJson({ at, status, eventType, trackingId, failureCode }));
  else print(`${at.slice(11, 23)}  ${shown}  ${about}`);
}

function parsed(text: string): Record<string, unknown> {
  return { ...Object(findJson(text)) };
}

async function listen(port: number, options: Parameters<typeof forward>[2]): Promise<Server> {
  const server = createServer((request, response) => {
    forward(request, response, options).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: unknown) => {
    throw codeOf(error) === 'EADDRINUSE'
      ? new CommandError(`Port ${port} is in use: choose another with --port <number>.`)
      : error;
  });
  return server;
}

/** Replaces the webhook of the environment; the returned function restores it. */
async function replaceWebhook(api: Api, webhook: string, events: readonly string[]) {
  const found = await api.ask('GET', '/webhooks/events');
  const before = v.is(NoWebhook, found.body)
    ? undefined
    : v.parse(Saved, await api.call('GET', '/webhooks/events'));
  const saved = v.parse(Saved, await api.call('PUT', '/webhooks/events', { webhook, events }));
  const restore = async () => {
    if (before) await api.call('PUT', '/webhooks/events', { webhook: before.webhook, events: before.events });
    else await api.call('DELETE', '/webhooks/events');
  };
  return { secret: saved.secret, restore };
}

runCommand({ about: ABOUT, options: OPTIONS, notes: NOTES }, async (values) => {
  if (!values.forward || !/^https?:$/.test(protocolOf(values.forward)))
    throw new CommandError('--forward needs a URL such as http://localhost:4110/hook.', EXIT.usage);
  assertFetchable('--forward', values.forward);
  const events = eventsOf(values.events);
  const port = readPort(values.port);
  const api = await openApi(values);
  const publicUrl = values['public-url'];
  if (!api.isLocal && !publicUrl)
    throw new CommandError('A deployed stage needs --public-url: it cannot reach this machine.', EXIT.usage);
  const interrupted = interruption();
  const secretReady = Promise.withResolvers<string>();
  const server = await listen(port, {
    target: values.forward,
    secret: secretReady.promise,
    isJson: values.json ?? false,
  });
  try {
    const { port: ownPort } = server.address() as AddressInfo;
    const { secret, restore } = await replaceWebhook(
      api,
      publicUrl ?? `http://127.0.0.1:${ownPort}/`,
      events,
    );
    secretReady.resolve(secret);
    if (values.json) print(printableJson({ secret, port: ownPort }));
    else
      print(
        `Forwarding ${events.length} events to ${values.forward}\nSigned with ${secret}\nStop with Ctrl-C.`,
      );
    await interrupted;
    await restore();
  } finally {
    // An open server keeps the process alive after a failure.
    server.close();
    server.closeAllConnections();
  }
});
