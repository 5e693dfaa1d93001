import { describe, expect, it } from 'vitest';
import { handler as updateType } from '../../../functions/types/update-type.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { handler as listWaiting } from '../../../functions/users/list-waiting.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { call } from '../../support/app.ts';
import { HOUR_MS, nextHour } from '../digests/setup.ts';
import { pipeline, stepsAccount, useSteps } from './steps-setup.ts';

useSteps();

const MINUTE_MS = 60_000;
const iso = (ms: number) => new Date(ms).toISOString();
const hourly = { defaultDeliveryOption: 'hourly', hourly: { enabled: true } };

async function openAccount(steps: unknown, to: object = {}, type: object = {}) {
  const account = await stepsAccount(steps, to);
  const { key } = account;
  const path = { userId: 'ada' };
  if (Object.keys(type).length > 0) {
    const changed = await call(updateType, { key, path: { notificationId: 'alert' }, body: type });
    expect(changed.status).toBe(200);
  }
  return Object.assign(account, {
    async save(body: object) {
      const { status, json } = await call(saveUser, { key, path, body });
      expect([status, json.error]).toEqual([200, undefined]);
    },
    waiting: async () => (await call(listWaiting, { key, path })).json,
    erase: () => call(deleteUser, { key, path }),
    after: (ms: number) => pipeline.goTo(pipeline.clock.nowMs + ms),
  });
}

const EMAIL_STEP = (when: string, after = 'PT10M') => [
  { channels: ['INAPP_WEB'] },
  { channels: ['EMAIL'], after, when },
];

describe('a step that a pause held', () => {
  it.each([
    ['was seen in the meantime is skipped', true, ['INAPP_WEB']],
    ['was not seen is sent', false, ['INAPP_WEB', 'EMAIL']],
  ])('of a notification that %s', async (_, isSeen, channels) => {
    const account = await openAccount(EMAIL_STEP('unseen'));
    await account.save({ email: 'ada@example.com', pausedUntil: iso(pipeline.clock.nowMs + 2 * HOUR_MS) });
    const trackingId = await account.send();
    await account.after(11 * MINUTE_MS);
    expect(await account.log(trackingId)).toHaveProperty('email_held_until');
    if (isSeen) await account.see(trackingId);
    await account.after(3 * HOUR_MS);
    expect(account.sent().filter((channel) => channel !== 'SMS')).toEqual(channels);
    if (isSeen) expect(await account.log(trackingId)).toMatchObject({ email_skipped_reason: 'SEEN' });
  });

  it('with when undelivered is skipped if an earlier channel was delivered', async () => {
    const steps = [
      { channels: ['INAPP_WEB'] },
      { channels: ['SMS'], after: 'PT1M', when: 'always' },
      { channels: ['EMAIL'], after: 'PT1M', when: 'undelivered' },
    ];
    const account = await openAccount(steps);
    await account.save({ quietHours: { from: '09:00', to: '11:00', channels: ['EMAIL'] } });
    await pipeline.goTo(new Date(pipeline.clock.nowMs).setUTCHours(33, 0, 0, 0));
    const trackingId = await account.send();
    await account.after(3 * MINUTE_MS);
    await account.after(3 * HOUR_MS);
    expect(account.sent()).not.toContain('EMAIL');
    expect(await account.log(trackingId)).toMatchObject({ email_skipped_reason: 'DELIVERED' });
  });
});

