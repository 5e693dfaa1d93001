import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Profile, ProfileChange } from '../../../../shared/domain/users/profile.ts';
import { mergeProfile, TOKENS_MAX } from '../../../../shared/domain/users/user-merge.ts';
import type { PushToken, WebPushToken } from '../../../../shared/schemas/users/user.ts';

const pushToken: fc.Arbitrary<PushToken> = fc
  .record({
    type: fc.constantFrom('FCM' as const, 'APN' as const),
    token: fc.constantFrom('t1', 't2', 't3', 't4', 't5', 't6'),
    deviceId: fc.option(fc.constantFrom('d1', 'd2', 'd3'), { nil: undefined }),
  })
  .map(({ type, token, deviceId }) => ({
    type,
    token,
    ...(deviceId ? { device: { device_id: deviceId } } : {}),
  }));
const webPushToken: fc.Arbitrary<WebPushToken> = fc
  .record({ endpoint: fc.constantFrom('e1', 'e2', 'e3'), auth: fc.constantFrom('a', 'b') })
  .map(({ endpoint, auth }) => ({
    sub: { endpoint: `https://push.example.com/${endpoint}`, keys: { p256dh: 'p', auth } },
  }));
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const change: fc.Arbitrary<ProfileChange> = fc.record(
  {
    email: orNull(fc.constantFrom('a@example.com', 'b@example.com')),
    number: orNull(fc.constantFrom('+14155550100', '+14155550101')),
    timezone: orNull(fc.constantFrom('Europe/Berlin', 'UTC')),
    locale: orNull(fc.constantFrom('de', 'en-GB')),
    quietHours: orNull(fc.constant({ from: '22:00', to: '07:00' })),
    pausedUntilMs: orNull(fc.constantFrom(1, 2)),
    chatChannel: orNull(fc.constantFrom('#general', '@ada')),
    chatToken: orNull(fc.constantFrom({ access_token: 'x' }, { access_token: 'y' })),
    pushTokens: orNull(fc.array(pushToken, { maxLength: 5 })),
    webPushTokens: orNull(fc.array(webPushToken, { maxLength: 5 })),
  },
  { requiredKeys: [] },
);

const FIELDS = [
  ...(['email', 'number', 'timezone', 'locale'] as const),
  ...(['chatChannel', 'quietHours', 'pausedUntilMs'] as const),
];
const SUPPRESSED = { reason: 'Bounce' as const, details: {} };

function mergeAll(changes: readonly ProfileChange[]): Profile | undefined {
  let profile: Profile | undefined;
  changes.forEach((each, index) => {
    profile = mergeProfile(profile, 'ada', each, 1000 + index);
  });
  return profile;
}

