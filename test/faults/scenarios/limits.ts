import { handler as send } from '../../../functions/sending/send.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { organizationKey } from '../../../shared/database/keys/account.ts';
import type { Scenario } from '../run.ts';
import { type Story, toChannels } from '../story.ts';

const addType = (story: Story, body: object) =>
  story.request(createType, {
    body: { notificationId: 'alert', title: 'Alert', channels: ['SMS'], ...body },
  });

const THROTTLING = {
  ...{ max: 1, period: 1, unit: 'days', forever: false },
  scope: ['userId', 'notificationId'],
};

/** Requests that throttling, deduplication or a cap limits. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'throttled',
    before: (story) => addType(story, { throttling: THROTTLING }),
    async act(story) {
      await story.send(toChannels(['SMS'], { type: 'alert' }), { SMS: 'sent' });
      await story.send(toChannels(['SMS'], { type: 'alert' }), { SMS: 'none' });
    },
    check: ({ world }) => atMost(world.accepted, 1),
  },
  {
    name: 'deduplicated',
    before: (story) => addType(story, { deduplication: { duration: 0 } }),
    async act(story) {
      await story.send(toChannels(['SMS'], { type: 'alert' }), { SMS: 'sent' });
      await story.send(toChannels(['SMS'], { type: 'alert' }), { SMS: 'none' });
    },
    check: ({ world }) => atMost(world.accepted, 1),
  },
  {
    name: 'throttled, two concurrently',
    before: (story) => addType(story, { throttling: THROTTLING }),
    act: twoAtOnce,
    check: ({ world }) => [...atMost(world.accepted, 1), ...atLeastOne(world.accepted)],
  },
  {
    name: 'deduplicated, two concurrently',
    before: (story) => addType(story, { deduplication: { duration: 0 } }),
    act: twoAtOnce,
    check: ({ world }) => [...atMost(world.accepted, 1), ...atLeastOne(world.accepted)],
  },
  {
    name: 'over a cap',
    isPrompt: true,
    async before({ world, account }) {
      const { accountId, createdAt } = account;
      await world.table.database.put({
        ...organizationKey(accountId),
        ...{
          organizationId: accountId,
          organizationType: 'paid',
          creator: 'admin@example.com',
          name: 'Test',
        },
        ...{ messagesCap: 1, costCap: 1000, allowOverage: false, anchorDate: '2026-11-10' },
        ...{ createdAt, updatedAt: createdAt },
      });
    },
    async act(story) {
      await story.send(toChannels(['EMAIL']), { EMAIL: 'sent' });
      await story.pass(30);
      const response = await story.request(send, { body: toChannels(['EMAIL']) }, 'any');
      if (response.status !== 402) throw new Error(`over the cap, the answer is ${response.status}`);
    },
  },
];

async function twoAtOnce(story: Story): Promise<void> {
  const ends = { SMS: ['sent', 'none'] } as const;
  await Promise.all([1, 2].map(() => story.send(toChannels(['SMS'], { type: 'alert' }), ends)));
}

const atLeastOne = (accepted: readonly unknown[]) => (accepted.length > 0 ? [] : ['nothing was sent']);

const atMost = (accepted: readonly { trackingId: string }[], count: number) =>
  new Set(accepted.map(({ trackingId }) => trackingId)).size > count ? ['more were sent than may be'] : [];
