import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as redrive } from '../../../functions/workers/redrive.ts';
import { logs } from '../../../shared/database/entities/logs.ts';
import { replace, resolve } from '../../../shared/deps/dependency.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { createPipeline, type Pipeline } from '../../support/pipeline.ts';
import { digestAccount, nextHour } from '../digests/setup.ts';

/** What fails here fails on purpose. */
vi.hoisted(() => vi.stubEnv('LOG_LEVEL', 'SILENT'));

const MINUTE_MS = 60_000;

let pipeline: Pipeline;
let account: TestAccount;

beforeAll(async () => {
  pipeline = await createPipeline();
  account = await createTestAccount(pipeline);
});
afterAll(() => pipeline.stop());

/** What happens meanwhile reaches no queue, as when the stream's record is lost. */
async function whileLost<T>(happening: () => Promise<T>): Promise<T> {
  const real = resolve(queues);
  replace(queues, () => ({ ...real, send: async () => [] }));
  try {
    const result = await happening();
    await pipeline.settle({ sweep: false });
    return result;
  } finally {
    replace(queues, () => real);
  }
}

async function sendSms(body: object = {}): Promise<string> {
  const request = { type: 'news', to: { id: 'ada', number: '+15005551234' }, sms: { message: 'Hello' } };
  const { status, json } = await call(send, { key: account.secret.key, body: { ...request, ...body } });
  if (status !== 200) throw new Error(`the send was refused: ${JSON.stringify(json)}`);
  return json.trackingId;
}

const iso = (ms: number) => new Date(ms).toISOString();
/** Everything accepted in the last `minutes` minutes. */
const last = (minutes: number) => ({
  from: iso(pipeline.clock.nowMs - minutes * MINUTE_MS),
  to: iso(pipeline.clock.nowMs + 1),
});
const sentOf = (trackingId: string) => pipeline.outbox.filter((each) => each.trackingId === trackingId);

/** Moves the clock without running anything, past what queues remember of repeats. */
const later = (minutes: number) => {
  pipeline.clock.nowMs += minutes * MINUTE_MS;
};

