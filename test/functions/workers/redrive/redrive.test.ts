import { describe, expect, it } from 'vitest';
import { handler as redrive } from '../../../../functions/workers/redrive/redrive.ts';
import { logs } from '../../../../shared/database/entities/logs/logs.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { createTestAccount } from '../../../support/app.ts';
import { account, on, pipeline, useRedriving } from './pipeline-setup.ts';
import { iso } from './setup.ts';

useRedriving();

describe('redrive', () => {
  it('delivers a lost notification once when it runs twice concurrently and again afterwards', async () => {
    const trackingId = await on.whileLost(() => on.sendSms(account));
    on.later(10);
    await pipeline.settle();
    expect(on.sentOf(trackingId)).toEqual([]);

    const twice = await Promise.all([redrive(on.last(20)), redrive(on.last(20))]);
    expect(twice.map(({ messages }) => messages)).toEqual([{ 'deliver-sms': 1 }, { 'deliver-sms': 1 }]);
    await pipeline.settle();
    expect(on.sentOf(trackingId)).toHaveLength(1);

    on.later(10);
    expect(await redrive(on.last(30))).toEqual({ examined: 1, messages: {}, trackingIds: [] });
    await pipeline.settle();
    expect(on.sentOf(trackingId)).toHaveLength(1);
  });

  it('requeues each channel without an outcome and no other', async () => {
    on.later(60);
    const both = {
      type: 'two-channels',
      to: { id: 'ada', number: '+15005551234', email: 'ada@example.com' },
      sms: { message: 'Hello' },
      email: { subject: 'Hello', html: '<p>Hello</p>' },
    };
    const trackingId = await on.whileLost(() => on.sendSms(account, both), 'deliver-email');
    expect(on.sentOf(trackingId).map(({ channel }) => channel)).toEqual(['SMS']);

    on.later(10);
    expect((await redrive(on.last(20))).messages).toEqual({ 'deliver-email': 1 });
    await pipeline.settle();
    expect(on.sentOf(trackingId).map(({ channel }) => channel)).toEqual(['SMS', 'EMAIL']);
  });

  it('sends a message once that waits on its queue for a retry', async () => {
    on.later(60);
    const trackingId = await on.sendSms(account, { to: { id: 'ada', number: '+15005550429' } });
    await pipeline.settle();
    expect(on.sentOf(trackingId).map(({ outcome }) => outcome)).toEqual(['retry']);

    await pipeline.pause();
    on.later(10);
    expect((await redrive(on.last(20))).trackingIds).toEqual([trackingId]);
    pipeline.resume();
    await pipeline.settle();
    await pipeline.settle();
    expect(on.sentOf(trackingId).filter(({ outcome }) => outcome === 'sent')).toHaveLength(1);
  });

  it('only reports its actions in a dry run', async () => {
    on.later(60);
    const trackingId = await on.whileLost(() => on.sendSms(account));
    on.later(10);
    const dry = await redrive({ ...on.last(20), isDryRun: true });
    expect(dry).toEqual({ examined: 1, messages: { 'deliver-sms': 1 }, trackingIds: [trackingId] });
    await pipeline.settle();
    expect(on.sentOf(trackingId)).toEqual([]);
    await redrive(on.last(20));
    await pipeline.settle();
    expect(on.sentOf(trackingId)).toHaveLength(1);
  });

  it('checks what was accepted within the range, start included and end excluded, in every account', async () => {
    on.later(60);
    const fromMs = pipeline.clock.nowMs;
    const first = await on.whileLost(() => on.sendSms(account));
    on.later(1);
    const other = await createTestAccount(pipeline);
    const second = await on.whileLost(() => on.sendSms(other));
    const toMs = pipeline.clock.nowMs;
    on.later(10);
    const found = async (from: number, to: number) =>
      (await redrive({ from: iso(from), to: iso(to), isDryRun: true })).trackingIds.sort();
    expect(await found(fromMs, toMs)).toEqual([first]);
    expect(await found(fromMs + 1, toMs + 1)).toEqual([second]);
    expect(await found(fromMs, toMs + 1)).toEqual([first, second].sort());
  });

  it('continues page by page until everything is checked', async () => {
    on.later(60);
    const own = await createTestAccount(pipeline);
    const sent = await on.whileLost(() => Promise.all([on.sendSms(own), on.sendSms(own), on.sendSms(own)]));
    on.later(10);
    const found: string[] = [];
    let start: Awaited<ReturnType<typeof redrive>>['next'];
    let pages = 0;
    do {
      const page = await redrive({ ...on.last(20), isDryRun: true, countMax: 2, start });
      found.push(...page.trackingIds);
      start = page.next;
      pages += 1;
    } while (start);
    expect(found.sort()).toEqual(sent.sort());
    expect(pages).toBe(2);
  });

  it('rejects an invalid range', async () => {
    const isRefused = (range: object) => expect(redrive(range)).rejects.toThrow('ISO 8601');
    await isRefused({});
    await isRefused({ from: 'yesterday', to: '2026-11-21T08:00:00.000Z' });
    await isRefused({ from: '2026-11-21T08:00:00.000Z', to: '2026-11-21T08:00:00.000Z' });
  });
});

describe('requeued dead letters', () => {
  it('arrive once', async () => {
    on.later(60);
    const real = resolve(logs);
    const find = async () => {
      throw new Error('the table does not respond');
    };
    replace(logs, () => ({ ...real, find }));
    pipeline.queues.createQueue({
      name: 'deliver-sms',
      deadLetterQueue: 'deliver-sms-dead',
      ...{ fifo: true, visibilityTimeoutSeconds: 180, receiveCountMax: 2 },
    });
    const trackingId = await on.sendSms(account);
    const isDead = () => pipeline.queues.depth('deliver-sms-dead').visible > 0;
    for (let round = 0; !isDead() && round < 4; round += 1) {
      await pipeline.settle({ sweep: false });
      on.later(4);
    }
    expect(isDead()).toBe(true);
    replace(logs, () => real);
    expect(pipeline.queues.depth('deliver-sms')).toEqual({ visible: 0, inFlight: 0, delayed: 0 });

    expect(pipeline.queues.returnDeadLetters('deliver-sms')).toBe(1);
    await pipeline.settle();
    expect(on.sentOf(trackingId)).toHaveLength(1);
    expect(pipeline.queues.returnDeadLetters('deliver-sms')).toBe(0);
  });
});
