import { requestedAtMs } from '../../shared/database/entities/logs/log-head.ts';
import type { Logs } from '../../shared/database/entities/logs/logs.ts';
import type { SendingRules } from '../../shared/database/entities/sending/sending-rules.ts';
import { AGAIN, untilSettled } from '../../shared/database/items/settle.ts';

export type WithdrawDependencies = { logs: Logs; sendingRules: SendingRules };

/**
 * Withdraws a scheduled notification that was accepted for the user before they were deleted. One that was
 * sent, cancelled or redirected to another user stays unchanged.
 */
export async function withdrawScheduled(
  deps: WithdrawDependencies,
  trackingId: string,
  { userId, erasedAtMs }: { userId: string; erasedAtMs: number },
  feedShards: number,
): Promise<void> {
  await untilSettled(async () => {
    const head = await deps.logs.findHead(trackingId, erasedAtMs);
    const isTheirs = head?.userId === userId && requestedAtMs(head) <= erasedAtMs;
    if (head?.state !== 'scheduled' || !isTheirs) return;
    const cancelled = { ...head, state: 'cancelled' as const, scheduleDeletedAtMs: erasedAtMs };
    const write = await deps.logs.replaceScheduled(cancelled, feedShards);
    const outcome = await deps.sendingRules.commit(write, undefined, erasedAtMs);
    return outcome.kind === 'committed' ? undefined : AGAIN;
  });
}
