import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openLocalClock } from '../../../../infra/local/clock/local-clock.ts';
import { createGateway } from '../../../../infra/local/gateway/gateway.ts';
import { guarded } from '../../../../infra/local/gateway/local-access.ts';
import { openQueueStore } from '../../../../infra/local/queue/queue.ts';
import { openLocalEventBus } from '../../../../infra/local/sandbox/bus-events.ts';
import { createEventStream } from '../../../../infra/local/sandbox/event-stream.ts';
import { listFailures } from '../../../../infra/local/sandbox/failures.ts';
import { logNotices } from '../../../../infra/local/sandbox/log-event.ts';
import { openOutbox } from '../../../../infra/local/sandbox/outbox.ts';
import { createRequestLog } from '../../../../infra/local/sandbox/requests.ts';
import { createSandboxRoutes } from '../../../../infra/local/sandbox/sandbox-routes.ts';
import type { SandboxMessage } from '../../../../shared/channels/sandbox/sandbox.ts';
import { isoOf } from '../../../../shared/runtime/clock.ts';
import { useApp } from '../../../support/use-app.ts';

const store = openQueueStore(':memory:');
const outbox = openOutbox(store);
const eventBus = openLocalEventBus(store);
const stream = createEventStream();
const clock = openLocalClock(store, Date.parse('2026-11-21T08:30:00Z'));
clock.stop();
const NEXT = Date.parse('2026-11-22T09:00:00Z');
const machine = {
  outbox,
  eventBus,
  clock,
  moveClock: async (targetOf: (nowMs: number) => number) => clock.moveTo(targetOf(clock.now())),
  nextStopAtMs: async () => (clock.now() < NEXT ? NEXT : undefined),
};
const requests = createRequestLog(clock.now, () => {});
const local = guarded(
  { token: undefined },
  createSandboxRoutes({ machine, stream, requests, facts: () => undefined }),
);
const server = createGateway({
  routes: [],
  loadHandler: async () => {
    throw new Error('there is no route');
  },
  local,
  nowMs: clock.now,
});
let baseUrl = '';

useApp();
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/_sandbox`;
  outbox.onMessage((message) => stream.send('message', message, message.id));
});
afterAll(() => {
  stream.stop();
  server.close();
});

const messageOf = (more: Partial<SandboxMessage>): SandboxMessage => ({
  channel: 'EMAIL',
  to: ['ada@example.com'],
  trackingId: 't-1',
  userId: 'ada',
  attempt: 1,
  outcome: 'sent',
  atMs: 0,
  message: { subject: 'Hello', html: '<p>Hello</p>' },
  ...more,
});

async function ask(path: string, body?: unknown) {
  const headers = { 'content-type': 'application/json' };
  const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${baseUrl}${path}`, init);
  const json: ReturnType<typeof JSON.parse> = await response.json();
  return { status: response.status, json };
}

describe('the outbox', () => {
  it('lists complete messages, filtered and in pages, and returns one by its ID', async () => {
    for (const user of ['ada', 'bob', 'cyd'])
      await outbox.record(messageOf({ userId: user, to: [`${user}@example.com`], trackingId: `t-${user}` }));
    await outbox.record(messageOf({ channel: 'SMS', to: ['+14155550123'], message: { text: 'Hi' } }));
    const all = (await ask('/messages')).json.messages;
    expect(all.map(({ userId }: { userId: string }) => userId)).toEqual(['ada', 'bob', 'cyd', 'ada']);
    expect(all[0].message).toEqual({ subject: 'Hello', html: '<p>Hello</p>' });
    const idsOf = async (query: string) =>
      (await ask(`/messages?${query}`)).json.messages.map(({ id }: { id: number }) => id);
    const [first, second, third, fourth] = all.map(({ id }: { id: number }) => id);
    expect(await idsOf('userId=ada')).toEqual([first, fourth]);
    expect(await idsOf('channel=SMS')).toEqual([fourth]);
    expect(await idsOf('to=bob@example.com')).toEqual([second]);
    expect(await idsOf('trackingId=t-cyd')).toEqual([third]);
    expect(await idsOf('limit=2')).toEqual([third, fourth]);
    expect(await idsOf(`limit=2&before=${third}`)).toEqual([first, second]);
    expect(await idsOf(`after=${second}`)).toEqual([third, fourth]);
    expect((await ask(`/messages/${second}`)).json).toMatchObject({ id: second, userId: 'bob' });
    expect((await ask('/messages/999')).status).toBe(400);
  });

  it.each(['channel=MAIL', 'limit=ten', 'limit=1001', 'after=-1', 'userid=ada', 'chanel=EMAIL'])(
    'returns 400 for the filter %s',
    async (query) => {
      const { status, json } = await ask(`/messages?${query}`);
      expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    },
  );
});

