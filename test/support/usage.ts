import { randomBytes } from 'node:crypto';
import { usageCounters } from '../../shared/database/entities/usage/usage-counters.ts';
import { resolve } from '../../shared/runtime/dependency.ts';
import type { Channel } from '../../shared/schemas/channel.ts';

/** Counts messages of an account as the stream's consumer does. `at` is an ISO time. */
export async function countUsage(
  accountId: string,
  channel: Channel,
  count: number,
  at: string,
  costUsd = 0,
): Promise<void> {
  const send = { accountId, channel, count, costUsd, atMs: Date.parse(at), sequenceNumber: '1' };
  await resolve(usageCounters).count(`shard-${randomBytes(6).toString('hex')}`, [send], send.atMs);
}
