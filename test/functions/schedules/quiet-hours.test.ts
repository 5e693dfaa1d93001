import { describe, expect, it } from 'vitest';
import { handler as updateAccount } from '../../../functions/account/update-account.ts';
import { handler as saveConsent } from '../../../functions/preferences/save-consent.ts';
import { handler as cancelScheduled } from '../../../functions/sending/cancel-scheduled.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { deleteExpired } from '../../support/expired-items.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { recordOf } from '../../support/workers.ts';

const pipeline = usePipeline();

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const NIGHT = { from: '22:00', to: '07:00' };

/** The next time after now when the clocks of UTC show `hour`. */
function nextAt(hour: number): number {
  const today = new Date(pipeline.clock.nowMs).setUTCHours(hour, 0, 0, 0);
  return today > pipeline.clock.nowMs ? today : today + 24 * HOUR_MS;
}

async function quietAccount(user: object, type: object = {}) {
  const account = await createTestAccount(pipeline);
  const { key } = account.secret;
  const body = { notificationId: 'alert', title: 'Alert', channels: ['INAPP_WEB', 'SMS'], ...type };
  expect((await call(createType, { key, body })).status).toBe(200);
  const saved = await call(saveUser, {
    key,
    path: { userId: 'ada' },
    body: { number: '+15005551234', ...user },
  });
  expect([saved.status, saved.json.error]).toEqual([200, undefined]);
  return {
    ...account,
    key,
    saved: saved.json,
    request: (more: object = {}, query: Record<string, string> = {}) =>
      call(send, {
        key,
        query,
        body: {
          type: 'alert',
          to: { id: 'ada' },
          inapp: { title: 'Hello' },
          sms: { message: 'Hello' },
          ...more,
        },
      }),
    async send(more: object = {}): Promise<string> {
      const { json } = await this.request(more);
      await pipeline.settle();
      return json.trackingId;
    },
    log: (trackingId: string) => recordOf(account, trackingId),
    sent: () => pipeline.sentBy(account).map(({ channel }) => channel),
  };
}

