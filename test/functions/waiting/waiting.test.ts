import { describe, expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { handler as cancelWaiting } from '../../../functions/waiting/cancel-waiting.ts';
import { handler as listAllWaiting } from '../../../functions/waiting/list-all-waiting.ts';
import { handler as moveWaiting } from '../../../functions/waiting/move-waiting.ts';
import type { DeliveryOutcome } from '../../../shared/channels/channel.ts';
import { emailProvider } from '../../../shared/providers/email/email.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { partOf } from '../../support/cases.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { recordOf } from '../../support/workers.ts';

const pipeline = usePipeline();

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const iso = (ms: number) => new Date(ms).toISOString();
const inMs = (ms: number) => iso(pipeline.clock.nowMs + ms);
const go = (ms: number) => pipeline.goTo(pipeline.clock.nowMs + ms);

async function openAccount() {
  const account = await createTestAccount(pipeline);
  const { key } = account.secret;
  const type = async (notificationId: string, more: object = {}) => {
    const body = { notificationId, title: notificationId, channels: ['SMS'], ...more };
    expect((await call(createType, { key, body })).status).toBe(200);
  };
  const daily = { defaultDeliveryOption: 'daily', daily: { enabled: true } };
  await type('alert');
  await type('news', { options: { SMS: daily } });
  await type('steps', {
    channels: ['INAPP_WEB', 'SMS'],
    steps: [{ channels: ['INAPP_WEB'] }, { channels: ['SMS'], after: 'PT2H', when: 'unseen' }],
  });
  await type('email', { channels: ['EMAIL'] });
  const save = async (body: object) => {
    const saved = await call(saveUser, { key, path: { userId: 'ada' }, body });
    expect([saved.status, saved.json.error]).toEqual([200, undefined]);
  };
  await save({ number: '+15005551234', email: 'ada@example.com' });
  const content = {
    sms: { message: 'Hello' },
    inapp: { title: 'Hello' },
    email: { subject: 'Hello', html: '<p>Hello</p>' },
  };
  return {
    ...account,
    key,
    save,
    async send(type: string, body: object = {}): Promise<string> {
      const response = await call(send, { key, body: { type, to: { id: 'ada' }, ...content, ...body } });
      expect([response.status, response.json.error]).toEqual([200, undefined]);
      await pipeline.settle();
      return response.json.trackingId;
    },
    list: async (query: Record<string, string> = {}) => {
      const { status, json } = await call(listAllWaiting, { key, query });
      expect([status, json.error]).toEqual([200, undefined]);
      return json;
    },
    cancel: (waitingId: string) => call(cancelWaiting, { key, path: { waitingId } }),
    move: (waitingId: string, until: string) =>
      call(moveWaiting, { key, path: { waitingId }, body: { until } }),
    log: (trackingId: string) => recordOf(account, trackingId),
    sent: () => pipeline.sentBy(account).filter(({ channel }) => channel === 'SMS').length,
  };
}
type Account = Awaited<ReturnType<typeof openAccount>>;

const GREYLISTED = {
  kind: 'retry',
  code: 'TRANSIENT_GENERAL_BOUNCE',
  internal: '451 4.7.1 greylisted',
} as const satisfies DeliveryOutcome<'EMAIL'>;

/** A message whose hold began when it was about to be sent. */
async function heldLate(account: Account, change: object): Promise<string> {
  await pipeline.pause();
  const response = await call(send, {
    key: account.key,
    body: { type: 'alert', to: { id: 'ada' }, sms: { message: 'Hello' } },
  });
  pipeline.clock.nowMs += 20_000;
  await account.save(change);
  pipeline.resume();
  await pipeline.settle();
  return response.json.trackingId;
}

const PAUSE_MS = 40 * DAY_MS;
const quietNow = () => {
  const at = (ms: number) => iso(pipeline.clock.nowMs + ms).slice(11, 16);
  return { quietHours: { from: at(-HOUR_MS), to: at(3 * HOUR_MS) } };
};

/** What waits: how it comes to, its channels' reason, and about how long it waits. */
const KINDS: readonly (readonly [
  name: string,
  reason: string,
  waitsMs: number | undefined,
  start: (account: Account) => Promise<string>,
])[] = [
  ['a schedule', 'SCHEDULE', 5 * HOUR_MS, (a) => a.send('alert', { schedule: inMs(5 * HOUR_MS) })],
  ['a digest', 'BATCH', undefined, (a) => a.send('news')],
  ['a step', 'STEP', 2 * HOUR_MS, (a) => a.send('steps')],
  [
    'a pause until January',
    'PAUSED',
    PAUSE_MS,
    async (a) => {
      await a.save({ pausedUntil: inMs(PAUSE_MS) });
      return a.send('alert');
    },
  ],
  [
    'quiet hours',
    'QUIET_HOURS',
    3 * HOUR_MS,
    async (a) => {
      await a.save(quietNow());
      return a.send('alert');
    },
  ],
  ['a pause that began late', 'PAUSED', PAUSE_MS, (a) => heldLate(a, { pausedUntil: inMs(PAUSE_MS) })],
  ['quiet hours that began late', 'QUIET_HOURS', 3 * HOUR_MS, (a) => heldLate(a, quietNow())],
];

async function started(start: (account: Account) => Promise<string>) {
  const account = await openAccount();
  const trackingId = await start(account);
  const { waiting } = await account.list();
  return { account, trackingId, entry: waiting[0], waiting };
}

describe.each(partOf(KINDS))('%s', (_, reason, waitsMs, start) => {
  it('is listed with its reason and time', async () => {
    const { trackingId, entry, waiting } = await started(start);
    expect(waiting).toHaveLength(1);
    expect(entry).toMatchObject({ trackingIds: [trackingId], userId: 'ada' });
    expect(entry.channels).toMatchObject([{ channel: 'SMS', reason, until: entry.until }]);
    if (waitsMs === undefined) return;
    expect(Date.parse(entry.until) - pipeline.clock.nowMs).toBeGreaterThan(waitsMs - MINUTE_MS);
    expect(Date.parse(entry.until) - pipeline.clock.nowMs).toBeLessThan(waitsMs + 16 * MINUTE_MS);
  });

  it('is sent now, once', async () => {
    const { account, trackingId, entry } = await started(start);
    expect((await account.move(entry.waitingId, 'now')).status).toBe(200);
    await pipeline.settle();
    expect(account.sent()).toBe(1);
    expect((await account.list()).waiting).toEqual([]);
    expect((await account.move(entry.waitingId, 'now')).status).toBe(400);
    expect((await account.cancel(entry.waitingId)).status).toBe(400);
    await pipeline.goTo(Date.parse(entry.until) + HOUR_MS);
    expect(account.sent()).toBe(1);
    expect(await account.log(trackingId)).toHaveProperty('sms_sent_at');
  });

  it.each([
    ['an earlier', HOUR_MS],
    ['a later', 50 * DAY_MS],
  ])('is sent once at %s time', async (_name, ms) => {
    const { account, entry } = await started(start);
    const until = inMs(ms);
    expect((await account.move(entry.waitingId, until)).json).toMatchObject({ until });
    const { waiting } = await account.list();
    expect(waiting).toMatchObject([{ waitingId: entry.waitingId, until }]);
    await pipeline.goTo(Date.parse(until) - 1000);
    expect(account.sent()).toBe(0);
    await account.save({ locale: 'de' });
    await pipeline.settle();
    expect(account.sent()).toBe(0);
    await pipeline.goTo(Date.parse(until));
    expect(account.sent()).toBe(1);
    await pipeline.goTo(Math.max(Date.parse(until), Date.parse(entry.until)) + HOUR_MS);
    expect(account.sent()).toBe(1);
    expect((await account.list()).waiting).toEqual([]);
  });

  it('is cancelled: never sent, and its log says so', async () => {
    const { account, trackingId, entry } = await started(start);
    expect((await account.cancel(entry.waitingId)).status).toBe(200);
    expect((await account.list()).waiting).toEqual([]);
    // A response was lost.
    expect((await account.cancel(entry.waitingId)).status).toBe(200);
    await go(30 * 1000);
    expect((await account.cancel(entry.waitingId)).status).toBe(200);
    const other = await openAccount();
    expect((await other.cancel(entry.waitingId)).status).toBe(400);
    await pipeline.goTo(Date.parse(entry.until) + HOUR_MS);
    expect(account.sent()).toBe(0);
    expect(await account.log(trackingId)).toMatchObject({
      sms_skipped_reason: 'CANCELED',
    });
  });

  it('is changed exactly once by several at the same moment', async () => {
    const { account, trackingId, entry } = await started(start);
    await Promise.all([
      account.move(entry.waitingId, 'now'),
      account.cancel(entry.waitingId),
      account.move(entry.waitingId, inMs(HOUR_MS)),
      account.move(entry.waitingId, 'now'),
    ]);
    await pipeline.settle();
    await go(HOUR_MS);
    await pipeline.goTo(Date.parse(entry.until) + HOUR_MS);
    const log = await account.log(trackingId);
    expect(account.sent()).toBe(log.sms_skipped_reason === 'CANCELED' ? 0 : 1);
    expect((await account.list()).waiting).toEqual([]);
  });
});

describe('an email that waits for its next attempt', () => {
  async function failing() {
    const server = { isOpen: false, tried: 0 };
    replace(emailProvider, () => ({
      name: 'scripted',
      deliver: async () => {
        server.tried += 1;
        return server.isOpen ? { kind: 'sent', fields: {} } : GREYLISTED;
      },
    }));
    const account = await openAccount();
    const trackingId = await account.send('email');
    for (let count = 0; count < 20 && (await account.list()).waiting.length === 0; count += 1)
      await go(10 * MINUTE_MS);
    const [entry] = (await account.list()).waiting;
    expect(entry.channels).toMatchObject([{ channel: 'EMAIL', reason: 'RETRY', until: entry.until }]);
    server.isOpen = true;
    await go(1000);
    return { account, trackingId, entry, server, tries: server.tried };
  }

  it('is tried now, and at another time', async () => {
    const { account, trackingId, entry, tries, server } = await failing();
    const until = inMs(3 * HOUR_MS);
    expect((await account.move(entry.waitingId, until)).status).toBe(200);
    expect(await account.log(trackingId)).toMatchObject({
      email_next_try_at: until,
      email_failed_internal: '451 4.7.1 greylisted',
    });
    await pipeline.goTo(Date.parse(entry.until) + 1000);
    expect(server.tried).toBe(tries);
    expect((await account.list()).waiting).toMatchObject([{ until }]);
    expect((await account.move(entry.waitingId, 'now')).status).toBe(200);
    await pipeline.settle({ sweep: false });
    expect(server.tried).toBe(tries + 1);
    await go(DAY_MS);
    expect(server.tried).toBe(tries + 1);
    expect(await account.log(trackingId)).toHaveProperty('email_sent_at');
  });

  it('is cancelled', async () => {
    const { account, trackingId, entry, tries, server } = await failing();
    expect((await account.cancel(entry.waitingId)).status).toBe(200);
    expect((await account.cancel(entry.waitingId)).status).toBe(200);
    await go(DAY_MS);
    expect(server.tried).toBe(tries);
    expect(await account.log(trackingId)).toMatchObject({ email_skipped_reason: 'CANCELED' });
    expect((await account.cancel(entry.waitingId)).status).toBe(200);
    expect((await account.list()).waiting).toEqual([]);
  });
});

it('pages list everything once, next due first, and nothing of other environments', async () => {
  const [account, other] = [await openAccount(), await openAccount()];
  const hours = [5, 3, 9, 1, 7, 2, 8, 4, 6];
  for (const hour of hours) {
    await account.send('alert', { schedule: inMs(hour * HOUR_MS) });
    await other.send('alert', { schedule: inMs(hour * HOUR_MS) });
  }
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await account.list({ limit: '2', ...(cursor ? { cursor } : {}) });
    seen.push(...page.waiting.map(({ until }: { until: string }) => until));
    cursor = page.nextCursor;
  } while (cursor);
  expect(seen).toHaveLength(hours.length);
  expect(seen).toEqual(seen.toSorted());
  const [first] = (await other.list()).waiting;
  expect((await account.move(first.waitingId, 'now')).json.error.code).toBe('SCHEDULE_RESOURCE_NOT_FOUND');
  expect((await account.cancel(first.waitingId)).json.error.code).toBe('SCHEDULE_RESOURCE_NOT_FOUND');
});

it.each([
  ['tomorrow', 'INVALID_REQUEST'],
  ['2199-01-01T00:00:00Z', 'INVALID_SCHEDULE_FORMAT'],
])('the time %s changes nothing', async (until, code) => {
  const account = await openAccount();
  await account.send('alert', { schedule: inMs(HOUR_MS) });
  const [entry] = (await account.list()).waiting;
  const response = await account.move(entry.waitingId, until);
  expect([response.status, response.json.error.code]).toEqual([400, code]);
  expect((await account.list()).waiting).toEqual([entry]);
});

it('a digest that was sent early collects no more: what comes afterwards is in the next one', async () => {
  const account = await openAccount();
  await account.send('news');
  const [entry] = (await account.list()).waiting;
  await account.move(entry.waitingId, 'now');
  await pipeline.settle();
  await account.send('news');
  const [next] = (await account.list()).waiting;
  expect(Date.parse(next.until)).toBe(Date.parse(entry.until) + DAY_MS);
  await pipeline.goTo(Date.parse(next.until));
  expect(account.sent()).toBe(2);
});
