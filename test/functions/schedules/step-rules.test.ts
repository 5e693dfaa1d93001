import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handler as markInapp } from '../../../functions/inapp/mark-inapp.ts';
import { handler as getLogs } from '../../../functions/logs/get-logs.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { handler as makeReady } from '../../../functions/workers/due/make-ready.ts';
import { logs } from '../../../shared/database/entities/logs.ts';
import { logPk } from '../../../shared/database/keys.ts';
import { recordReceipt } from '../../../shared/receipts/receipts.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { createPipeline, type Pipeline } from '../../support/pipeline.ts';

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = await createPipeline();
});
afterAll(() => pipeline.stop());

const MINUTE_MS = 60_000;
const STEPS = [{ channels: ['INAPP_WEB'] }, { channels: ['EMAIL'], after: 'PT30M', when: 'always' }];
const CONTENT = { inapp: { title: 'Hello' }, email: { subject: 'Hello', html: '<p>Hello</p>' } };

async function stepping(type: object = {}, user: object = {}) {
  const account = await createTestAccount(pipeline);
  const { key } = account.secret;
  const channels = ['INAPP_WEB', 'EMAIL', 'SMS'];
  const body = { notificationId: 'alert', title: 'Alert', channels, steps: STEPS, ...type };
  expect((await call(createType, { key, body })).status).toBe(200);
  const profile = { email: 'ada@example.com', number: '+15005551234', ...user };
  expect((await call(saveUser, { key, path: { userId: 'ada' }, body: profile })).status).toBe(200);
  const notification = { type: 'alert', to: { id: 'ada' }, ...CONTENT };
  return {
    async send(more: object = {}): Promise<string> {
      const { json } = await call(send, { key, body: { ...notification, ...more } });
      await pipeline.settle();
      return json.trackingId;
    },
    async sendTwo(): Promise<string[]> {
      const { json } = await call(sendBulk, { key, body: { notifications: [notification, notification] } });
      await pipeline.settle();
      return json.results.map(({ trackingId }: { trackingId: string }) => trackingId);
    },
    see: (trackingId: string) =>
      call(markInapp, { key, query: { userId: 'ada' }, body: { trackingIds: [trackingId], opened: true } }),
    log: async (trackingId: string) =>
      (await call(getLogs, { key, path: { trackingIds: trackingId } })).json.logs[0],
    sent: (trackingId: string) =>
      pipeline.outbox
        .filter((each) => each.trackingId === trackingId && each.outcome === 'sent')
        .map(({ channel }) => channel),
    all: () =>
      pipeline.outbox
        .filter(
          ({ message }) =>
            (message as { environmentId?: string }).environmentId === account.environment.environmentId,
        )
        .map(({ channel }) => channel),
  };
}

const passing = (minutes: number) => pipeline.goTo(pipeline.clock.nowMs + minutes * MINUTE_MS);
/** What the sweeper would enqueue for a notification, twice. */
const dueTwice = (trackingId: string) => {
  const record = (id: string) => ({
    messageId: id,
    receiptHandle: id,
    body: JSON.stringify({ pk: logPk(trackingId), dueAtMs: pipeline.clock.nowMs }),
    attributes: { ApproximateReceiveCount: '1' },
  });
  return Promise.all(['a', 'b'].map((id) => makeReady({ Records: [record(id)] } as never, {} as never)));
};
const oneInAn = (unit: string) => ({
  throttling: { max: 1, period: 1, unit, forever: false, scope: ['userId', 'notificationId'] },
});

