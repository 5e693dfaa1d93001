import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { routeNotification } from '../../../shared/domain/routing/routing.ts';
import { laterStepsOf, plannedDueAtMs } from '../../../shared/domain/routing/steps.ts';
import { quietAt, quietUntilMs } from '../../../shared/domain/timing/quiet-hours.ts';
import { lookUpLocale } from '../../../shared/domain/users/locales.ts';
import { CHANNELS, type Channel } from '../../../shared/schemas/channel.ts';
import type { QuietHours } from '../../../shared/schemas/users/quiet-hours.ts';

const MINUTE_MS = 60_000;
const JITTER_MS = 15 * MINUTE_MS;
const ZONES = Intl.supportedValuesOf('timeZone');
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const LOCALES = ['de', 'de-AT', 'en', 'en-GB', 'fr', 'pt-BR', 'zh-Hant'];

const timeOfDay = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((each) => String(each).padStart(2, '0')).join(':'));
const held = CHANNELS.filter((channel) => channel !== 'INAPP_WEB');
const quietHours: fc.Arbitrary<QuietHours> = fc
  .record(
    {
      from: timeOfDay,
      to: timeOfDay,
      days: fc.subarray(DAYS, { minLength: 1 }),
      channels: fc.subarray(held, { minLength: 1 }),
      mode: fc.constantFrom('hold' as const, 'drop' as const),
    },
    { requiredKeys: ['from', 'to'] },
  )
  .filter(({ from, to }) => from !== to);
/** Channels dealt out to up to five steps. */
const steps = fc
  .tuple(fc.shuffledSubarray([...CHANNELS]), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 600 }))
  .map(([channels, count, minutes]) =>
    Array.from({ length: count }, (_, index) => ({
      channels: channels.filter((__, position) => position % count === index),
      ...(index > 0 ? { after: `PT${minutes}M` } : {}),
    })).filter(({ channels: own }, index) => index === 0 || own.length > 0),
  );
const input = fc.record({
  steps,
  quietHours: fc.option(quietHours, { nil: undefined }),
  pausedForMs: fc.option(fc.integer({ min: 1, max: 3 * 86_400_000 }), { nil: undefined }),
  zone: fc.constantFrom(...ZONES),
  nowMs: fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }),
  locale: fc.option(fc.constantFrom(...LOCALES, 'ja'), { nil: undefined }),
  fallback: fc.option(fc.constantFrom(...LOCALES), { nil: undefined }),
  variants: fc.uniqueArray(fc.constantFrom(undefined, ...LOCALES), { minLength: 1 }),
});
type Input = typeof input extends fc.Arbitrary<infer T> ? T : never;

const USER = {
  userId: 'ada',
  email: 'ada@example.com',
  number: '+14155550123',
  pushTokens: [{ type: 'FCM' as const, token: 't', savedAtMs: 0 }],
  webPushTokens: [{ sub: { endpoint: 'https://push.example.com/1', keys: { p256dh: 'p', auth: 'a' } } }],
  chatChannel: '#c',
  chatToken: { access_token: 't' },
  createdAtMs: 0,
  updatedAtMs: 0,
};

function evaluate({ steps: given, quietHours: hours, pausedForMs, zone, nowMs, ...rest }: Input) {
  const quietInput = {
    quietHours: hours,
    windows: hours ? [{ hours, zones: [zone] }] : [],
    pausedUntilMs: pausedForMs === undefined ? undefined : nowMs + pausedForMs,
    zone,
    userId: 'ada',
    nowMs,
  };
  const later = laterStepsOf(given);
  const { routing } = routeNotification({
    type: {
      channels: CHANNELS,
      enabled: true,
      templates: CHANNELS.flatMap((channel) =>
        rest.variants.map((locale, version) => ({
          channel,
          templateId: 'a',
          locale,
          version,
          defaultFor: ['instant'],
        })),
      ),
    },
    content: {},
    user: USER,
    locales: [rest.locale, rest.fallback],
    preferenceOf: () => undefined,
    disableSending: [],
    scheduled: false,
    later: later.length > 0 ? { steps: later, startAtMs: nowMs } : undefined,
    quietOf: (channel) => quietAt(quietInput, channel),
  });
  return { routing, later, quietInput };
}

describe('the evaluation of channels with random steps, windows, zones and languages', () => {
  it('delays each channel for its step or quiet hours, or sends it now, and never two of these', () => {
    fc.assert(
      fc.property(input, (given) => {
        const { routing, later, quietInput } = evaluate(given);
        for (const channel of CHANNELS) {
          const decided = routing[channel];
          const dueAtMs = plannedDueAtMs(later, channel, given.nowMs);
          expect(decided.dueAtMs).toBe(dueAtMs);
          if (dueAtMs !== undefined) {
            expect([decided.routing, decided.heldUntilMs]).toEqual(['SCHEDULE', undefined]);
            continue;
          }
          const quiet = quietAt(quietInput, channel);
          const wanted = { held: 'SCHEDULE', dropped: 'IGNORE', none: 'SEND' }[quiet?.kind ?? 'none'];
          expect(decided.routing).toBe(wanted);
          expect(decided.heldUntilMs).toBe(quiet?.kind === 'held' ? quiet.untilMs : undefined);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('holds a channel until no window or pause remains, at most 15 minutes longer, and never in-app', () => {
    fc.assert(
      fc.property(input, (given) => {
        const { routing, quietInput } = evaluate(given);
        expect(routing.INAPP_WEB.heldUntilMs).toBeUndefined();
        const { quietHours: hours, zone, pausedUntilMs = 0 } = quietInput;
        const isQuietAt = (channel: Channel, ms: number) =>
          ms < pausedUntilMs ||
          (hours !== undefined &&
            (hours.channels?.some((each) => each === channel) ?? true) &&
            quietUntilMs(hours, zone, ms) !== undefined);
        for (const channel of held) {
          const { heldUntilMs } = routing[channel];
          if (heldUntilMs === undefined) continue;
          expect(isQuietAt(channel, given.nowMs)).toBe(true);
          expect(isQuietAt(channel, heldUntilMs)).toBe(false);
          const waitedMs = Math.max(0, heldUntilMs - JITTER_MS - given.nowMs);
          for (const part of [0.2, 0.4, 0.6, 0.8, 1])
            expect(isQuietAt(channel, given.nowMs + Math.floor(part * waitedMs))).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('chooses the same variant on every channel: by lookup, else without a language, else English, else the oldest', () => {
    fc.assert(
      fc.property(input, (given) => {
        const { routing } = evaluate(given);
        const { variants, locale, fallback } = given;
        const tags = variants.filter((each) => each !== undefined);
        const found = lookUpLocale([locale, fallback], tags);
        const other = lookUpLocale(['en'], tags) ?? variants[0];
        const wanted = found ?? (variants.includes(undefined) ? undefined : other);
        for (const channel of CHANNELS) {
          const decided = routing[channel];
          if (decided.routing === 'IGNORE') continue;
          expect([decided.template, decided.locale]).toEqual([`a@${variants.indexOf(wanted)}`, wanted]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
