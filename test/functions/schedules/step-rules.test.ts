import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handler as markInapp } from '../../../functions/inapp/mark-inapp.ts';
import { handler as getLogs } from '../../../functions/logs/get-logs.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { handler as makeReady } from '../../../functions/workers/due/make-ready.ts';
import { logPk } from '../../../shared/database/keys.ts';
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
      pipeline.outbox.filter((each) => each.trackingId === trackingId).map(({ channel }) => channel),
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

  it('wait for an earlier channel that is still being retried, and skip once it is delivered', async () => {
    const steps = [{ channels: ['EMAIL'] }, { channels: ['SMS'], after: 'PT1M', when: 'undelivered' }];
    const account = await stepping({ steps }, { email: 'retry@sandbox.example.com' });
    const trackingId = await account.send({ sms: { message: 'Hello' }, inapp: undefined });
    await passing(1);
    await passing(1);
    const sms = account.sent(trackingId).filter((channel) => channel === 'SMS');
    expect(sms.length).toBeLessThanOrEqual(1);
    const log = await account.log(trackingId);
    expect([sms.length === 1, log.sms_skipped_reason === 'DELIVERED'].filter(Boolean)).toHaveLength(1);
    await passing(120);
    expect(account.sent(trackingId).filter((channel) => channel === 'SMS')).toEqual(sms);
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
