import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { EmailDelivery } from '../../../shared/channels/channel.ts';
import { dueItems } from '../../../shared/database/entities/sending/due-items.ts';
import { type HttpResponse, jsonResponse } from '../../../shared/http/endpoint/response.ts';
import { guardedClient } from '../../../shared/providers/clients/http-clients.ts';
import { mapAtMost } from '../../../shared/runtime/async/map-at-most.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { DAY_MS } from '../../../shared/runtime/values/durations.ts';
import { findJson } from '../../../shared/runtime/values/find-json.ts';
import { CHANNELS } from '../../../shared/schemas/channel.ts';
import { durationMsOf } from '../../../shared/schemas/fields/duration.ts';
import { WEBHOOK_EVENTS } from '../../../shared/schemas/logs/webhook.ts';
import { parseClockMs } from '../clock/local-clock.ts';
import type { GatewayRequest } from '../gateway/event.ts';
import type { LocalRoutes, StreamResponse } from '../gateway/gateway.ts';
import type { Machine } from '../machine.ts';
import type { ReadyFacts } from '../start/ready-file.ts';
import type { EventStream } from './event-stream.ts';
import { listFailures } from './failures.ts';
import type { OutboxFilter, OutboxMessage } from './outbox.ts';
import { type RequestLog, sendAgain } from './requests.ts';

const Links = v.strictObject({
  urls: v.pipe(v.array(v.pipe(v.string(), v.maxLength(8000))), v.maxLength(100)),
});

const CONCURRENT = 8;
const TIMEOUT_MS = 5000;
/** A link of the service itself records a click or ends a subscription. */
const RECORDED = /\/(?:unsubscribe|track)\//;

const REFUSED = 'The address is malformed or private, or does not begin with https.';

/** Requests the links of an email, each once, without following redirects; only addresses that the service itself may reach. */
async function checkLinks(body: string): Promise<{ links: { url: string; result: string }[] }> {
  const parsed = v.safeParse(Links, findJson(body));
  if (!parsed.success)
    throw new AppError('INVALID_REQUEST', {
      message: 'The body must have urls: at most 100 texts of at most 8,000 characters.',
      fix: 'Send {"urls": ["https://example.com/"]}.',
    });
  const urls = [...new Set(parsed.output.urls)];
  const links = await mapAtMost(CONCURRENT, urls, async (url) => ({ url, result: await resultOf(url) }));
  return { links };
}

async function resultOf(url: string): Promise<string> {
  if (url.startsWith(process.env.PUBLIC_BASE_URL ?? ' ') && RECORDED.test(url))
    return 'not requested: it would record a click';
  const response = await resolve(guardedClient).request({ url, timeoutMs: TIMEOUT_MS, sizeBytesMax: 1024 });
  switch (response.kind) {
    case 'response':
      return response.status >= 300 && response.status < 400
        ? `${response.status} to ${response.headers.location ?? 'nowhere'}`
        : String(response.status);
    case 'refused':
      return REFUSED;
    case 'unreachable':
      return `unreachable: ${response.reason}`;
    default:
      return 'no response in time';
  }
}

export type Sandbox = {
  machine: Pick<Machine, 'outbox' | 'eventBus' | 'clock' | 'moveClock' | 'nextStopAtMs'>;
  stream: EventStream;
  requests: RequestLog;
  /** The content of the ready file, once it is known. */
  facts: () => ReadyFacts | undefined;
};

const ClockChange = v.union([
  v.strictObject({ now: v.string() }),
  v.strictObject({ advance: v.string() }),
  v.strictObject({ to: v.literal('next') }),
]);
const ENTRY_PATH = /^(GET|POST) \/_sandbox\/(messages|requests)\/(\d{1,15})(\/raw|\/again)?$/;
const DUE_MAX = 100;
const YEAR_MS = 366 * DAY_MS;

/** Routes below `/_sandbox`: received messages, the clock, due work, live events (docs/sandbox.md). */
export function createSandboxRoutes(sandbox: Sandbox): LocalRoutes {
  const routes = routesOf(sandbox);
  return async (request) => {
    const route = routes[`${request.method} ${request.path}`];
    if (route) return route(request);
    const [, method, list, id, part = ''] = ENTRY_PATH.exec(`${request.method} ${request.path}`) ?? [];
    const read = ENTRIES[`${method} ${list}${part}`];
    return read ? json(await read(sandbox, Number(id))) : undefined;
  };
}

