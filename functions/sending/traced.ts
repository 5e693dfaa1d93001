import { askedAtMs } from '../../shared/database/entities/log-head.ts';
import type { UserErasures } from '../../shared/database/entities/user-erasures.ts';
import type { UserTraces } from '../../shared/database/entities/user-traces.ts';
import { logPk } from '../../shared/database/keys.ts';
import type { LogHead } from '../../shared/domain/log-record.ts';
import { type WithdrawDependencies, withdrawScheduled } from './withdraw-scheduled.ts';

/** What storing a scheduled notification needs beside its write. */
export type TraceDependencies = WithdrawDependencies & { userTraces: UserTraces; userErasures: UserErasures };

const KEPT_AFTER_DUE_SECONDS = 7 * 86_400;

/**
 * Writes a head. One that waits for its time is entered under its user before, and the mark of their deletion is read
 * after: whichever of write and deletion comes first, nothing of theirs is left waiting.
 */
export async function traced<T>(
  deps: TraceDependencies,
  head: LogHead,
  feedShards: number,
  write: () => Promise<T>,
): Promise<T> {
  const { environmentId, userId, trackingId, scheduledForMs } = head;
  if (head.state !== 'scheduled' || scheduledForMs === undefined) return write();
  const untilSeconds = Math.ceil(scheduledForMs / 1000) + KEPT_AFTER_DUE_SECONDS;
  await deps.userTraces.enter(head, logPk(trackingId), untilSeconds);
  const outcome = await write();
  const erasedAtMs = await deps.userErasures.findErasedAtMs(environmentId, userId);
  if (erasedAtMs !== undefined && erasedAtMs >= askedAtMs(head)) {
    await withdrawScheduled(deps, trackingId, { userId, erasedAtMs }, feedShards);
  }
  return outcome;
}