describe('throttling of steps', () => {
  it('lets the steps of a notification keep its place while it counts, and counts it once', async () => {
    const account = await stepping(oneInAn('hours'));
    const trackingId = await account.send();
    await passing(30);
    expect(account.sent(trackingId)).toEqual(['INAPP_WEB', 'EMAIL']);
    expect(await account.log(await account.send())).toMatchObject({ ignored: 'THROTTLING' });
    await passing(31);
    expect(await account.log(await account.send())).toMatchObject({ inapp_routing: 'SEND' });
  });

  it('stops a step whose place another notification has when it starts', async () => {
    const throttling = { max: 1, period: 10, unit: 'minutes', forever: false };
    const scope = ['userId', 'notificationId'];
    const account = await stepping({ throttling: { ...throttling, scope } });
    const trackingId = await account.send();
    await passing(25);
    const other = await account.send();
    await passing(5);
    expect(account.sent(trackingId)).toEqual(['INAPP_WEB']);
    expect(await account.log(trackingId)).toMatchObject({
      inapp_routing: 'SEND',
      email_routing: 'THROTTLED',
      email_failed_internal: expect.stringContaining('throttling'),
    });
    expect((await account.log(trackingId)).email_sent_at).toBeUndefined();
    await passing(300);
    expect(account.sent(trackingId)).toEqual(['INAPP_WEB']);
    expect(account.sent(other)).toEqual(['INAPP_WEB', 'EMAIL']);
  });

  it('lets a step through whose window is free again, and counts it', async () => {
    const account = await stepping(oneInAn('minutes'));
    const trackingId = await account.send();
    await passing(30);
    expect(account.sent(trackingId)).toEqual(['INAPP_WEB', 'EMAIL']);
    const next = await account.send();
    expect(await account.log(next)).toMatchObject({ inapp_routing: 'THROTTLED', ignored: 'THROTTLING' });
  });

  it('starts a step once when two workers take it up with one place left', async () => {
    const account = await stepping(oneInAn('minutes'));
    const trackingId = await account.send();
    pipeline.clock.nowMs += 30 * MINUTE_MS;
    await dueTwice(trackingId);
    await pipeline.settle();
    expect(account.sent(trackingId)).toEqual(['INAPP_WEB', 'EMAIL']);
    expect(await account.log(trackingId)).toMatchObject({ email_routing: 'SEND' });
  });

  it('counts a channel that quiet hours hold when it is released', async () => {
    const pausedUntil = new Date(pipeline.clock.nowMs + 30 * MINUTE_MS).toISOString();
    const quiet = { steps: undefined, channels: ['EMAIL'], ...oneInAn('hours') };
    const account = await stepping(quiet, { pausedUntil });
    const held = [await account.send({ inapp: undefined }), await account.send({ inapp: undefined })];
    for (const each of held) expect(await account.log(each)).toMatchObject({ email_routing: 'SCHEDULE' });
    await passing(60);
    const routings = await Promise.all(held.map(async (each) => (await account.log(each)).email_routing));
    expect(routings.sort()).toEqual(['SEND', 'THROTTLED']);
  });
});

