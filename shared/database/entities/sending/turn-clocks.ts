import { dependency, resolve } from '../../../runtime/dependency.ts';
import { DAY_SECONDS, secondsAfter } from '../../../runtime/values/durations.ts';
import type { Channel } from '../../../schemas/channel.ts';
import { type Database, database } from '../../database.ts';
import { AGAIN, untilSettled } from '../../items/settle.ts';
import { turnClockKey, turnClocksPk } from '../../keys/usage.ts';

/** When the messages of each account have their turn on a channel whose rate is scarce. */
export type TurnClocks = ReturnType<typeof createTurnClocks>;

function createTurnClocks(table: Database) {
  return {
    /** Takes the next `spanMs` of the account's time on the channel; returns its beginning. One write for any number of messages. */
    take: (channel: Channel, accountId: string, spanMs: number, nowMs: number): Promise<number> =>
      untilSettled(async () => {
        const key = turnClockKey(channel, accountId);
        const common = { ':now': nowMs, ':span': spanMs, ':expiry': secondsAfter(nowMs, DAY_SECONDS) };
        const later = await table.update(key, 'SET nextMs = nextMs + :span, expiresAt = :expiry', {
          condition: 'nextMs > :now',
          values: common,
        });
        if (later.written) return Number(later.item?.nextMs) - spanMs;
        const first = await table.update(
          key,
          'SET nextMs = :first, accountId = :account, expiresAt = :expiry',
          {
            condition: 'attribute_not_exists(nextMs) OR nextMs <= :now',
            values: {
              ':now': nowMs,
              ':first': nowMs + spanMs,
              ':account': accountId,
              ':expiry': common[':expiry'],
            },
          },
        );
        return first.written ? nowMs : AGAIN;
      }),
    /** The accounts that have messages which wait for their turn. */
    async listBusy(channel: Channel, nowMs: number): Promise<string[]> {
      const clocks = await table.queryAll(turnClocksPk(channel), '');
      return clocks.flatMap(({ accountId, nextMs }) => (Number(nextMs) > nowMs ? [String(accountId)] : []));
    },
  };
}

export const turnClocks = dependency('turnClocks', () => createTurnClocks(resolve(database)));