describe('GET /users/{userId}/waiting', () => {
  it('lists held channels and later steps until they start', async () => {
    const account = await openAccount([
      { channels: ['SMS'] },
      { channels: ['EMAIL'], after: 'PT5H', when: 'always' },
    ]);
    const pausedUntilMs = pipeline.clock.nowMs + HOUR_MS;
    await account.save({ pausedUntil: iso(pausedUntilMs) });
    const sentAtMs = pipeline.clock.nowMs;
    const trackingId = await account.send();
    const named = { trackingId, type: 'alert' };
    const log = await account.log(trackingId);
    expect(await account.waiting()).toEqual({
      scheduled: [],
      digests: [],
      held: [{ ...named, channel: 'SMS', reason: 'PAUSED', heldUntil: log.sms_held_until }],
      steps: [{ ...named, channel: 'EMAIL', when: 'always', dueAt: iso(sentAtMs + 5 * HOUR_MS) }],
    });
    await account.after(HOUR_MS + 15 * MINUTE_MS);
    expect(await account.waiting()).toMatchObject({ held: [], steps: [{ channel: 'EMAIL' }] });
    await account.after(5 * HOUR_MS);
    expect(await account.waiting()).toEqual({ scheduled: [], digests: [], held: [], steps: [] });
    expect(account.sent().toSorted()).toEqual(['EMAIL', 'INAPP_WEB', 'SMS']);
  });

  it('lists nothing of other users, and nothing that was cancelled', async () => {
    const account = await openAccount(EMAIL_STEP('always'));
    await account.send({ to: { id: 'bob', email: 'bob@example.com' } });
    expect(await account.waiting()).toMatchObject({ held: [], steps: [] });
    const trackingId = await account.send();
    expect((await account.waiting()).steps).toHaveLength(1);
    expect((await account.cancel(trackingId)).status).toBe(200);
    expect(await account.waiting()).toMatchObject({ held: [], steps: [] });
  });

  it('lists what was scheduled for a user who was deleted and created again', async () => {
    const account = await openAccount(null);
    await account.save({ email: 'ada@example.com' });
    await account.after(1000);
    expect((await account.erase()).status).toBe(200);
    await account.after(1000);
    await account.save({ email: 'ada@example.com' });
    const schedule = iso(pipeline.clock.nowMs + HOUR_MS);
    const trackingIds = [await account.send({ schedule }), await account.send({ schedule })];
    await account.after(5 * MINUTE_MS);
    const { scheduled } = await account.waiting();
    expect(scheduled.map((each: { trackingId: string }) => each.trackingId).toSorted()).toEqual(
      trackingIds.toSorted(),
    );
    await account.after(HOUR_MS);
    expect(account.sent().filter((channel) => channel === 'EMAIL')).toHaveLength(2);
  });

  it.each([0, 5])(
    'lists a step that a digest has collected with the digest only: scheduled %i minutes ahead',
    async (minutes) => {
      const account = await openAccount(EMAIL_STEP('unseen'), {}, { options: { EMAIL: hourly } });
      await account.save({ email: 'ada@example.com' });
      await pipeline.goTo(nextHour(pipeline));
      const startMs = pipeline.clock.nowMs + minutes * MINUTE_MS;
      const trackingId = await account.send(minutes > 0 ? { schedule: iso(startMs) } : {});
      await pipeline.goTo(startMs);
      expect((await account.waiting()).steps).toHaveLength(1);
      for (const after of [10, 12]) {
        await pipeline.goTo(startMs + after * MINUTE_MS);
        expect(await account.waiting()).toMatchObject({
          scheduled: [],
          digests: [{ channel: 'EMAIL', trackingIds: [trackingId] }],
          held: [],
          steps: [],
        });
      }
    },
  );

  it('shows when a digest that quiet hours hold is sent', async () => {
    const account = await openAccount(null, {}, { options: { SMS: hourly } });
    const flushAtMs = nextHour(pipeline);
    await account.save({ pausedUntil: iso(flushAtMs + 3 * HOUR_MS) });
    await account.send();
    expect((await account.waiting()).digests).toMatchObject([{ sendAt: iso(flushAtMs) }]);
    await pipeline.goTo(flushAtMs + MINUTE_MS);
    const [digest] = (await account.waiting()).digests;
    expect(Date.parse(digest.sendAt)).toBeGreaterThanOrEqual(flushAtMs + 3 * HOUR_MS);
  });
});

it('cancels the channels of a withdrawn schedule in the log', async () => {
  const account = await openAccount(null);
  const trackingId = await account.send({ schedule: iso(pipeline.clock.nowMs + HOUR_MS) });
  expect(await account.log(trackingId)).toMatchObject({ email_routing: 'SCHEDULE' });
  expect((await account.erase()).status).toBe(200);
  expect(await account.log(trackingId)).toMatchObject({
    email_routing: 'IGNORE',
    email_skipped_reason: 'CANCELED',
    email_skipped_at: expect.any(String),
  });
});