describe('quiet hours', () => {
  it('hold a channel until at most 15 minutes after their end, and never in-app items', async () => {
    const account = await quietAccount({ quietHours: NIGHT });
    expect(account.saved.quietHours).toEqual(NIGHT);
    await pipeline.goTo(nextAt(23));
    const endsAtMs = nextAt(7);
    const trackingId = await account.send();
    expect(account.sent()).toEqual(['INAPP_WEB']);
    const log = await account.log(trackingId);
    expect(log).toMatchObject({ inapp_routing: 'SEND', sms_routing: 'SCHEDULE' });
    const heldUntilMs = Date.parse(log.sms_held_until);
    expect(heldUntilMs).toBeGreaterThanOrEqual(endsAtMs);
    expect(heldUntilMs).toBeLessThan(endsAtMs + 15 * MINUTE_MS);
    await pipeline.goTo(endsAtMs - 1);
    expect(account.sent()).toEqual(['INAPP_WEB']);
    await pipeline.goTo(endsAtMs + 15 * MINUTE_MS);
    expect(account.sent()).toEqual(['INAPP_WEB', 'SMS']);
    expect(await account.log(trackingId)).toMatchObject({
      sms_routing: 'SEND',
      sms_sent_at: expect.any(String),
    });
  });

  it("apply in the user's timezone, on their days and to their channels only", async () => {
    const quietHours = { ...NIGHT, channels: ['EMAIL'] };
    await pipeline.goTo(nextAt(23));
    const other = await quietAccount({ quietHours });
    await other.send();
    expect(other.sent()).toEqual(['INAPP_WEB', 'SMS']);
    const tokyo = await quietAccount({ quietHours: NIGHT, timezone: 'Asia/Tokyo' });
    await tokyo.send();
    expect(tokyo.sent()).toEqual(['INAPP_WEB', 'SMS']);
    const day = String((new Date(pipeline.clock.nowMs).getUTCDay() + 1) % 7);
    const tomorrow = await quietAccount({ quietHours: { ...NIGHT, days: [day] } });
    await tomorrow.send();
    expect(tomorrow.sent()).toEqual(['INAPP_WEB', 'SMS']);
  });

  it('drop notifications in mode drop', async () => {
    const account = await quietAccount({ quietHours: { ...NIGHT, mode: 'drop' } });
    await pipeline.goTo(nextAt(23));
    const trackingId = await account.send();
    expect(await account.log(trackingId)).toMatchObject({
      sms_routing: 'IGNORE',
      sms_routing_reason: 'IGNORE_BY_PREFERENCES',
    });
  });

  it('apply from the account to users without their own', async () => {
    const account = await quietAccount({});
    const body = { quietHours: NIGHT };
    expect((await call(updateAccount, { key: account.key, body })).json.quietHours).toEqual(NIGHT);
    await pipeline.goTo(nextAt(23));
    await account.send();
    expect(account.sent()).toEqual(['INAPP_WEB']);
  });

  it('hold a step that starts during them, and nothing of a step that is skipped then', async () => {
    const steps = [
      { channels: ['INAPP_WEB'] },
      { channels: ['EMAIL'], after: 'PT30M', when: 'always' },
      { channels: ['SMS'], after: 'PT2H', when: 'undelivered' },
    ];
    const type = { channels: ['INAPP_WEB', 'EMAIL', 'SMS'], steps };
    const account = await quietAccount({ quietHours: NIGHT, email: 'ada@example.com' }, type);
    await pipeline.goTo(nextAt(23));
    const trackingId = await account.send({ email: { subject: 'Hello', html: '<p>Hello</p>' } });
    await pipeline.goTo(pipeline.clock.nowMs + 30 * MINUTE_MS);
    const log = await account.log(trackingId);
    expect(log).toMatchObject({
      email_routing: 'SCHEDULE',
      email_held_until: expect.any(String),
      sms_skipped_reason: 'DELIVERED',
    });
    expect(log).not.toHaveProperty('sms_held_until');
    await pipeline.goTo(nextAt(8));
    expect(account.sent()).toEqual(['INAPP_WEB', 'EMAIL']);
  });

  it('appear in a dry run', async () => {
    const account = await quietAccount({ quietHours: NIGHT });
    await pipeline.goTo(nextAt(23));
    const { json } = await account.request({}, { dryRun: 'true' });
    const sms = json.routing.find((each: { channel: string }) => each.channel === 'SMS');
    expect(sms).toMatchObject({ routing: 'SCHEDULE', heldUntil: expect.any(String) });
  });

  it('allow a held channel to be cancelled', async () => {
    const account = await quietAccount({ quietHours: NIGHT });
    await pipeline.goTo(nextAt(23));
    const trackingId = await account.send();
    expect((await call(cancelScheduled, { key: account.key, path: { trackingId } })).status).toBe(200);
    await pipeline.goTo(nextAt(8));
    expect(account.sent()).toEqual(['INAPP_WEB']);
    expect(await account.log(trackingId)).toMatchObject({ sms_skipped_reason: 'CANCELED' });
  });

  it('delay a digest until their end', async () => {
    const options = { SMS: { defaultDeliveryOption: 'hourly', hourly: { enabled: true } } };
    const account = await quietAccount({ quietHours: NIGHT }, { options });
    await pipeline.goTo(nextAt(21) + 30 * MINUTE_MS);
    const trackingId = await account.send();
    await pipeline.goTo(nextAt(22));
    await pipeline.goTo(nextAt(3));
    expect(account.sent()).toEqual(['INAPP_WEB']);
    const heldUntilMs = Date.parse((await account.log(trackingId)).sms_held_until);
    expect(heldUntilMs).toBeGreaterThanOrEqual(nextAt(7));
    expect(heldUntilMs).toBeLessThanOrEqual(nextAt(7) + 15 * MINUTE_MS);
    await pipeline.goTo(nextAt(7) + 15 * MINUTE_MS);
    expect(account.sent()).toEqual(['INAPP_WEB', 'SMS']);
  });
});

