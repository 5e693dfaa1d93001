import { describe, expect, it } from 'vitest';
import { handler as savePreferences } from '../../../../functions/preferences/save-preferences.ts';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as createType } from '../../../../functions/types/create-type.ts';
import { handler as updateType } from '../../../../functions/types/update-type.ts';
import { handler as listWaiting } from '../../../../functions/users/list-waiting.ts';
import { handler as saveUser } from '../../../../functions/users/save-user.ts';
import { call, createTestAccount } from '../../../support/app.ts';
import { partOf } from '../../../support/cases.ts';
import { usePipeline } from '../../../support/pipeline.ts';
import { recordOf } from '../../../support/workers.ts';

const pipeline = usePipeline();
const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString();
const enabled = { enabled: true };
const KEYS = {
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  auth: 'tBHItJI5svbpez7KI4CQXg',
};
const push = (token: string) => ({ pushTokens: [{ type: 'FCM', token }] });
const webPush = (name: string) => ({
  webPushTokens: [{ sub: { endpoint: `https://push.example.com/${name}`, keys: KEYS } }],
});
const chat = (chatChannel: string) => ({ chatChannel, chatToken: { access_token: 'xoxb-1' } });

/** Of each channel: content, an address, one that asks to wait before the second attempt, and another with its name. */
const CHANNELS = {
  SMS: {
    sms: { message: 'Hello' },
    first: { number: '+15005551234' },
    flaky: { number: '+15005550429' },
    other: { number: '+15005554321' },
    otherTo: '+15005554321',
  },
  CALL: {
    call: { message: 'Hello' },
    first: { number: '+15005551234' },
    flaky: { number: '+15005550429' },
    other: { number: '+15005554321' },
    otherTo: '+15005554321',
  },
  PUSH: {
    mobile_push: { title: 'Hello', message: 'Hello' },
    first: push('phone-1'),
    flaky: push('sandbox-rate-limited:1'),
    other: push('phone-2'),
    otherTo: 'phone-2',
  },
  WEB_PUSH: {
    web_push: { title: 'Hello', message: 'Hello' },
    first: webPush('a'),
    flaky: webPush('sandbox-rate-limited'),
    other: webPush('b'),
    otherTo: 'https://push.example.com/b',
  },
  CHAT: {
    chat: { text: 'Hello' },
    first: chat('#one'),
    flaky: chat('#sandbox-rate-limited'),
    other: chat('#two'),
    otherTo: '#two',
  },
} as const;
type Name = keyof typeof CHANNELS;
const NAMES = Object.keys(CHANNELS) as Name[];
const PREFIX = { SMS: 'sms', CALL: 'call', PUSH: 'mobile_push', WEB_PUSH: 'web_push', CHAT: 'chat' } as const;
const CLEARED = { pushTokens: [], webPushTokens: [] };

async function openAccount(channel: Name = 'SMS', address: 'first' | 'flaky' = 'first') {
  const account = await createTestAccount(pipeline);
  const { key } = account.secret;
  const { first: _, flaky: __, other, otherTo: ___, ...content } = CHANNELS[channel];
  const options = { [channel]: { defaultDeliveryOption: 'instant', off: enabled, instant: enabled } };
  const type = { notificationId: 'alert', title: 'Alert', channels: [channel], options };
  expect((await call(createType, { key, body: type })).status).toBe(200);
  const save = async (body: object) => {
    const { status, json } = await call(saveUser, { key, path: { userId: 'ada' }, body });
    expect([status, json.error]).toEqual([200, undefined]);
  };
  // A push token belongs to one user of an environment, and each account has its own.
  await save(CHANNELS[channel][address]);
  return {
    key,
    save,
    async accept(body: object = {}): Promise<string> {
      const { status, json } = await call(send, {
        key,
        body: { type: 'alert', to: { id: 'ada' }, ...content, ...body },
      });
      expect([status, json.error]).toEqual([200, undefined]);
      return json.trackingId;
    },
    log: (trackingId: string) => recordOf(account, trackingId),
    held: async () => (await call(listWaiting, { key, path: { userId: 'ada' } })).json.held,
    move: async () => {
      await save(CLEARED);
      await save(other);
    },
    sent: () => pipeline.sentBy(account).map(({ to }: { to: unknown }) => String(to)),
    patchType: (body: object) => call(updateType, { key, path: { notificationId: 'alert' }, body }),
    prefer: (delivery: string) =>
      call(savePreferences, {
        key,
        path: { userId: 'ada' },
        body: [{ notificationId: 'alert', channel, delivery }],
      }),
  };
}
type Account = Awaited<ReturnType<typeof openAccount>>;

