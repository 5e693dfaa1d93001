import { describe, expect, it } from 'vitest';
import { atMost } from '../../support/throttling.ts';
import { dueTwice, MINUTE_MS, passing, pipeline, stepping, useStepPipeline } from './step-rules-setup.ts';

useStepPipeline();

const oneInAn = (unit: string) => ({ throttling: atMost(1, unit) });

describe('throttling of steps', () => {
  it('keeps the place of a notification for its steps and counts it once', async () => {
    const account = await stepping(oneInAn('hours'));
    const trackingId = await account.send();
    await passing(30);
    expect(account.sent(trackingId)).toEqual(['INAPP_WEB', 'EMAIL']);
    expect(await account.log(await account.send())).toMatchObject({ ignored: 'THROTTLING' });
    await passing(31);
    expect(await account.log(await account.send())).toMatchObject({ inapp_routing: 'SEND' });
  });

  it('stops a step that starts when another notification has its place', async () => {
    const account = await stepping({ throttling: atMost(1, 'minutes', 10) });
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

  it('sends a step whose window is free again and counts it', async () => {
    const account = await stepping(oneInAn('minutes'));
    const trackingId = await account.send();
    await passing(30);
    expect(account.sent(trackingId)).toEqual(['INAPP_WEB', 'EMAIL']);
    const next = await account.send();
    expect(await account.log(next)).toMatchObject({ inapp_routing: 'THROTTLED', ignored: 'THROTTLING' });
  });

  it('starts a step once when two workers start it with one place left', async () => {
    const account = await stepping(oneInAn('minutes'));
    const trackingId = await account.send();
    pipeline.clock.nowMs += 30 * MINUTE_MS;
    await dueTwice(trackingId);
    await pipeline.settle();
    expect(account.sent(trackingId)).toEqual(['INAPP_WEB', 'EMAIL']);
    expect(await account.log(trackingId)).toMatchObject({ email_routing: 'SEND' });
  });

  it.each([
    ['held by a pause when it is released', { steps: undefined, channels: ['EMAIL'] }, 30 * MINUTE_MS],
    ['of a later step alone when it starts', {}, 0],
  ])('counts a channel %s', async (_, type, pauseMs) => {
    const pausedUntil = pauseMs ? new Date(pipeline.clock.nowMs + pauseMs).toISOString() : undefined;
    const account = await stepping({ ...type, ...oneInAn('hours') }, { pausedUntil });
    const waiting = [await account.send({ inapp: undefined }), await account.send({ inapp: undefined })];
    for (const each of waiting) expect(await account.log(each)).toMatchObject({ email_routing: 'SCHEDULE' });
    await passing(60);
    const routings = await Promise.all(waiting.map(async (each) => (await account.log(each)).email_routing));
    expect(routings.sort()).toEqual(['SEND', 'THROTTLED']);
  });
});

describe('steps with other rules', () => {
  it('collect at their start when their delivery option is a digest', async () => {
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

  it('run for each notification of a bulk request', async () => {
    const account = await stepping();
    const ids = await account.sendTwo();
    await passing(30);
    for (const each of ids) expect(account.sent(each)).toEqual(['INAPP_WEB', 'EMAIL']);
  });
});
