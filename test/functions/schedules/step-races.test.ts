import { describe, expect, it } from 'vitest';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { recordReceipt } from '../../../shared/receipts/receipts.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { dueTwice, MINUTE_MS, passing, pipeline, stepping, useStepPipeline } from './step-rules-setup.ts';

useStepPipeline();

describe('concurrent steps', () => {
  const UNSEEN = [{ channels: ['INAPP_WEB'] }, { channels: ['EMAIL'], after: 'PT30M' }];

  it('never start after a seen request that succeeded before, even in the same second', async () => {
    const account = await stepping({ steps: UNSEEN });
    const trackingId = await account.send();
    pipeline.clock.nowMs += 30 * MINUTE_MS;
    expect((await account.see(trackingId)).status).toBe(200);
    await dueTwice(trackingId);
    await pipeline.settle();
    expect(account.sent(trackingId)).toEqual(['INAPP_WEB']);
    expect(await account.log(trackingId)).toMatchObject({ email_skipped_reason: 'SEEN' });
  });

  it('either start or are skipped when seen and due coincide', async () => {
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

  it('start once at their time while an earlier channel is still being retried, and the retry continues', async () => {
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

  it('end when a retry delivers the earlier channel before their time', async () => {
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
    ['one second before the due time skips the step', 30 * 60 - 1, ['EMAIL'], 'DELIVERED'],
    ['after the start changes nothing', 30 * 60 + 1, ['EMAIL', 'SMS'], undefined],
  ])('treat a late receipt of a delivery correctly: %s', async (_, atSecond, sent, reason) => {
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

  it('start immediately, once, after a late failure receipt, and a contradicting one changes nothing', async () => {
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