describe('a change of the settings', () => {
  it.each([
    ['the end of a pause', { pausedUntil: null }],
    ['a shorter pause', { pausedUntil: iso(0) }],
  ])('sends what waited for %s', async (_, change) => {
    const account = await openAccount(null);
    await account.save({ pausedUntil: iso(pipeline.clock.nowMs + 30 * 24 * HOUR_MS) });
    const trackingId = await account.send();
    await account.after(HOUR_MS);
    expect(account.sent()).toEqual(['INAPP_WEB']);
    await account.save(change);
    await account.after(2 * MINUTE_MS);
    expect(account.sent().toSorted()).toEqual(['EMAIL', 'INAPP_WEB', 'SMS']);
    expect(await account.log(trackingId)).toMatchObject({ sms_routing: 'SEND', email_routing: 'SEND' });
    await account.after(31 * 24 * HOUR_MS);
    expect(account.sent()).toHaveLength(3);
  });

  it('sends what waited for the end of removed quiet hours, but not what a pause still holds', async () => {
    const account = await openAccount(null);
    const { nowMs } = pipeline.clock;
    const hours = (ms: number) => iso(ms).slice(11, 16);
    await account.save({
      quietHours: { from: hours(nowMs - HOUR_MS), to: hours(nowMs + 6 * HOUR_MS), channels: ['SMS'] },
    });
    await account.send();
    expect(account.sent().toSorted()).toEqual(['EMAIL', 'INAPP_WEB']);
    await account.save({ quietHours: null });
    await account.after(2 * MINUTE_MS);
    expect(account.sent().toSorted()).toEqual(['EMAIL', 'INAPP_WEB', 'SMS']);
  });

  it('holds until the new end of a pause that is moved', async () => {
    const account = await openAccount(null);
    const start = pipeline.clock.nowMs;
    await account.save({ pausedUntil: iso(start + 48 * HOUR_MS) });
    await account.send();
    await account.save({ pausedUntil: iso(start + 6 * HOUR_MS) });
    await account.after(2 * MINUTE_MS);
    const { held } = await account.waiting();
    expect(held).toHaveLength(2);
    expect(Date.parse(held[0].heldUntil)).toBeLessThan(start + 7 * HOUR_MS);
    await pipeline.goTo(start + 6 * HOUR_MS + 15 * MINUTE_MS);
    expect(account.sent().toSorted()).toEqual(['EMAIL', 'INAPP_WEB', 'SMS']);
  });

  it('sends a step that became due in the pause, and a digest', async () => {
    const account = await openAccount(EMAIL_STEP('always'), {}, { options: { SMS: hourly } });
    await account.save({ pausedUntil: iso(pipeline.clock.nowMs + 72 * HOUR_MS) });
    await account.send();
    await account.after(2 * HOUR_MS);
    expect(account.sent()).toEqual(['INAPP_WEB']);
    await account.save({ pausedUntil: null });
    await account.after(2 * MINUTE_MS);
    expect(account.sent().toSorted()).toEqual(['EMAIL', 'INAPP_WEB', 'SMS']);
  });

  it('sends what was accepted by the earlier settings while they changed', async () => {
    const account = await openAccount(null);
    await account.save({ pausedUntil: iso(pipeline.clock.nowMs + 72 * HOUR_MS) });
    const { put } = pipeline.database;
    let isChanged = false;
    pipeline.database.put = async (item, options) => {
      if (item.sk === 'HEAD' && !isChanged) {
        isChanged = true;
        await account.save({ pausedUntil: null });
        await pipeline.settle();
      }
      return put(item, options);
    };
    await account.send();
    pipeline.database.put = put;
    expect(isChanged).toBe(true);
    await account.after(3 * MINUTE_MS);
    expect(account.sent().toSorted()).toEqual(['EMAIL', 'INAPP_WEB', 'SMS']);
  });
});