describe('redrive', () => {
  it('delivers a lost notification once, run twice at the same time and again after it', async () => {
    const trackingId = await whileLost(() => sendSms());
    later(10);
    await pipeline.settle();
    expect(sentOf(trackingId)).toEqual([]);

    const twice = await Promise.all([redrive(last(20)), redrive(last(20))]);
    expect(twice.map(({ messages }) => messages)).toEqual([{ 'deliver-sms': 1 }, { 'deliver-sms': 1 }]);
    await pipeline.settle();
    expect(sentOf(trackingId)).toHaveLength(1);

    later(10);
    expect(await redrive(last(30))).toEqual({ examined: 1, messages: {}, trackingIds: [] });
    await pipeline.settle();
    expect(sentOf(trackingId)).toHaveLength(1);
  });

  it('sends each channel that has no outcome, and no other', async () => {
    later(60);
    const trackingId = await sendSms({
      type: 'two-channels',
      to: { id: 'ada', number: '+15005551234', email: 'ada@example.com' },
      sms: { message: 'Hello' },
      email: { subject: 'Hello', html: '<p>Hello</p>' },
    });
    const real = resolve(queues);
    replace(queues, () => ({
      ...real,
      send: async (queue, messages) => (queue === 'deliver-email' ? [] : real.send(queue, messages)),
    }));
    await pipeline.settle();
    replace(queues, () => real);
    expect(sentOf(trackingId).map(({ channel }) => channel)).toEqual(['SMS']);

    later(10);
    expect((await redrive(last(20))).messages).toEqual({ 'deliver-email': 1 });
    await pipeline.settle();
    expect(sentOf(trackingId).map(({ channel }) => channel)).toEqual(['SMS', 'EMAIL']);
  });

  it('sends a message once that is on its queue meanwhile, between two tries', async () => {
    later(60);
    const trackingId = await sendSms({ to: { id: 'ada', number: '+15005550429' } });
    await pipeline.settle();
    expect(sentOf(trackingId).map(({ outcome }) => outcome)).toEqual(['retry']);

    later(10);
    expect((await redrive(last(20))).trackingIds).toEqual([trackingId]);
    await pipeline.settle();
    await pipeline.settle();
    expect(sentOf(trackingId).filter(({ outcome }) => outcome === 'sent')).toHaveLength(1);
  });

  it('only tells what it would do in a dry run', async () => {
    later(60);
    const trackingId = await whileLost(() => sendSms());
    later(10);
    const dry = await redrive({ ...last(20), isDryRun: true });
    expect(dry).toEqual({ examined: 1, messages: { 'deliver-sms': 1 }, trackingIds: [trackingId] });
    await pipeline.settle();
    expect(sentOf(trackingId)).toEqual([]);
    await redrive(last(20));
    await pipeline.settle();
    expect(sentOf(trackingId)).toHaveLength(1);
  });

  it('looks at what was accepted from the first moment to before the last, of every account', async () => {
    later(60);
    const fromMs = pipeline.clock.nowMs;
    const first = await whileLost(() => sendSms());
    later(1);
    account = await createTestAccount(pipeline);
    const second = await whileLost(() => sendSms());
    const toMs = pipeline.clock.nowMs;
    later(10);
    const found = async (from: number, to: number) =>
      (await redrive({ from: iso(from), to: iso(to), isDryRun: true })).trackingIds.sort();
    expect(await found(fromMs, toMs)).toEqual([first]);
    expect(await found(fromMs + 1, toMs + 1)).toEqual([second]);
    expect(await found(fromMs, toMs + 1)).toEqual([first, second].sort());
  });

  it('goes on page by page until it has looked at all', async () => {
    later(60);
    account = await createTestAccount(pipeline);
    const sent = await whileLost(() => Promise.all([sendSms(), sendSms(), sendSms()]));
    later(10);
    const found: string[] = [];
    let start: Awaited<ReturnType<typeof redrive>>['next'];
    let pages = 0;
    do {
      const page = await redrive({ ...last(20), isDryRun: true, countMax: 2, start });
      found.push(...page.trackingIds);
      start = page.next;
      pages += 1;
    } while (start);
    expect(found.sort()).toEqual(sent.sort());
    expect(pages).toBe(2);
  });

  it('refuses what is no range of time', async () => {
    const isRefused = (range: object) => expect(redrive(range)).rejects.toThrow('ISO 8601');
    await isRefused({});
    await isRefused({ from: 'yesterday', to: '2026-11-21T08:00:00.000Z' });
    await isRefused({ from: '2026-11-21T08:00:00.000Z', to: '2026-11-21T08:00:00.000Z' });
  });
});

describe('dead letters that are put back', () => {
  it('are delivered once', async () => {
    later(60);
    const real = resolve(logs);
    const find = async () => {
      throw new Error('the table does not answer');
    };
    replace(logs, () => ({ ...real, find }));
    const trackingId = await sendSms();
    for (let hour = 0; pipeline.queues.depth('deliver-sms-dead').visible === 0 && hour < 30; hour += 1) {
      await pipeline.settle({ sweep: false });
      later(60);
    }
    replace(logs, () => real);
    expect(pipeline.queues.depth('deliver-sms')).toEqual({ visible: 0, inFlight: 0, delayed: 0 });

    expect(pipeline.queues.returnDeadLetters('deliver-sms')).toBe(1);
    await pipeline.settle();
    expect(sentOf(trackingId)).toHaveLength(1);
    expect(pipeline.queues.returnDeadLetters('deliver-sms')).toBe(0);
  });
});