describe('a pause of notifications', () => {
  it('holds every channel except in-app until it ends, then until the end of quiet hours', async () => {
    await pipeline.goTo(nextAt(12));
    const pausedUntil = new Date(nextAt(23)).toISOString();
    const account = await quietAccount({ quietHours: NIGHT, pausedUntil });
    expect(account.saved.pausedUntil).toBe(pausedUntil);
    const trackingId = await account.send();
    await pipeline.goTo(nextAt(23) + 20 * MINUTE_MS);
    expect(account.sent()).toEqual(['INAPP_WEB']);
    expect(Date.parse((await account.log(trackingId)).sms_held_until)).toBeGreaterThanOrEqual(nextAt(7));
    await pipeline.goTo(nextAt(7) + 15 * MINUTE_MS);
    expect(account.sent()).toEqual(['INAPP_WEB', 'SMS']);
  });

  it.each(['type', 'request'])('does not hold an urgent %s', async (what) => {
    await pipeline.goTo(nextAt(12));
    const pausedUntil = new Date(nextAt(23)).toISOString();
    const account = await quietAccount({ pausedUntil }, what === 'type' ? { urgent: true } : {});
    await account.send(what === 'request' ? { urgent: true } : {});
    expect(account.sent()).toEqual(['INAPP_WEB', 'SMS']);
  });
});

it('holds for 24 hours when both times are the same', async () => {
  const account = await quietAccount({ quietHours: { from: '07:00', to: '7' } });
  const trackingId = await account.send();
  expect(account.sent()).toEqual(['INAPP_WEB']);
  expect((await account.log(trackingId)).sms_held_until).toBeDefined();
});

it.each([
  ['an invalid time', { quietHours: { from: '25:00', to: '07:00' } }],
  ['a window that begins at 24:00', { quietHours: { from: '24:00', to: '07:00' } }],
  ['in-app', { quietHours: { ...NIGHT, channels: ['INAPP_WEB'] } }],
  ['an unknown day', { quietHours: { ...NIGHT, days: ['Someday'] } }],
  ['an unknown mode', { quietHours: { ...NIGHT, mode: 'mute' } }],
  ['a pause without a time', { pausedUntil: 'tomorrow' }],
])('returns 400 for %s', async (_, body) => {
  const { secret } = await createTestAccount(pipeline);
  const { status, json } = await call(saveUser, { key: secret.key, path: { userId: 'ada' }, body });
  expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
});