describe('the sandbox event stream', () => {
  it('sends messages, log events and clock changes as they happen', async () => {
    const response = await fetch(`${baseUrl}/stream`);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    let text = '';
    const reader = response.body?.getReader();
    const readUntil = async (part: string) => {
      while (!text.includes(part)) {
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
        if (done) throw new Error(`the stream ended before ${part}`);
        text += Buffer.from(value).toString();
      }
    };
    await readUntil(`event: ready\ndata: ${JSON.stringify({ now: isoOf(clock.now()) })}`);
    await outbox.record(messageOf({ trackingId: 't-live', message: { subject: 'line\nbreak' } }));
    await readUntil('t-live');
    stream.send('log', { trackingId: 't-live', prefix: 'email', stage: 'sent' });
    await readUntil('event: log');
    await ask('/clock', { advance: 'PT1H' });
    await readUntil('event: clock');
    expect(text).toContain('line\\nbreak');
    await reader?.cancel();
    await expect.poll(() => stream.listeners()).toBe(0);
  });

  it('serves pages of the local run only', async () => {
    const headers = { origin: 'https://evil.example' };
    expect((await fetch(`${baseUrl}/stream`, { headers })).status).toBe(403);
  });

  it('reads events from the log only', () => {
    const record = (pk: string, sk: string, more: object = {}): DynamoDBRecord => ({
      eventName: 'INSERT',
      dynamodb: {
        NewImage: {
          pk: { S: pk },
          sk: { S: sk },
          n: { S: 'welcome' },
          u: { S: 'ada' },
          at: { N: '0' },
          f: { M: {} },
          ...more,
        },
      },
    });
    const at = '1970-01-01T00:00:00.000Z';
    const named = { at, type: 'welcome', userId: 'ada' };
    expect(
      logNotices([
        record('LOG#t1', 'HEAD', { state: { S: 'accepted' }, e: { S: 'e1' } }),
        record('LOG#t1', 'EVENT#email#sent'),
        record('LOG#t1', 'EVENT#sms#cost'),
        record('DIGEST#x', 'BUCKET'),
      ]),
    ).toEqual([
      { trackingId: 't1', stage: 'accepted', environmentId: 'e1', ...named },
      { trackingId: 't1', prefix: 'email', stage: 'sent', ...named },
    ]);
  });
});

describe('the sandbox clock', () => {
  it('shows its offset and the next due time, and moves to it', async () => {
    const { json } = await ask('/clock');
    expect(json.next).toBe('2026-11-22T09:00:00.000Z');
    expect(json.due).toEqual([]);
    expect(typeof json.offsetMs).toBe('number');
    expect((await ask('/clock', { to: 'next' })).json.now).toBe('2026-11-22T09:00:00.000Z');
    const again = await ask('/clock', { to: 'next' });
    expect([again.status, again.json.now, again.json.next]).toEqual([
      200,
      '2026-11-22T09:00:00.000Z',
      undefined,
    ]);
  });

  it.each([{ to: 'last' }, { advance: 'PT1H', to: 'next' }, { advance: 'soon' }, {}])(
    'returns 400 for %j',
    async (body) => {
      expect((await ask('/clock', body)).status).toBe(400);
    },
  );
});

it('lists every recipient that simulates a failure with its outcome', async () => {
  const { failures } = (await ask('/failures')).json;
  expect(failures).toEqual(listFailures());
  expect(failures).toContainEqual({
    channel: 'EMAIL',
    recipient: 'transient-mailbox-full-bounce@sandbox.test',
    outcome: 'failed later',
    code: 'TRANSIENT_MAILBOX_FULL_BOUNCE',
  });
  expect(failures).toContainEqual({
    channel: 'CALL',
    recipient: '+15005550486',
    outcome: 'delivered',
    code: 'BUSY',
  });
  expect(failures).toContainEqual({
    channel: 'SMS',
    recipient: '+15005551610',
    outcome: 'rejected',
    code: '21610',
  });
  expect(new Set(failures.map(({ channel }: { channel: string }) => channel)).size).toBe(7);
});

describe('event bus events', () => {
  const eventOf = (detailType: string, id: string) => ({
    detailType,
    resources: ['account/a', 'environment/e'],
    detail: JSON.stringify({ id, type: detailType }),
    atMs: Date.UTC(2026, 10, 22),
  });
  type Listed = { events: { detail: { id: string } }[] };
  const list = async (query = '') => (await (await fetch(`${baseUrl}/events${query}`)).json()) as Listed;

  it('appear in their envelope, oldest first, and can be deleted', async () => {
    await eventBus.put([eventOf('EMAIL_OPEN', '1'), eventOf('SMS_FAILED', '2'), eventOf('EMAIL_OPEN', '3')]);
    const { events } = await list();
    expect(events[0]).toMatchObject({
      source: 'notifications.local',
      'detail-type': 'EMAIL_OPEN',
      account: '000000000000',
      time: '2026-11-22T00:00:00.000Z',
      resources: ['account/a', 'environment/e'],
      detail: { id: '1', type: 'EMAIL_OPEN' },
    });
    const idsOf = (listed: Listed) => listed.events.map(({ detail }) => detail.id);
    expect(idsOf({ events })).toEqual(['1', '2', '3']);
    expect(idsOf(await list('?type=EMAIL_OPEN'))).toEqual(['1', '3']);
    expect(idsOf(await list('?limit=1'))).toEqual(['3']);
    expect((await fetch(`${baseUrl}/events`, { method: 'DELETE' })).status).toBe(204);
    expect(await list()).toEqual({ events: [] });
  });

  it.each(['?type=EMAIL', '?limit=0', '?limit=1001', '?limit=x', '?channel=SMS'])(
    'stay out of the list for %s',
    async (query) => {
      expect((await fetch(`${baseUrl}/events${query}`)).status).toBe(400);
    },
  );
});

describe('the check of links', () => {
  it.each([
    ['a private address', 'https://10.0.0.1/', 'private'],
    ['an address that is none', 'nothing', 'malformed'],
    ['a link that records a click', 'http://localhost:3000/track/click/x', 'would record'],
  ])('does not request %s', async (_, url, said) => {
    vi.stubEnv('PUBLIC_BASE_URL', 'http://localhost:3000');
    const { status, json } = await ask('/links', { urls: [url, url] });
    expect([status, json.links.length, json.links[0].result.includes(said)]).toEqual([200, 1, true]);
    vi.unstubAllEnvs();
  });

  it.each([[{}], [{ urls: 'x' }], [{ urls: Array.from({ length: 101 }, () => 'https://example.com') }]])(
    'rejects %j',
    async (body) => {
      expect((await ask('/links', body)).status).toBe(400);
    },
  );
});