describe('redrive of scheduled notifications', () => {
  it('leaves those that wait, and makes ready those whose moment was missed', async () => {
    later(60);
    const dueMs = pipeline.clock.nowMs + 30 * MINUTE_MS;
    const trackingId = await sendSms({ schedule: iso(dueMs) });
    await pipeline.settle();
    later(10);
    expect(await redrive(last(20))).toEqual({ examined: 1, messages: {}, trackingIds: [] });
    await pipeline.goTo(dueMs - 1);
    expect(sentOf(trackingId)).toEqual([]);

    pipeline.clock.nowMs = dueMs + 5 * MINUTE_MS;
    expect((await redrive(last(60))).messages).toEqual({ 'make-ready': 1 });
    await pipeline.settle({ sweep: false });
    expect(sentOf(trackingId)).toHaveLength(1);
    await redrive(last(60));
    await pipeline.settle();
    expect(sentOf(trackingId)).toHaveLength(1);
  });
});

describe('redrive of digests', () => {
  const digestsOf = (user: Awaited<ReturnType<typeof digestAccount>>) =>
    user.sent().map(({ message }) => message.message);

  it('leaves a digest that waits as it is', async () => {
    pipeline.clock.nowMs = nextHour(pipeline);
    const user = await digestAccount(pipeline);
    await user.send('one');
    await user.send('two');
    await pipeline.settle();
    later(10);
    expect(await redrive(last(20))).toEqual({ examined: 2, messages: {}, trackingIds: [] });
    await pipeline.goTo(nextHour(pipeline));
    expect(digestsOf(user)).toHaveLength(1);
  });

  it('has one collected whose way there was lost', async () => {
    pipeline.clock.nowMs = nextHour(pipeline);
    const user = await digestAccount(pipeline);
    await user.send('kept');
    await pipeline.settle();
    later(1);
    const trackingId = await whileLost(() => user.send('lost'));
    later(10);
    const answer = await redrive(last(20));
    expect(answer).toMatchObject({ messages: { 'collect-digest': 1 }, trackingIds: [trackingId] });
    await pipeline.settle();
    await pipeline.goTo(nextHour(pipeline));
    expect(digestsOf(user)).toEqual([expect.stringMatching(/kept[\s\S]*lost/)]);
  });

  it('has a digest made once whose moment was missed', async () => {
    pipeline.clock.nowMs = nextHour(pipeline);
    const user = await digestAccount(pipeline);
    await user.send('one');
    await user.send('two');
    await pipeline.settle();
    const real = resolve(queues);
    replace(queues, () => ({ ...real, send: async () => [] }));
    await pipeline.goTo(nextHour(pipeline));
    for (let sweeps = 0; sweeps < 3; sweeps += 1) await pipeline.goTo(pipeline.clock.nowMs + 5 * MINUTE_MS);
    replace(queues, () => real);
    await pipeline.settle();
    expect(digestsOf(user)).toEqual([]);

    expect((await redrive(last(90))).messages).toEqual({ 'make-ready': 1 });
    await pipeline.settle();
    await redrive(last(90));
    await pipeline.settle();
    expect(digestsOf(user)).toHaveLength(1);
  });

  it('sends a digest once that was made but lost', async () => {
    pipeline.clock.nowMs = nextHour(pipeline);
    const user = await digestAccount(pipeline);
    await user.send('one');
    await user.send('two');
    await pipeline.settle();
    const real = resolve(queues);
    replace(queues, () => ({
      ...real,
      send: async (queue, messages) => (queue === 'deliver-sms' ? [] : real.send(queue, messages)),
    }));
    await pipeline.goTo(nextHour(pipeline));
    replace(queues, () => real);
    expect(digestsOf(user)).toEqual([]);

    later(10);
    expect((await redrive(last(90))).messages).toEqual({ 'deliver-sms': 1 });
    await pipeline.settle();
    later(10);
    expect((await redrive(last(100))).messages).toEqual({});
    await pipeline.settle();
    expect(digestsOf(user)).toHaveLength(1);
  });
});
