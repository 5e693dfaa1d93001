import { describe, expect, it } from 'vitest';
import { handler as createType } from '../../../../functions/types/create-type.ts';
import { handler as redrive } from '../../../../functions/workers/redrive/redrive.ts';
import { call } from '../../../support/app.ts';
import { atMost } from '../../../support/throttling.ts';
import { digestAccount, nextHour } from '../../digests/setup.ts';
import { account, on, pipeline, useRedriving } from './pipeline-setup.ts';
import { iso, MINUTE_MS } from './setup.ts';

useRedriving();

describe('redrive of scheduled notifications', () => {
  it('leaves waiting ones unchanged and starts those that missed their due time', async () => {
    on.later(60);
    const dueMs = pipeline.clock.nowMs + 30 * MINUTE_MS;
    const trackingId = await on.sendSms(account, { schedule: iso(dueMs) });
    await pipeline.settle();
    on.later(10);
    expect(await redrive(on.last(20))).toEqual({ examined: 1, messages: {}, trackingIds: [] });
    await on.whileLost(() => pipeline.goTo(dueMs - 1));
    expect(on.sentOf(trackingId)).toEqual([]);

    pipeline.clock.nowMs = dueMs + 5 * MINUTE_MS;
    expect((await redrive(on.last(60))).messages).toEqual({ 'make-ready': 1 });
    await pipeline.settle({ sweep: false });
    expect(on.sentOf(trackingId)).toHaveLength(1);
    await redrive(on.last(60));
    await pipeline.settle();
    expect(on.sentOf(trackingId)).toHaveLength(1);
  });
});

describe('redrive of steps', () => {
  const steps = [{ channels: ['INAPP_WEB'] }, { channels: ['SMS'], after: 'PT10M', when: 'always' }];
  const body = { inapp: { title: 'Hello' }, options: { steps } };
  const textsOf = (trackingId: string) => on.sentOf(trackingId).filter(({ channel }) => channel === 'SMS');

  it('starts a step once that missed its due time', async () => {
    on.later(60);
    const trackingId = await on.sendSms(account, { type: 'stepped', ...body });
    await pipeline.settle();
    expect((await redrive(on.last(5))).messages).toEqual({});
    on.later(15);
    expect((await redrive(on.last(20))).messages).toEqual({ 'make-ready': 1 });
    await pipeline.settle({ sweep: false });
    expect(textsOf(trackingId)).toHaveLength(1);
    await redrive(on.last(20));
    await pipeline.settle();
    expect(textsOf(trackingId)).toHaveLength(1);
  });

  it('sends the message of a started step once when it was lost', async () => {
    on.later(60);
    const throttling = atMost(1, 'minutes');
    const type = { notificationId: 'counted', title: 'Counted', channels: ['INAPP_WEB', 'SMS'], throttling };
    expect((await call(createType, { key: account.secret.key, body: type })).status).toBe(200);
    const trackingId = await on.sendSms(account, { type: 'counted', ...body });
    await pipeline.settle();
    await on.whileLost(() => pipeline.goTo(pipeline.clock.nowMs + 10 * MINUTE_MS), 'deliver-sms');
    expect(textsOf(trackingId)).toEqual([]);
    on.later(10);
    expect((await redrive(on.last(30))).messages).toEqual({ 'make-ready': 1 });
    await pipeline.settle({ sweep: false });
    expect(textsOf(trackingId)).toHaveLength(1);
  });
});

describe('redrive of digests', () => {
  const digestsOf = (user: Awaited<ReturnType<typeof digestAccount>>) =>
    user.sent().map(({ message }) => message.message);

  it('leaves a waiting digest unchanged', async () => {
    pipeline.clock.nowMs = nextHour(pipeline);
    const user = await digestAccount(pipeline);
    await user.send('one');
    await user.send('two');
    await pipeline.settle();
    on.later(10);
    expect(await redrive(on.last(20))).toEqual({ examined: 2, messages: {}, trackingIds: [] });
    await pipeline.goTo(nextHour(pipeline));
    expect(digestsOf(user)).toHaveLength(1);
  });

  it('collects a notification that was lost on its way to the digest', async () => {
    pipeline.clock.nowMs = nextHour(pipeline);
    const user = await digestAccount(pipeline);
    await user.send('kept');
    await pipeline.settle();
    on.later(1);
    const trackingId = await on.whileLost(() => user.send('lost'));
    on.later(10);
    const response = await redrive(on.last(20));
    expect(response).toMatchObject({ messages: { 'collect-digest': 1 }, trackingIds: [trackingId] });
    await pipeline.settle();
    await pipeline.goTo(nextHour(pipeline));
    expect(digestsOf(user)).toEqual([expect.stringMatching(/kept[\s\S]*lost/)]);
  });

  it('creates a digest once that missed its due time', async () => {
    pipeline.clock.nowMs = nextHour(pipeline);
    const user = await digestAccount(pipeline);
    await user.send('one');
    await user.send('two');
    await pipeline.settle();
    await on.whileLost(async () => {
      await pipeline.goTo(nextHour(pipeline));
      for (let sweeps = 0; sweeps < 3; sweeps += 1) await pipeline.goTo(pipeline.clock.nowMs + 5 * MINUTE_MS);
    });
    // The next sweep would find it overdue.
    await pipeline.settle({ sweep: false });
    expect(digestsOf(user)).toEqual([]);

    expect((await redrive(on.last(90))).messages).toEqual({ 'make-ready': 1 });
    await pipeline.settle();
    await redrive(on.last(90));
    await pipeline.settle();
    expect(digestsOf(user)).toHaveLength(1);
  });

  it('sends a digest once that was created but lost', async () => {
    pipeline.clock.nowMs = nextHour(pipeline);
    const user = await digestAccount(pipeline);
    await user.send('one');
    await user.send('two');
    await pipeline.settle();
    await on.whileLost(() => pipeline.goTo(nextHour(pipeline)), 'deliver-sms');
    expect(digestsOf(user)).toEqual([]);

    on.later(10);
    expect((await redrive(on.last(90))).messages).toEqual({ 'deliver-sms': 1 });
    await pipeline.settle();
    on.later(10);
    expect((await redrive(on.last(100))).messages).toEqual({});
    await pipeline.settle();
    expect(digestsOf(user)).toHaveLength(1);
  });
});