describe('steps under races', () => {
  const UNSEEN = [{ channels: ['INAPP_WEB'] }, { channels: ['EMAIL'], after: 'PT30M' }];

  it('never start after a seen whose response came before, in the same second too', async () => {
    const account = await stepping({ steps: UNSEEN });
    const trackingId = await account.send();
    pipeline.clock.nowMs += 30 * MINUTE_MS;
    expect((await account.see(trackingId)).status).toBe(200);
    await dueTwice(trackingId);
    await pipeline.settle();
    expect(account.sent(trackingId)).toEqual(['INAPP_WEB']);
    expect(await account.log(trackingId)).toMatchObject({ email_skipped_reason: 'SEEN' });
  });

  it('start or are skipped, never both, when seen and due race', async () => {
    for (let times = 0; times < 5; times += 1) {
      const account = await stepping({ steps: UNSEEN });
      const trackingId = await account.send();
      pipeline.clock.nowMs += 30 * MINUTE_MS;
      await Promise.all([account.see(trackingId), dueTwice(trackingId)]);
      await pipeline.settle();
      const log = await account.log(trackingId);
      const isSent = account.sent(trackingId).includes('EMAIL');
      expect([isSent, log.email_skipped_reason === 'SEEN'].filter(Boolean)).toHaveLength(1);
      expect(account.sent(trackingId).filter((channel) => channel === 'EMAIL').length).toBeLessThanOrEqual(1);
    }
  });

  const TO_SMS = { sms: { message: 'Hello' }, inapp: undefined };
  const undelivered = (after: string) => [
    { channels: ['EMAIL'] },
    { channels: ['SMS'], after, when: 'undelivered' },
  ];

  it('start once at their time while an earlier channel is still being retried, which goes on', async () => {
    const account = await stepping({ steps: undelivered('PT1S') }, { email: 'timeout@sandbox.test' });
    const trackingId = await account.send(TO_SMS);
    expect(account.sent(trackingId)).toEqual([]);
    await passing(1 / 60);
    expect(account.sent(trackingId)).toEqual(['SMS']);
    await passing(1);
    expect(account.sent(trackingId)).toEqual(['SMS', 'EMAIL']);
    await passing(120);
    expect(account.sent(trackingId)).toEqual(['SMS', 'EMAIL']);
    const log = await account.log(trackingId);
    expect(log).toMatchObject({ email_delivered_at: expect.any(String), sms_sent_at: expect.any(String) });
    expect(log).not.toHaveProperty('sms_skipped_reason');
  });

  it('are skipped when the earlier channel is delivered by a retry before their time', async () => {
    const account = await stepping({ steps: undelivered('PT30M') }, { email: 'timeout@sandbox.test' });
    const trackingId = await account.send(TO_SMS);
    await passing(1);
    // Its receipt comes a moment after it.
    await passing(1);
    await passing(28);
    expect(account.sent(trackingId)).toEqual(['EMAIL']);
    expect(await account.log(trackingId)).toMatchObject({ sms_skipped_reason: 'DELIVERED' });
  });

  const receipt = (trackingId: string, stage: 'delivered' | 'failed') => {
    const fields = stage === 'failed' ? { email_failed_code: 'TRANSIENT_GENERAL_BOUNCE' as const } : {};
    const atMs = pipeline.clock.nowMs;
    return recordReceipt(resolve(logs), { trackingId, channel: 'EMAIL', stage, atMs, fields }, atMs);
  };

  it.each([
    ['a second before the step is due skips it', 30 * 60 - 1, ['EMAIL'], 'DELIVERED'],
    ['after the step has started changes nothing of it', 30 * 60 + 1, ['EMAIL', 'SMS'], undefined],
  ])('a late receipt of a delivery %s', async (_, atSecond, sent, reason) => {
    const account = await stepping({ steps: undelivered('PT30M') }, { email: 'no-receipt@sandbox.test' });
    const trackingId = await account.send(TO_SMS);
    await passing(atSecond / 60);
    expect(await receipt(trackingId, 'delivered')).toBe('appended');
    await pipeline.settle();
    await passing(60);
    await passing(60);
    expect(account.sent(trackingId)).toEqual(sent);
    const log = await account.log(trackingId);
    expect([log.sms_skipped_reason, log.sms_sent_at !== undefined]).toEqual([reason, reason === undefined]);
    expect(log.email_delivered_at).toEqual(expect.any(String));
  });

  it('a late receipt of a failure starts the step immediately, once, and a contradicting one after it changes nothing', async () => {
    const account = await stepping({ steps: undelivered('PT2H') }, { email: 'no-receipt@sandbox.test' });
    const trackingId = await account.send(TO_SMS);
    await passing(10);
    expect(await receipt(trackingId, 'failed')).toBe('appended');
    await pipeline.settle();
    expect(account.sent(trackingId)).toEqual(['EMAIL', 'SMS']);
    await receipt(trackingId, 'failed');
    await receipt(trackingId, 'delivered');
    await pipeline.settle();
    await passing(180);
    expect(account.sent(trackingId)).toEqual(['EMAIL', 'SMS']);
  });
});

describe('steps with other rules', () => {
  it('whose delivery option collects are collected when they start', async () => {
    const options = { EMAIL: { defaultDeliveryOption: 'hourly', hourly: { enabled: true } } };
    const account = await stepping({ options });
    pipeline.clock.nowMs = Math.ceil(pipeline.clock.nowMs / 3_600_000) * 3_600_000 + 10 * MINUTE_MS;
    const ids = [await account.send(), await account.send()];
    await passing(30);
    expect(account.all()).toEqual(['INAPP_WEB', 'INAPP_WEB']);
    await passing(20);
    expect(account.all()).toEqual(['INAPP_WEB', 'INAPP_WEB', 'EMAIL']);
    for (const each of ids) expect(await account.log(each)).toMatchObject({ email_routing: 'BATCH' });
  });

  it('of a bulk request run for each of its notifications', async () => {
    const account = await stepping();
    const ids = await account.sendTwo();
    await passing(30);
    for (const each of ids) expect(account.sent(each)).toEqual(['INAPP_WEB', 'EMAIL']);
  });
});
