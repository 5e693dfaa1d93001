import { handler as updateAccount } from '../../../functions/account/update-account.ts';
import { handler as markInapp } from '../../../functions/inapp/mark-inapp.ts';
import { handler as cancel } from '../../../functions/sending/cancel-scheduled.ts';
import { handler as reschedule } from '../../../functions/sending/reschedule.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import type { Scenario } from '../run.ts';
import { MINUTE_MS, type Story, toChannels } from '../story.ts';
import { redriveLost } from './lost-records.ts';

const inMinutes = ({ world }: Story, minutes: number) =>
  new Date(world.nowMs + minutes * MINUTE_MS).toISOString();

const STEP_CHANNELS = ['INAPP_WEB', 'EMAIL', 'SMS'] as const;
const inSteps = (when: 'unseen' | 'undelivered' | 'always', everyMinutes = 10) =>
  toChannels(STEP_CHANNELS, {
    options: {
      steps: [
        { channels: ['INAPP_WEB'] },
        { channels: ['EMAIL'], after: `PT${everyMinutes}M`, when: 'always' },
        { channels: ['SMS'], after: `PT${2 * everyMinutes}M`, when },
      ],
    },
  });

/** A client that repeats a cancellation, because its response was lost, gets the same response. */
const stop = (story: Story, trackingId: string) => story.request(cancel, { path: { trackingId } });

