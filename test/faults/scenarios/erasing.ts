import { handler as markInapp } from '../../../functions/inapp/mark-inapp.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import type { Scenario } from '../run.ts';
import { MINUTE_MS, type Story, toChannels } from '../story.ts';
import { collecting, comment } from './digests.ts';

const erase = (story: Story) => story.request(deleteUser, { path: { userId: 'ada' } }, 'any');

/** Data of the person that is left: under their name or in what others hold. */
function leftOfAda({ world }: Story): string[] {
  const held = world.table
    .list('')
    .filter((item) => !String(item.pk).startsWith('LEASE#'))
    .filter((item) => isOfAda(item));
  return held.map(({ pk, sk }) =>
    `of the deleted user there is still ${pk} ${sk}`.replace(/[0-9a-f-]{36}/g, 'ID'),
  );
}

const isOfAda = (item: object) =>
  /ada@example\.com|\+12025550123|#ada\b|"ada"/.test(
    JSON.stringify(item, (_, value) => (value instanceof Uint8Array ? undefined : value)),
  );

/** A user is deleted, with everything stored of them. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'a user is deleted',
    isErased: true,
    async act(story) {
      await story.send(toChannels(['INAPP_WEB', 'SMS']), {});
      await story.pass(10);
      await erase(story);
      await story.pass(10);
    },
    check: leftOfAda,
  },
  {
    name: 'a user is deleted while something is delivered',
    isErased: true,
    async act(story) {
      await story.send(toChannels(['INAPP_WEB', 'SMS']), {});
      // A delivery that stalls has not ended yet.
      await story.pass(0.1);
      await erase(story);
      await story.pass(10);
    },
    check: leftOfAda,
  },
  {
    name: 'a user is deleted, whose logs cannot be listed at first',
    isErased: true,
    // Until the deletion has a response, messages may go out.
    faultsAt: /^(invoke|send|provider) /,
    async act(story) {
      const { world } = story;
      await story.send(toChannels(['SMS', 'EMAIL']), {});
      const sentBefore = world.accepted.length;
      world.breakDown({ names: ['table query feed'], forMs: 10 * MINUTE_MS });
      await erase(story);
      Object.assign(story, { sentBefore });
    },
    check: (story) => [
      ...leftOfAda(story),
      ...(story.world.accepted.length > (story as Story & { sentBefore: number }).sentBefore
        ? ['a message went to a deleted user']
        : []),
    ],
  },
  {
    name: 'a user is deleted while something waits',
    isErased: true,
    isTimed: true,
    hours: 3,
    // Ends long after the run: a digest that is flushed leaves nothing either.
    before: (story) => collecting(story, ['SMS'], 'monthly'),
    async act(story) {
      const schedule = new Date(story.world.nowMs + 90 * MINUTE_MS).toISOString();
      await story.send(toChannels(['SMS'], { schedule }), {});
      await story.send(comment('waits'), {});
      await story.pass(1);
      await erase(story);
    },
    check: (story) => [
      ...leftOfAda(story),
      ...(story.world.accepted.length > 0 ? ['a message went to a deleted user'] : []),
    ],
  },
  {
    name: 'an item is snoozed, and comes back',
    async act(story) {
      const trackingId = await story.sendAndWait(toChannels(['INAPP_WEB']), { INAPP_WEB: 'sent' });
      const snoozedUntil = new Date(story.world.nowMs + 90 * MINUTE_MS).toISOString();
      const body = { trackingIds: [trackingId], snoozedUntil };
      await story.request(markInapp, { query: { userId: 'ada' }, body });
      await story.pass(120);
    },
    check: ({ world }) => {
      const items = world.table.list('USER#').filter(({ sk }) => /^(INAPP|SNOOZE)#/.test(String(sk)));
      return items.some(({ untilMs }) => untilMs !== undefined) ? ['the item is still snoozed'] : [];
    },
  },
  {
    name: 'an item is seen',
    async act(story) {
      const trackingId = await story.send(toChannels(['INAPP_WEB']), { INAPP_WEB: 'sent' });
      await story.pass(20);
      const body = { trackingIds: [trackingId], opened: new Date(story.world.nowMs).toISOString() };
      await story.request(markInapp, { query: { userId: 'ada' }, body });
    },
    check: ({ world }) => {
      const items = world.table.list('USER#').filter(({ sk }) => String(sk).startsWith('INAPP#'));
      return items.every((item) => JSON.stringify(item).includes('"opened"')) ? [] : ['the mark is gone'];
    },
  },
];
