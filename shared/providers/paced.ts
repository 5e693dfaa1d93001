import type { ChannelProvider } from '../channels/channel.ts';
import { numberSetting } from '../runtime/config.ts';
import { createTurns } from '../runtime/turns.ts';
import type { Channel } from '../schemas/channel.ts';

/** A wait that ten messages of a batch can take one after the other before the function's time is up. */
const LONGEST_MS = 1000;

/**
 * `provider`, called at most `perSecond` times a second by the whole deployment: each of the `QUEUE_CONCURRENCY` instances
 * that may run at once takes its share. No turn is longer than `longestMs`, or a batch would outlast its function.
 */
export function paced<C extends Channel>(
  provider: ChannelProvider<C>,
  perSecond: number,
  { longestMs = LONGEST_MS, turns = createTurns }: { longestMs?: number; turns?: typeof createTurns } = {},
): ChannelProvider<C> {
  const everyMs = (1000 * numberSetting('QUEUE_CONCURRENCY', 1)) / perSecond;
  const turn = turns(Math.min(everyMs, longestMs));
  return {
    name: provider.name,
    async deliver(delivery) {
      await turn();
      return provider.deliver(delivery);
    },
  };
}
