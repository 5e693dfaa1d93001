import type { ChannelProvider } from '../../channels/channel.ts';
import { createTurns } from '../../runtime/async/turns.ts';
import { numberSetting } from '../../runtime/config.ts';
import type { Channel } from '../../schemas/channel.ts';

/** Time that a delivery may take after its turn: a message with less time left is received again later. */
const DELIVERY_MS = 20_000;

/**
 * `provider`, called at most `perSecond` times per second by the whole deployment: each of the
 * `QUEUE_CONCURRENCY` instances gets its share.
 */
export function paced<C extends Channel>(
  provider: ChannelProvider<C>,
  perSecond: number,
  { turns = createTurns, deliveryMs = DELIVERY_MS }: { turns?: typeof createTurns; deliveryMs?: number } = {},
): ChannelProvider<C> {
  const everyMs = (1000 * numberSetting('QUEUE_CONCURRENCY')) / perSecond;
  const turn = turns(everyMs);
  return {
    ...provider,
    async awaitTurn(timeLeftMs) {
      const waitMs = await turn(Math.max(0, timeLeftMs - deliveryMs));
      return waitMs === undefined ? undefined : { againSeconds: Math.ceil(waitMs / 1000) };
    },
  };
}