/** Accepts a message whose delivery begins only after `change`, as if it had waited on its queue. */
async function waited(change: (account: Account) => Promise<unknown>, channel: Name = 'SMS') {
  const account = await openAccount(channel);
  await pipeline.pause();
  const trackingId = await account.accept();
  pipeline.clock.nowMs += 20 * SECOND_MS;
  await change(account);
  pipeline.resume();
  await pipeline.settle();
  return { account, trackingId };
}

const at = (ms: number) => iso(ms).slice(11, 16);
const pauseOf = (hours: number) => (each: Account) =>
  each.save({ pausedUntil: iso(pipeline.clock.nowMs + hours * HOUR_MS) });
const hoursFromNow = (from: number, to: number) => ({
  from: at(pipeline.clock.nowMs + from * HOUR_MS),
  to: at(pipeline.clock.nowMs + to * HOUR_MS),
});
const quiet = (each: Account) => each.save({ quietHours: hoursFromNow(-1, 1) });
/** Everything that ends a message, and what its log says. */
const ENDS = [
  ['the preference is off', (each: Account) => each.prefer('off'), 'IGNORE_BY_PREFERENCES'],
  ['the type is disabled', (each: Account) => each.patchType({ enabled: false }), 'TYPE_DISABLED'],
  ['the channel is removed', (each: Account) => each.patchType({ channels: ['EMAIL'] }), 'NOT_ENABLED'],
] as const;
const HOLDS = [
  ['a pause', pauseOf(1.5), 'PAUSED'],
  ['quiet hours', quiet, 'QUIET_HOURS'],
] as const;
/** What holds a message, and the change of settings that ends it early. */
const EARLY_ENDS = [
  ['a pause is ended', pauseOf(100), (each: Account) => each.save({ pausedUntil: null })],
  [
    'a pause of ten years is ended',
    pauseOf(10 * 365 * 24 - 24),
    (each: Account) => each.save({ pausedUntil: null }),
  ],
  ['a pause is shortened', pauseOf(100), pauseOf(0.05)],
  ['quiet hours are removed', quiet, (each: Account) => each.save({ quietHours: null })],
  ['quiet hours are moved', quiet, (each: Account) => each.save({ quietHours: hoursFromNow(4, 5) })],
  ['the timezone is changed', quiet, (each: Account) => each.save({ timezone: 'Pacific/Kiritimati' })],
] as const;
/** A message that is held before an attempt is decided again this often. */
const RELEASED_WITHIN_HOURS = 0.25;
const each = <T extends readonly unknown[]>(rows: readonly T[]) =>
  partOf(NAMES.flatMap((name) => rows.map((row) => [name, ...row] as const)));

async function forHours(hours: number) {
  for (let quarter = 0; quarter < 4 * hours; quarter += 1)
    await pipeline.goTo(pipeline.clock.nowMs + 0.25 * HOUR_MS);
}

describe('before an attempt of a message that waited', () => {
  it.each(each(HOLDS))('%s is held by %s until its end, and listed', async (name, _, change, reason) => {
    const { account, trackingId } = await waited(change, name);
    expect(account.sent()).toEqual([]);
    const untilIso = (await account.log(trackingId))[`${PREFIX[name]}_held_until`];
    expect(Date.parse(untilIso)).toBeGreaterThan(pipeline.clock.nowMs + 0.9 * HOUR_MS);
    expect(await account.held()).toEqual([
      { trackingId, type: 'alert', channel: name, reason, heldUntil: untilIso },
    ]);
    await forHours(3);
    expect(account.sent()).toHaveLength(1);
    expect(await account.log(trackingId)).toHaveProperty(`${PREFIX[name]}_sent_at`);
    expect(await account.held()).toEqual([]);
  });

  it('quiet hours that began hold it, also without a wait', async () => {
    const account = await openAccount();
    await pipeline.pause();
    await account.accept();
    await quiet(account);
    pipeline.resume();
    await pipeline.settle();
    expect(account.sent()).toEqual([]);
    await forHours(1.5);
    expect(account.sent()).toHaveLength(1);
  });

  it.each(each(ENDS))('%s ends with its reason if %s', async (name, _, change, reason) => {
    const { account, trackingId } = await waited(change, name);
    expect(account.sent()).toEqual([]);
    const log = await account.log(trackingId);
    expect(log[`${PREFIX[name]}_routing`]).toBe('IGNORE');
    expect(log[`${PREFIX[name]}_routing_reason`]).toBe(reason);
    expect(log[`${PREFIX[name]}_failed_internal`]).toContain(`${name} is not sent`);
  });

  it.each(partOf(NAMES))('%s goes to the address that the user has now', async (name) => {
    const { account } = await waited((each) => each.move(), name);
    expect(account.sent()).toEqual([CHANNELS[name].otherTo]);
  });

  it.each([
    ['request', { urgent: true }, {}],
    ['type', {}, { urgent: true }],
  ])('nothing holds one of an urgent %s', async (_, body, type) => {
    const account = await openAccount();
    await account.patchType(type);
    await account.accept(body);
    pipeline.clock.nowMs += 20 * SECOND_MS;
    await pauseOf(5)(account);
    await pipeline.settle();
    expect(account.sent()).toEqual(['+15005551234']);
  });
});