/** What is read of one message or request, or done with it. */
const ENTRIES: Readonly<Record<string, (sandbox: Sandbox, id: number) => unknown>> = {
  'GET messages': ({ machine }, id) => found(machine.outbox.find(id), 'messages'),
  'GET messages/raw': ({ machine }, id) => readSource(found(machine.outbox.find(id), 'messages')),
  'GET requests': ({ requests }, id) => found(requests.find(id), 'requests'),
  'POST requests/again': ({ requests, facts }, id) =>
    sendAgain(found(requests.find(id), 'requests'), facts()),
};

function found<T>(entry: T | undefined, list: string): T {
  if (entry) return entry;
  throw new AppError('RESOURCE_NOT_FOUND', {
    message: `The sandbox has no entry with this number among its ${list}.`,
    fix: `GET /_sandbox/${list} lists them.`,
  });
}

type SandboxRoute = (
  request: GatewayRequest,
) => Promise<HttpResponse | StreamResponse> | HttpResponse | StreamResponse;

const json = (value: unknown) => jsonResponse(200, value, randomUUID());

function routesOf({ machine, stream, requests, facts }: Sandbox): Readonly<Record<string, SandboxRoute>> {
  const { outbox, clock } = machine;
  return {
    'GET /_sandbox/messages': ({ query }) => json({ messages: outbox.list(filterOf(query)) }),
    'DELETE /_sandbox/messages': ({ query }) => {
      assertKnown(query, ['after', 'before']);
      outbox.clear(filterOf(query));
      stream.send('deletion', {});
      return { statusCode: 204, headers: { 'x-request-id': randomUUID() }, body: '' };
    },
    'GET /_sandbox/events': ({ query }) => json({ events: machine.eventBus.list(eventFilterOf(query)) }),
    'DELETE /_sandbox/events': ({ query }) => {
      assertKnown(query, []);
      machine.eventBus.clear();
      return { statusCode: 204, headers: { 'x-request-id': randomUUID() }, body: '' };
    },
    'GET /_sandbox/refusals': ({ query }) => {
      assertKnown(query, ['account', 'from', 'to']);
      return json(requests.countRefusals(query));
    },
    'GET /_sandbox/requests': ({ query }) => {
      assertKnown(query, []);
      return json({ requests: requests.list() });
    },
    'POST /_sandbox/links': async ({ body }) => json(await checkLinks(body.toString('utf8'))),
    'GET /_sandbox/failures': () => json({ failures: listFailures() }),
    'GET /_sandbox/stream': () => ({
      stream: (response) => stream.open(response, { now: isoOf(clock.now()) }),
    }),
    'GET /_sandbox/account': () => json(facts() ?? {}),
    'GET /_sandbox/clock': async () => json(await readClock(machine)),
    'POST /_sandbox/clock': async ({ body }) => {
      await moveClock(machine, body.toString('utf8'));
      stream.send('clock', { now: isoOf(clock.now()), offsetMs: clock.offsetMs() });
      return json(await readClock(machine));
    },
  };
}

async function readSource({ channel, message }: OutboxMessage): Promise<{ raw: string }> {
  if (channel === 'EMAIL') return { raw: await rawEmail(message as EmailDelivery) };
  throw new AppError('INVALID_REQUEST', {
    message: 'Only an email has a source.',
    fix: 'GET /_sandbox/messages?channel=EMAIL lists emails.',
  });
}

const FILTERS = ['channel', 'to', 'trackingId', 'userId', 'after', 'before', 'limit'] as const;

function filterOf(query: URLSearchParams): OutboxFilter {
  assertKnown(query, FILTERS);
  const filters = Object.fromEntries([...query].filter(([, value]) => value !== ''));
  const number = (name: string, max: number) => {
    const value = filters[name];
    if (value === undefined) return {};
    if (!/^\d{1,15}$/.test(value) || Number(value) > max)
      throw invalid(`query.${name} must be an integer from 0 to ${max}.`);
    return { [name]: Number(value) };
  };
  const { channel, to, trackingId, userId } = filters;
  if (channel !== undefined && !CHANNELS.some((each) => each === channel))
    throw invalid(`query.channel must be one of ${CHANNELS.join(', ')}.`);
  return {
    ...defined({
      channel: channel || undefined,
      to: to || undefined,
      trackingId: trackingId || undefined,
      userId: userId || undefined,
    }),
    ...number('after', Number.MAX_SAFE_INTEGER),
    ...number('before', Number.MAX_SAFE_INTEGER),
    ...number('limit', 1000),
  };
}