/** Scenarios with later messages: schedules, steps, quiet hours. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'scheduled',
    act: (story) => story.send(toChannels(['EMAIL'], { schedule: inMinutes(story, 30) }), { EMAIL: 'sent' }),
  },
  {
    name: 'a schedule whose start the stream lost',
    isTimed: true,
    isPrompt: true,
    hours: 4,
    async act(story) {
      await story.send(toChannels(['EMAIL'], { schedule: inMinutes(story, 120) }), { EMAIL: 'sent' });
      await redriveLost(story, 120);
    },
  },
  {
    name: 'a day of retention, and a stream that is broken for longer',
    isTimed: true,
    isPrompt: true,
    isLimited: true,
    hours: 27,
    before: (story) => story.request(updateAccount, { body: { retentionInDays: 1 } }),
    async act(story) {
      story.world.streamDownUntilMs = story.world.nowMs + 25 * 60 * MINUTE_MS;
      // Its log is hidden by then.
      await story.request(send, { body: toChannels(['SMS']), headers: { 'idempotency-key': 'late' } });
      await story.pass(24 * 60 + 30);
      story.world.table.expire(story.world.nowMs);
    },
    // A response that a fault lost may let the provider get it twice.
    check: ({ world: { accepted } }) =>
      new Set(accepted.map(({ trackingId }) => trackingId)).size === 1 ? [] : ['not one text is sent'],
  },
  {
    name: 'scheduled, then moved to a later time',
    isTimed: true,
    hours: 3,
    async act(story) {
      const body = toChannels(['EMAIL'], { schedule: inMinutes(story, 60) });
      const trackingId = await story.send(body, { EMAIL: 'sent' });
      await story.pass(2);
      await story.request(reschedule, { path: { trackingId }, body: { schedule: inMinutes(story, 120) } });
    },
  },
  {
    name: 'scheduled, then cancelled',
    isTimed: true,
    hours: 3,
    async act(story) {
      const body = toChannels(['EMAIL'], { schedule: inMinutes(story, 120) });
      await stop(story, await story.send(body, { EMAIL: 'cancelled' }));
    },
  },
  {
    name: 'cancelled, then requested again under its key',
    isTimed: true,
    async act(story) {
      const body = toChannels(['EMAIL'], { schedule: inMinutes(story, 45) });
      const asked = { body, headers: { 'idempotency-key': 'again' } };
      const { json } = await story.request(send, asked);
      story.tracked.push({ trackingId: json.trackingId, ends: { EMAIL: 'cancelled' } });
      await stop(story, json.trackingId);
      await story.pass(10);
      await story.request(send, asked);
    },
  },
  {
    name: 'cancelled at the moment it is due',
    isTimed: true,
    async act(story) {
      const body = toChannels(['EMAIL'], { schedule: inMinutes(story, 30) });
      const trackingId = await story.send(body, { EMAIL: ['cancelled', 'sent'] });
      await story.pass(29.9);
      const { status } = await story.request(cancel, { path: { trackingId } }, 'any');
      // A response that nothing is sent must be right, and so must the opposite, except where the first response was lost.
      const otherwise = story.world.faulted ? (['sent', 'cancelled'] as const) : 'sent';
      story.tracked = [{ trackingId, ends: { EMAIL: status === 200 ? 'cancelled' : otherwise } }];
    },
  },
  {
    name: 'steps that are always taken',
    act: (story) => story.send(inSteps('always'), { INAPP_WEB: 'sent', EMAIL: 'sent', SMS: 'sent' }),
  },
  {
    name: 'steps, seen in the app',
    isTimed: true,
    isPrompt: true,
    async act(story) {
      const trackingId = await story.send(inSteps('unseen'), {
        INAPP_WEB: 'sent',
        EMAIL: 'sent',
        SMS: 'skipped',
      });
      await story.pass(15);
      const isShown = story.world.table.list('USER#').some(({ sk }) => String(sk).startsWith('INAPP#'));
      const body = { trackingIds: [trackingId], opened: new Date(story.world.nowMs).toISOString() };
      await story.request(markInapp, { query: { userId: 'ada' }, body });
      // Nobody can have seen an item that a late stream has not delivered yet.
      if (!isShown) story.tracked = [{ trackingId, ends: { INAPP_WEB: 'sent', EMAIL: 'sent', SMS: 'sent' } }];
    },
  },
  {
    name: 'steps, the one before failed',
    async act(story) {
      story.world.script.deliver = ({ channel }) =>
        channel === 'EMAIL' ? { kind: 'rejected', code: 'UNDETERMINED_BOUNCE', internal: 'no' } : undefined;
      const steps = [{ channels: ['EMAIL'] }, { channels: ['SMS'], after: 'PT50M', when: 'undelivered' }];
      await story.send(toChannels(['EMAIL', 'SMS'], { options: { steps } }), {
        EMAIL: 'failed',
        SMS: 'sent',
      });
    },
  },
  {
    name: 'steps, cancelled after the first',
    isTimed: true,
    isPrompt: true,
    async act(story) {
      const ends = { INAPP_WEB: 'sent', EMAIL: 'cancelled', SMS: 'cancelled' } as const;
      // A client that is rejected three times asks for the fourth time after a quarter of an hour.
      const trackingId = await story.send(inSteps('always', 30), ends);
      await story.pass(1);
      await stop(story, trackingId);
    },
  },
  {
    name: 'steps, cancelled as one is due',
    isTimed: true,
    isPrompt: true,
    async act(story) {
      const ends = { INAPP_WEB: 'sent', EMAIL: ['sent', 'cancelled'], SMS: 'cancelled' } as const;
      const trackingId = await story.send(inSteps('always'), ends);
      await story.pass(9.9);
      await stop(story, trackingId);
    },
  },
  {
    name: 'held until the end of quiet hours',
    hours: 3,
    async before(story) {
      const body = { timezone: 'UTC', quietHours: { from: '06:00', to: '10:00' } };
      await story.request(saveUser, { path: { userId: 'ada' }, body });
    },
    act: (story) => story.send(toChannels(['INAPP_WEB', 'SMS']), { INAPP_WEB: 'sent', SMS: 'sent' }),
  },
  {
    name: 'a step whose message waits for its turn',
    async act(story) {
      let calls = 0;
      story.world.script.deliver = ({ channel }) => {
        if (channel !== 'SMS') return undefined;
        calls += 1;
        return calls <= 3 ? { kind: 'postponed', afterSeconds: 30 } : undefined;
      };
      await story.send(inSteps('always'), { INAPP_WEB: 'sent', EMAIL: 'sent', SMS: 'sent' });
    },
  },
];