/** Accepts a message whose provider asks to wait before the second attempt, and lets that time pass after `change`. */
async function attempted(name: Name, change: (account: Account) => Promise<unknown>) {
  const account = await openAccount(name, 'flaky');
  const trackingId = await account.accept();
  await pipeline.settle();
  const before = account.sent().length;
  await change(account);
  await pipeline.goTo(pipeline.clock.nowMs + 90 * SECOND_MS);
  return { account, trackingId, more: () => account.sent().slice(before) };
}

describe('before a second attempt', () => {
  it.each(each(HOLDS))('%s is held by %s, and listed', async (name, _, change) => {
    const { account, trackingId, more } = await attempted(name, change);
    expect(more()).toEqual([]);
    expect(await account.held()).toMatchObject([{ trackingId, channel: name }]);
    await forHours(3);
    expect(more()).toHaveLength(1);
  });

  it.each(each(ENDS))('%s ends if %s', async (name, _, change) => {
    const { account, trackingId, more } = await attempted(name, change);
    expect(more()).toEqual([]);
    expect((await account.log(trackingId))[`${PREFIX[name]}_routing`]).toBe('IGNORE');
  });

  it.each(partOf(NAMES))('%s goes to the address that the user has now', async (name) => {
    const { more } = await attempted(name, (each) => each.move());
    expect(more()).toEqual([CHANNELS[name].otherTo]);
  });
});

describe('a message that is held before its attempt', () => {
  it.each(partOf(EARLY_ENDS))('is sent within 15 minutes when %s', async (_, hold, end) => {
    const { account } = await waited(hold);
    await pipeline.goTo(pipeline.clock.nowMs + RELEASED_WITHIN_HOURS * HOUR_MS);
    expect(account.sent()).toEqual([]);
    await end(account);
    await pipeline.goTo(pipeline.clock.nowMs + RELEASED_WITHIN_HOURS * HOUR_MS);
    expect(account.sent()).toHaveLength(1);
    expect(await account.held()).toEqual([]);
  });

  it.each(partOf(EARLY_ENDS))('is sent within 15 minutes of a retry when %s', async (_, hold, end) => {
    const { account, more } = await attempted('SMS', hold);
    await end(account);
    await pipeline.goTo(pipeline.clock.nowMs + RELEASED_WITHIN_HOURS * HOUR_MS);
    expect(more()).toHaveLength(1);
    expect(await account.held()).toEqual([]);
  });
});

describe('what a provider keeps', () => {
  const validUntil = (id: string) =>
    pipeline.outbox.find(({ trackingId }) => trackingId === id)?.message as { validUntilMs?: number };

  it.each(partOf(NAMES))('%s is valid until quiet hours begin', async (name) => {
    const account = await openAccount(name);
    const startsAtMs = Math.floor((pipeline.clock.nowMs + 2 * HOUR_MS) / 60_000) * 60_000;
    await account.save({ quietHours: { from: at(startsAtMs), to: at(startsAtMs + HOUR_MS) } });
    const trackingId = await account.accept();
    await pipeline.settle();
    expect(validUntil(trackingId)).toMatchObject({ validUntilMs: startsAtMs });
    await account.patchType({ urgent: true });
    const urgent = await account.accept();
    await pipeline.settle();
    expect(validUntil(urgent)).not.toHaveProperty('validUntilMs');
  });
});
