import { handler as redrive } from '../../../functions/workers/redrive/redrive.ts';
import { MINUTE_MS, type Story } from '../story.ts';

const OVERDUE_MINUTES = 30;

/**
 * Loses the stream's records of heads that become ready after these minutes, and requeues what became ready since:
 * the range does not contain the acceptance.
 */
export async function redriveLost(story: Story, minutes: number): Promise<void> {
  const { world } = story;
  await story.pass(minutes - 1);
  const from = new Date(world.nowMs).toISOString();
  world.table.lose(({ sk, state }) => sk === 'HEAD' && state === 'accepted');
  await story.pass(OVERDUE_MINUTES);
  world.table.lose(() => false);
  const to = new Date(world.nowMs + MINUTE_MS).toISOString();
  await story.invoke(() => redrive({ from, to }));
}
