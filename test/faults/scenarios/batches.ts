import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { DUE_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { shardOf } from '../../../shared/runtime/values/ids.ts';
import type { Scenario } from '../run.ts';
import { MINUTE_MS, toChannels } from '../story.ts';
import { textIn } from './coming-in.ts';
import { called, hook, sendThree } from './sending.ts';

const COUNTERS = 16;
const SHARDS_COUNT = 30;
/** Shards of the stream whose usage the same counter of an account adds up. */
const SHARDS = Array.from({ length: 100 * COUNTERS }, (_, index) => `shard-${index}`)
  .filter((name) => shardOf(name, COUNTERS) === 0)
  .slice(0, SHARDS_COUNT);

const BROKEN = '{';
const IN_MINUTES = 30;
/** The broken message is received ten times meanwhile. */
const BROKEN_MINUTES = 60;

/** Messages that share a batch or a count with others. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'a broken message among due ones',
    isTimed: true,
    isPrompt: true,
    async act(story) {
      const schedule = new Date(story.world.nowMs + IN_MINUTES * MINUTE_MS).toISOString();
      for (const channel of ['EMAIL', 'SMS'] as const)
        await story.send(toChannels([channel], { schedule }), { [channel]: 'sent' });
      const delaySeconds = 600;
      await story.pass((Date.parse(schedule) - story.world.nowMs) / MINUTE_MS - delaySeconds / 60);
      story.world.queues.send(DUE_QUEUE, [{ body: BROKEN, delaySeconds }]);
      await story.pass(BROKEN_MINUTES);
      const left = story.world.queues.left();
      if (left.length > 1) throw new Error(`more than the broken message is left: ${left.join(', ')}`);
      story.world.queues.remove(DUE_QUEUE, BROKEN);
    },
  },
  {
    name: 'one of a batch for which the provider never responds',
    async act(story) {
      let calls = 0;
      // The function of SMS is stopped after 30 seconds, once.
      story.world.script.takesMs = () => {
        calls += 1;
        return calls === 2 ? 40_000 : 0;
      };
      story.world.script.deliver = () =>
        calls === 2 ? { kind: 'retry', code: 'Unknown', internal: 'never responds' } : undefined;
      await sendThree(story);
    },
  },
  {
    name: 'the first of a batch brings the number for all',
    act: (story) =>
      sendThree(story, [{ id: 'grace', number: '+15005550001' }, { id: 'grace' }, { id: 'grace' }]),
  },
  {
    name: 'usage over thirty stream shards',
    isPrompt: true,
    faultsAt: /^invoke dispatch/,
    async act(story) {
      story.world.script.shards = SHARDS;
      const notifications = SHARDS.map((_, index) => toChannels(['SMS'], { parameters: { index } }));
      const { json } = await story.request(sendBulk, { body: { notifications } });
      for (const { trackingId } of json.results) story.tracked.push({ trackingId, ends: { SMS: 'sent' } });
    },
  },
  {
    name: 'a text message comes in that no queue accepts as it is',
    isPrompt: true,
    before: (story) => hook(story, ['SMS_INBOUND']),
    async act(story) {
      await story.sendAndWait(toChannels(['SMS']), { SMS: 'sent' });
      textIn(story, 'Hi \ufffe \uffff');
      // Later records of the stream are not held back.
      await story.send(toChannels(['EMAIL']), { EMAIL: 'sent' });
    },
    check: ({ world }) => called(world.posts, 1),
  },
];
