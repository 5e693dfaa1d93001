import { handler as cancel } from '../../../functions/sending/cancel-scheduled.ts';
import { handler as addTopicUsers } from '../../../functions/topics/add-topic-users.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import type { Scenario } from '../run.ts';
import { MINUTE_MS, type Story, toChannels } from '../story.ts';

const MEMBERS = ['ada', 'ben', 'cy'];

/** A topic with three members whom email reaches. */
async function topic(story: Story): Promise<void> {
  for (const userId of MEMBERS)
    await story.request(saveUser, { path: { userId }, body: { email: `${userId}@example.com` } });
  await story.request(addTopicUsers, { path: { topicId: 'news' }, body: { userIds: MEMBERS } });
}

const toTopic = (more: object = {}) => toChannels(['EMAIL'], { to: { topic: 'news' }, ...more });

/** Every member has one notification. One that a fault kept from being recorded may have its message twice. */
function reached({ world }: Story): string[] {
  const byUser = Map.groupBy(world.accepted, ({ delivery }) => delivery.userId);
  const twice = [...byUser].filter(([, list]) => new Set(list.map(({ trackingId }) => trackingId)).size > 1);
  return [
    ...MEMBERS.filter((userId) => !byUser.has(userId)).map((userId) => `${userId} got nothing`),
    ...twice.map(([userId]) => `${userId} has two notifications`),
  ];
}

export const scenarios: readonly Scenario[] = [
  { name: 'to a topic', before: topic, act: (story) => story.send(toTopic(), {}), check: reached },
  {
    name: 'to a topic, at a time',
    before: topic,
    act: (story) => {
      const schedule = new Date(story.world.nowMs + 30 * MINUTE_MS).toISOString();
      return story.send(toTopic({ schedule }), {});
    },
    check: reached,
  },
  {
    name: 'to a topic, cancelled before its time',
    isTimed: true,
    isPrompt: true,
    before: topic,
    async act(story) {
      const schedule = new Date(story.world.nowMs + 90 * MINUTE_MS).toISOString();
      const trackingId = await story.send(toTopic({ schedule }), { EMAIL: ['none', 'cancelled'] });
      await story.request(cancel, { path: { trackingId } });
      await story.pass(120);
    },
    check: ({ world }) => (world.accepted.length > 0 ? ['a member got what was cancelled'] : []),
  },
];
