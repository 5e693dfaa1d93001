import { handler as savePreferences } from '../../../functions/preferences/save-preferences.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import type { SmsDelivery } from '../../../shared/channels/channel.ts';
import type { Scenario } from '../run.ts';
import { type Story, toChannels } from '../story.ts';
import { redriveLost } from './lost-records.ts';

/** The type `comment`, which collects: by the hour unless `mode` says so. */
export async function collecting(story: Story, channels: readonly string[], mode = 'hourly'): Promise<void> {
  const enabled = { enabled: true };
  const choice = {
    ...{ defaultDeliveryOption: mode, off: enabled, instant: enabled, hourly: enabled },
    ...{ daily: enabled, weekly: enabled, monthly: enabled },
  };
  const options = Object.fromEntries(channels.map((channel) => [channel, choice]));
  await story.request(createType, {
    body: { notificationId: 'comment', title: 'Comment', channels, options },
  });
}

export const comment = (text: string, more: object = {}) =>
  toChannels(['SMS'], { type: 'comment', sms: { message: text }, ...more });

const texts = ({ world }: Story) =>
  world.accepted.map(({ delivery }) => (delivery as SmsDelivery).message).sort();

/** Every text went out in exactly one message; one that a fault kept from being recorded may be sent again, whole. */
function onceEach(story: Story, expected: readonly string[]): string[] {
  const lines = [...new Set(texts(story))].flatMap((message) => message.split(/\s+/)).sort();
  const wanted = [...expected].sort();
  return lines.join() === wanted.join() ? [] : [`the digests carry ${lines}, wanted ${wanted}`];
}

/** Deflates to more than an item may hold. */
const LARGE = Array.from({ length: 6000 }, (_, index) => ((index * 7919) % 65_521).toString(36)).join('');

export const scenarios: readonly Scenario[] = [
  {
    name: 'a digest of two',
    isTimed: true,
    before: (story) => collecting(story, ['SMS']),
    async act(story) {
      await story.send(comment('one'), { SMS: 'sent' });
      await story.pass(3);
      await story.send(comment('two'), { SMS: 'sent' });
    },
    check: (story) => onceEach(story, ['one', 'two']),
  },
  {
    name: 'a digest that collects while it is flushed',
    isTimed: true,
    hours: 3,
    before: (story) => collecting(story, ['SMS']),
    async act(story) {
      await story.send(comment('one'), { SMS: 'sent' });
      await story.pass(29);
      await story.send(comment('two'), { SMS: 'sent' });
    },
    check: (story) => onceEach(story, ['one', 'two']),
  },
  {
    name: 'two digests at one tick',
    isTimed: true,
    async before(story) {
      await collecting(story, ['SMS', 'EMAIL']);
      const preference = { notificationId: 'comment', channel: 'EMAIL', delivery: 'daily' };
      await story.request(savePreferences, { path: { userId: 'ada' }, body: [preference] });
      // Both the hour and the day end at nine.
      await story.pass(5);
    },
    act: (story) =>
      story.send(toChannels(['SMS', 'EMAIL'], { type: 'comment' }), { SMS: 'sent', EMAIL: 'sent' }),
    hours: 26,
  },
  {
    name: 'a digest of large items',
    isTimed: true,
    before: (story) => collecting(story, ['SMS']),
    async act(story) {
      await story.send(comment('one', { parameters: { LARGE } }), { SMS: 'sent' });
      await story.send(comment('two', { parameters: { LARGE } }), { SMS: 'sent' });
    },
    check: (story) => onceEach(story, ['one', 'two']),
  },
  {
    name: 'a digest whose message the stream lost',
    isTimed: true,
    isPrompt: true,
    hours: 3,
    before: (story) => collecting(story, ['SMS']),
    async act(story) {
      await story.send(comment('one'), { SMS: 'sent' });
      await redriveLost(story, 25);
    },
    check: (story) => onceEach(story, ['one']),
  },
  {
    name: 'a digest whose item is withheld at the flush',
    isTimed: true,
    before: (story) => collecting(story, ['SMS']),
    async act(story) {
      await story.send(comment('one'), { SMS: 'withheld' });
      const preference = { notificationId: 'comment', channel: 'SMS', delivery: 'off' };
      await story.request(savePreferences, { path: { userId: 'ada' }, body: [preference] });
    },
  },
];