describe('merging contact data into a profile', () => {
  it('keeps missing fields, clears null fields and sets the others, in any sequence', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), change, (before, last) => {
        const current = mergeAll(before);
        const merged = mergeProfile(current, 'ada', last, 5000);
        for (const field of FIELDS) {
          const wanted = last[field] === undefined ? current?.[field] : (last[field] ?? undefined);
          expect(merged[field]).toEqual(wanted);
        }
        expect(Object.values(merged)).not.toContain(null);
        expect(merged).toMatchObject({ userId: 'ada', createdAtMs: current?.createdAtMs ?? 5000 });
      }),
    );
  });

  it('keeps each push token once, and one per type and device, including the given ones', () => {
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 6 }),
        fc.array(pushToken, { minLength: 1 }),
        (before, added) => {
          const current = mergeAll(before);
          const merged = mergeProfile(current, 'ada', { pushTokens: added }, 5000).pushTokens ?? [];
          const tokens = merged.map((each) => each.token);
          expect(new Set(tokens).size).toBe(tokens.length);
          const devices = merged.flatMap((each) =>
            each.device?.device_id ? [`${each.type} ${each.device.device_id}`] : [],
          );
          expect(new Set(devices).size).toBe(devices.length);
          expect(tokens).toContain(added.at(-1)?.token);
          const isReplaced = ({ type, token, device }: PushToken) =>
            added.some(
              (each) =>
                each.token === token ||
                (each.type === type && each.device && each.device.device_id === device?.device_id),
            );
          expect(merged).toEqual(
            expect.arrayContaining((current?.pushTokens ?? []).filter((each) => !isReplaced(each))),
          );
        },
      ),
    );
  });

  it('keeps each web push subscription once, with its newest keys', () => {
    fc.assert(
      fc.property(fc.array(change), fc.array(webPushToken, { minLength: 1 }), (before, added) => {
        const merged =
          mergeProfile(mergeAll(before), 'ada', { webPushTokens: added }, 5000).webPushTokens ?? [];
        const endpoints = merged.map((each) => each.sub.endpoint);
        expect(new Set(endpoints).size).toBe(endpoints.length);
        expect(merged).toContainEqual(expect.objectContaining(added.at(-1)));
      }),
    );
  });

  it('returns the same profile object for the same change, so that nothing is written', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), change, (before, again) => {
        const devices = (again.pushTokens ?? []).map((each) => each.device?.device_id);
        fc.pre(devices.every((each) => each === undefined));
        const once = mergeProfile(mergeAll(before), 'ada', again, 5000);
        expect(mergeProfile(once, 'ada', again, 6000)).toBe(once);
      }),
    );
  });

  it.each([
    ['an empty list', []],
    ['null', null],
  ])('clears tokens by %s', (_, cleared) => {
    const current = mergeAll([
      { pushTokens: [{ type: 'FCM', token: 't1' }] },
      { webPushTokens: [{ sub: { endpoint: 'https://p.example.com', keys: { p256dh: 'p', auth: 'a' } } }] },
    ]);
    const merged = mergeProfile(current, 'ada', { pushTokens: cleared, webPushTokens: cleared }, 5000);
    expect([merged.pushTokens ?? [], merged.webPushTokens ?? []]).toEqual([[], []]);
  });

  it('keeps the suppression of an address only while the user has it', () => {
    const current = {
      ...mergeProfile(undefined, 'ada', { email: 'a@example.com' }, 1),
      emailSuppressionStatus: SUPPRESSED,
    };
    expect(mergeProfile(current, 'ada', { email: 'a@example.com' }, 2).emailSuppressionStatus).toEqual(
      SUPPRESSED,
    );
    expect(mergeProfile(current, 'ada', { number: '+14155550100' }, 2).emailSuppressionStatus).toEqual(
      SUPPRESSED,
    );
    expect(
      mergeProfile(current, 'ada', { email: 'b@example.com' }, 2).emailSuppressionStatus,
    ).toBeUndefined();
    expect(mergeProfile(current, 'ada', { email: null }, 2).emailSuppressionStatus).toBeUndefined();
  });

  it('keeps at most 100 tokens of a kind and drops the oldest', () => {
    const tokens = Array.from({ length: TOKENS_MAX + 20 }, (_, index) => ({
      type: 'FCM' as const,
      token: `t${index}`,
    }));
    const subs = tokens.map(({ token }) => ({ sub: { endpoint: token, keys: { p256dh: 'p', auth: 'a' } } }));
    const merged = mergeProfile(undefined, 'ada', { pushTokens: tokens, webPushTokens: subs }, 1);
    const { pushTokens = [], webPushTokens = [] } = merged;
    expect([pushTokens.length, pushTokens[0]?.token]).toEqual([TOKENS_MAX, 't20']);
    expect([webPushTokens.length, webPushTokens[0]?.sub.endpoint]).toEqual([TOKENS_MAX, 't20']);
  });

  it.each([
    ['keeps the time a push token was stored when a request repeats it', false, 1000],
    ['dates a push token again when its user comes with it again', true, 2000],
  ])('%s', (_, seen, savedAtMs) => {
    const first = mergeProfile(undefined, 'ada', { pushTokens: [{ type: 'APN', token: 't1' }] }, 1000);
    const pushTokens = [{ type: 'APN' as const, token: 't1', environment: 'sandbox' }];
    const again = mergeProfile(first, 'ada', { pushTokens }, 2000, seen);
    expect(again.pushTokens).toEqual([{ ...pushTokens[0], savedAtMs }]);
  });

  it.each([
    ['keeps the time a subscription was stored when a request repeats it', {}, false, 1000],
    ['dates a subscription again when its user comes with it again', {}, true, 2000],
    ['dates a subscription again when its keys change', { auth: 'other' }, false, 2000],
  ])('%s', (_, change, seen, savedAtMs) => {
    const sub = { endpoint: 'https://push.example.com/1', keys: { p256dh: 'p', auth: 'a' } };
    const first = mergeProfile(undefined, 'ada', { webPushTokens: [{ sub }] }, 1000);
    const later = { ...sub, keys: { ...sub.keys, ...change } };
    const again = mergeProfile(first, 'ada', { webPushTokens: [{ sub: later }] }, 2000, seen);
    expect(again.webPushTokens).toEqual([{ sub: later, savedAtMs }]);
  });
});

describe('a chat token', () => {
  const stored = () => mergeProfile(undefined, 'ada', { chatToken: { access_token: 'x' } }, 1000);

  it('is stored with the time at which it was obtained', () => {
    expect(stored().chatToken).toEqual({ access_token: 'x', obtainedAtMs: 1000 });
  });

  it('replaces another one, and keeps its time when it is repeated', () => {
    const next = mergeProfile(stored(), 'ada', { chatToken: { access_token: 'y' } }, 2000);
    expect(next.chatToken).toEqual({ access_token: 'y', obtainedAtMs: 2000 });
    expect(mergeProfile(next, 'ada', { chatToken: { access_token: 'y' } }, 3000)).toBe(next);
  });
});