function eventFilterOf(query: URLSearchParams): { type: string | undefined; limit: number } {
  assertKnown(query, ['type', 'limit']);
  const type = query.get('type') || undefined;
  if (type !== undefined && !WEBHOOK_EVENTS.some((each) => each === type))
    throw invalid('query.type must be the name of an event, such as EMAIL_DELIVERED.');
  const limit = query.get('limit') || '100';
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > 1000)
    throw invalid('query.limit must be an integer from 1 to 1000.');
  return { type, limit: Number(limit) };
}

function assertKnown(query: URLSearchParams, names: readonly string[]): void {
  const known = [...names, 'token'];
  const hint = names.length > 0 ? `Known parameters: ${names.join(', ')}.` : 'This path has no parameters.';
  if ([...query.keys()].some((name) => !known.includes(name)))
    throw invalid('The query has an unknown parameter.', hint);
}

function invalid(message: string, fix = 'docs/sandbox.md lists the parameters.'): AppError {
  return new AppError('INVALID_REQUEST', { message, fix });
}

/** The service clock and the due times, earliest first: scheduled sends, digests, retries. */
async function readClock({ clock, nextStopAtMs }: Sandbox['machine']): Promise<unknown> {
  const nowMs = clock.now();
  const counts = new Map<number, number>();
  for await (const page of resolve(dueItems).pagesBetween(nowMs, nowMs + YEAR_MS)) {
    for (const { dueAtMs } of page) counts.set(dueAtMs, (counts.get(dueAtMs) ?? 0) + 1);
    if (counts.size > 10 * DUE_MAX) break;
  }
  const due = [...counts]
    .sort(([left], [right]) => left - right)
    .slice(0, DUE_MAX)
    .map(([ms, count]) => ({ at: isoOf(ms), count }));
  const nextMs = await nextStopAtMs();
  return {
    now: isoOf(nowMs),
    offsetMs: Math.round(clock.offsetMs()),
    ...defined({ next: nextMs === undefined ? undefined : isoOf(nextMs) }),
    due,
  };
}

/** Moves the clock forward and returns when everything that became due is done. */
async function moveClock({ moveClock: move, nextStopAtMs }: Sandbox['machine'], body: string): Promise<void> {
  const target = targetOf(body, await nextStopAtMs());
  if (target && (await move(target))) return;
  throw invalid(
    'The clock accepts now (ISO 8601, not before the current time), advance (an ISO 8601 duration in weeks to seconds) or to (next), until the year 2199.',
    'Send {"advance": "PT1H"}, {"now": "2027-01-01T00:00:00Z"} or {"to": "next"}.',
  );
}

/** Returns the time that a body requests, relative to the clock's; undefined if it requests none. */
function targetOf(body: string, nextMs: number | undefined): ((nowMs: number) => number) | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.rawTransform(parseJson), ClockChange), body);
  if (!parsed.success) return undefined;
  // Without due work, the clock does not move.
  if ('to' in parsed.output) return (nowMs) => Math.max(nowMs, nextMs ?? nowMs);
  if ('now' in parsed.output) {
    const targetMs = parseClockMs(parsed.output.now);
    return targetMs === undefined ? undefined : () => targetMs;
  }
  const durationMs = durationMsOf(parsed.output.advance);
  return durationMs === undefined ? undefined : (nowMs) => nowMs + durationMs;
}

function parseJson({ dataset, addIssue, NEVER }: v.RawTransformContext<string>): unknown {
  try {
    return JSON.parse(dataset.value);
  } catch {
    addIssue();
    return NEVER;
  }
}

/** Writes an email as a mail server would receive it. Attachments are not fetched; a header names each. */
async function rawEmail(delivery: EmailDelivery): Promise<string> {
  const { createTransport } = await import('nodemailer');
  const { buildMessage } = await import('../../../shared/channels/email/smtp/smtp.ts');
  const named = (delivery.attachments ?? []).map(({ filename }) => ({
    name: 'X-Attachment-Not-Fetched',
    value: filename,
  }));
  const message = buildMessage({ ...delivery, headers: [...delivery.headers, ...named] }, []);
  const { message: bytes } = await createTransport({ streamTransport: true, buffer: true }).sendMail(message);
  return bytes.toString();
}
