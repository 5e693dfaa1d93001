import { handler as recount } from '../../../functions/workers/redrive/recount-usage.ts';
import { handler as redrive } from '../../../functions/workers/redrive/redrive.ts';
import type { Scenario } from '../run.ts';
import { type Story, toChannels } from '../story.ts';
import { START_MS } from '../world.ts';
import { answered, missing, textIn } from './coming-in.ts';
import { called, hook } from './sending.ts';

const HOUR_MS = 3_600_000;
const TWO_DAYS_MINUTES = 48 * 60;

/** Loses the stream's records of all events during `act`. */
async function losingEvents(story: Story, act: () => Promise<unknown>): Promise<void> {
  const { table } = story.world;
  table.lose(({ sk }) => String(sk).startsWith('EVENT#'));
  await act();
  await story.pass(20);
  table.lose(() => false);
}

/** Requeues messages as an operator does when the stream has lost records of events. */
async function redriveAll(story: Story): Promise<void> {
  const [from, to] = [START_MS - HOUR_MS, story.world.nowMs].map((ms) => new Date(ms).toISOString());
  await story.invoke(() => redrive({ from, to }));
}

/** Events that the stream's only consumer never receives. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'outcomes whose records the stream lost',
    isTimed: true,
    isPrompt: true,
    before: (story) => hook(story, ['CALL_FAILED']),
    async act(story) {
      story.world.script.deliver = ({ channel }) =>
        channel === 'CALL' ? { kind: 'rejected', code: '21610', internal: 'no' } : undefined;
      await losingEvents(story, () =>
        story.send(toChannels(['SMS', 'CALL']), { SMS: 'sent', CALL: 'failed' }),
      );
      await redriveAll(story);
      // The usage of a day can be recounted a day after it has ended.
      await story.pass(TWO_DAYS_MINUTES);
      let next: Awaited<ReturnType<typeof recount>>['next'];
      do {
        ({ next } = await story.invoke(() => recount({ day: '2026-11-21', next })));
      } while (next);
    },
    check: ({ world }) => called(world.posts, 1),
  },
  {
    name: 'STOP whose record the stream lost',
    isTimed: true,
    isPrompt: true,
    async act(story) {
      await story.sendAndWait(toChannels(['SMS']), { SMS: 'sent' });
      await losingEvents(story, async () => textIn(story, 'STOP'));
      await redriveAll(story);
      await story.pass(60);
    },
    check: async (story) => [...(await missing(story, { sms_replied_text: true })), ...answered(story, 1)],
  },
];