describe('quiet hours that the law sets', () => {
  const US = '+12025550123';
  const GERMAN = '+4915112345678';
  /** Now it is noon in UTC: 7:00 in New York, 2:00 in Honolulu, 13:00 in Berlin, 21:00 in Tokyo. */
  const law = { from: '20:00', to: '08:00', floor: true, timezone: 'recipient' };
  const floor = { from: '11:00', to: '15:00', floor: true };
  const noon = { from: '11:00', to: '13:00' };
  const own = { from: '01:00', to: '02:00' };

  it.each<
    [string, number | undefined, { user?: object; account?: unknown; type?: object; request?: object }]
  >([
    ['hold until the stricter of the outer zones of the country', 18, { user: { number: US }, account: law }],
    [
      'hold until the end in the zone of the user',
      13,
      { user: { number: US, timezone: 'America/New_York' }, account: law },
    ],
    ['hold nothing in a country where it is day', undefined, { user: { number: GERMAN }, account: law }],
    [
      'follow the account without "recipient"',
      undefined,
      { user: { number: US }, account: { ...law, timezone: undefined } },
    ],
    ['cannot be widened by a user', 15, { user: { quietHours: own }, account: [floor, noon] }],
    [
      'come in addition to those of the user',
      16,
      { user: { quietHours: { from: '11:00', to: '16:00' } }, account: floor },
    ],
    ['are those of the type too', 15, { user: { quietHours: own }, type: { quietHours: floor } }],
    [
      'are those of account and type',
      17,
      { account: floor, type: { quietHours: [{ ...floor, from: '15:00', to: '17:00' }] } },
    ],
    [
      'that are no floor end with those of the user',
      undefined,
      { user: { quietHours: own }, account: [noon] },
    ],
    [
      'that are no floor are those of the type before those of the account',
      14,
      { account: noon, type: { quietHours: { from: '11:00', to: '14:00' } } },
    ],
    [
      'that are no floor are heeded by nothing urgent',
      undefined,
      { account: noon, request: { urgent: true } },
    ],
    ['apply to an urgent request', 15, { account: floor, request: { urgent: true } }],
    ['apply to an urgent type', 15, { account: floor, type: { urgent: true } }],
    [
      'do not apply to an urgent type that is exempt',
      undefined,
      { account: floor, type: { urgent: true, exemptFromFloor: true } },
    ],
    [
      'apply to urgent marketing, exempt or not',
      15,
      { account: floor, type: { urgent: true, exemptFromFloor: true, purpose: 'marketing' } },
    ],
    ['apply to an exempt type that is not urgent', 15, { account: floor, type: { exemptFromFloor: true } }],
    ['apply to their channels', undefined, { account: { ...floor, channels: ['CALL'] } }],
  ])('%s', async (_name, hour, { user = {}, account: quietHours, type = {}, request = {} }) => {
    const account = await quietAccount(user, type);
    if (quietHours) {
      const saved = await call(updateAccount, { key: account.key, body: { quietHours } });
      expect(saved.json.quietHours).toEqual(JSON.parse(JSON.stringify(quietHours)));
    }
    // Marketing by SMS needs a consent.
    const consent = { purpose: 'marketing', channel: 'SMS', state: 'given', source: 'form' };
    await call(saveConsent, { key: account.key, path: { userId: 'ada' }, body: consent });
    await pipeline.goTo(nextAt(12));
    const { json } = await account.request(request);
    const [held] = (json.waiting ?? []) as { until: string }[];
    const since = held && new Date(held.until).getUTCHours();
    expect(since).toBe(hour);
    await pipeline.settle();
    expect(account.sent()).toEqual(hour === undefined ? ['INAPP_WEB', 'SMS'] : ['INAPP_WEB']);
  });

  it.each([
    [[]],
    [{ ...law, timezone: 'Europe/Berlin' }],
    [[{ from: '8' }]],
    [{ ...law, roof: true }],
    [Array(11).fill(law)],
  ])('are refused if they are invalid: %j', async (quietHours) => {
    const account = await quietAccount({});
    const saved = await call(updateAccount, { key: account.key, body: { quietHours } });
    expect([saved.status, saved.json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(saved.json.error.message).toContain('quietHours');
  });
});

const DAY_MS = 86_400_000;

it('sends what was accepted before a pause that is longer than the retention of its log', async () => {
  const account = await createTestAccount(pipeline);
  const { key } = account.secret;
  const type = { notificationId: 'alert', title: 'Alert', channels: ['SMS'], retention: 1 };
  expect((await call(createType, { key, body: type })).status).toBe(200);
  const saveAda = (body: object) => call(saveUser, { key, path: { userId: 'ada' }, body });
  const heldUntilMs = pipeline.clock.nowMs + 30 * MINUTE_MS;
  await saveAda({ number: '+15005551234', pausedUntil: new Date(heldUntilMs).toISOString() });
  const body = { type: 'alert', to: { id: 'ada' }, sms: { message: 'Hello' } };
  const { trackingId } = (await call(send, { key, body })).json;
  await pipeline.settle();

  const pausedUntilMs = pipeline.clock.nowMs + 30 * DAY_MS;
  await saveAda({ pausedUntil: new Date(pausedUntilMs).toISOString() });
  await pipeline.goTo(heldUntilMs + 15 * MINUTE_MS);
  await pipeline.goTo(pausedUntilMs - 1);
  await deleteExpired(pipeline);
  expect(pipeline.sentBy(account)).toEqual([]);
  await pipeline.goTo(pausedUntilMs + 15 * MINUTE_MS);
  expect(pipeline.sentBy(account).map(({ channel }) => channel)).toEqual(['SMS']);
  expect(await recordOf(account, trackingId)).toMatchObject({
    sms_routing: 'SEND',
    sms_sent_at: expect.any(String),
  });
});