describe('a step that is collected for a digest', () => {
  const collected = async (steps: unknown) => {
    const account = await openAccount(steps, {}, { options: { EMAIL: hourly } });
    await pipeline.goTo(nextHour(pipeline) + MINUTE_MS);
    const trackingId = await account.send();
    await account.after(11 * MINUTE_MS);
    return { account, trackingId };
  };

  it('is recorded as collected, under digests and no longer due', async () => {
    const { account, trackingId } = await collected(EMAIL_STEP('always'));
    const log = await account.log(trackingId);
    expect(log).toMatchObject({ email_routing: 'BATCH' });
    expect(log).not.toHaveProperty('email_due_at');
    expect(await account.waiting()).toMatchObject({ digests: [{ trackingIds: [trackingId] }], steps: [] });
    await pipeline.goTo(nextHour(pipeline));
    expect(account.sent()).toContain('EMAIL');
    expect(await account.log(trackingId)).toMatchObject({
      email_routing: 'BATCH',
      email_sent_at: expect.any(String),
    });
  });

  it('is not in it if the notification was seen in the meantime', async () => {
    const { account, trackingId } = await collected([
      ...EMAIL_STEP('unseen'),
      { channels: ['SMS'], after: 'P3D' },
    ]);
    await account.see(trackingId);
    await pipeline.goTo(nextHour(pipeline));
    expect(account.sent()).toEqual(['INAPP_WEB']);
    expect(await account.log(trackingId)).toMatchObject({
      email_routing: 'IGNORE',
      email_skipped_reason: 'SEEN',
    });
  });
});

describe('an undelivered step starts immediately', () => {
  const STEPS = [{ channels: ['EMAIL'] }, { channels: ['SMS'], after: 'P3D', when: 'undelivered' }];

  async function inDigest(
    change: (account: Awaited<ReturnType<typeof openAccount>>) => Promise<unknown>,
    body: object = {},
  ) {
    const account = await openAccount(STEPS, {}, { options: { EMAIL: hourly }, channels: ['EMAIL', 'SMS'] });
    const trackingId = await account.send(body);
    await change(account);
    await pipeline.goTo(nextHour(pipeline));
    await account.after(2 * MINUTE_MS);
    return { account, trackingId };
  }

  it('when the digest withholds its item', async () => {
    const { account, trackingId } = await inDigest((each) =>
      call(updateType, {
        key: each.key,
        path: { notificationId: 'alert' },
        body: { options: { EMAIL: { defaultDeliveryOption: 'off', hourly: { enabled: true } } } },
      }),
    );
    expect(await account.log(trackingId)).toMatchObject({ email_routing: 'IGNORE' });
    expect(account.sent()).toEqual(['SMS']);
  });

  it('when the item cannot be rendered', async () => {
    const account = await openAccount(STEPS, {}, { options: { EMAIL: hourly }, channels: ['EMAIL', 'SMS'] });
    const html = '{{ 1 | divided_by: user.attributes.none }}';
    const broken = await account.send({ email: { subject: 'Hello', html } });
    await account.send();
    await pipeline.goTo(nextHour(pipeline));
    await account.after(2 * MINUTE_MS);
    expect(await account.log(broken)).toMatchObject({
      email_failed_code: 'UNDETERMINED_BOUNCE',
      sms_sent_at: expect.any(String),
    });
  });

  it("when the digest's own email fails", async () => {
    const { account, trackingId } = await inDigest(async () => {}, {
      to: { id: 'ada', email: 'provider-error@sandbox.test', number: '+15005551234' },
    });
    expect(await account.log(trackingId)).toMatchObject({
      email_failed_code: 'UNDETERMINED_BOUNCE',
      sms_sent_at: expect.any(String),
    });
  });
});

it('counts the times of digest items from when the digest was evaluated', async () => {
  const account = await openAccount(null, {}, { options: { SMS: hourly }, channels: ['SMS'] });
  await pipeline.goTo(nextHour(pipeline) + 7 * MINUTE_MS);
  const receivedAtMs = pipeline.clock.nowMs;
  const trackingId = await account.send();
  const flushAtMs = nextHour(pipeline);
  await pipeline.goTo(flushAtMs);
  expect(await account.log(trackingId)).toMatchObject({
    received_at: iso(receivedAtMs),
    processed_at: iso(flushAtMs),
    sms_sent_at: iso(flushAtMs),
    sms_sent_after: 0,
  });
});
