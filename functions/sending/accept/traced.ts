import type { ErasureMarks } from '../../../shared/database/entities/erasure/erasure-marks.ts';
import { requestedAtMs } from '../../../shared/database/entities/logs/log-head.ts';
import type { UserTraces } from '../../../shared/database/entities/users/user-traces.ts';
import { logPk } from '../../../shared/database/keys/key.ts';
import type { LogHead } from '../../../shared/domain/logs/log.ts';
import { DAY_SECONDS, secondsAfter } from '../../../shared/runtime/values/durations.ts';
import { type WithdrawDependencies, withdrawScheduled } from '../withdraw-scheduled.ts';

/** Dependencies of storing a scheduled notification, in addition to its write. */
export type TraceDependencies = WithdrawDependencies & { userTraces: UserTraces; erasureMarks: ErasureMarks };

const KEPT_AFTER_DUE_SECONDS = 7 * DAY_SECONDS;

/**
 * Writes a head. If it waits for its time and is for a user, its trace is written before and the user's deletion mark is read
 * after: the write and a deletion see each other in either order, so that a deleted user has no waiting notification.
 */
export async function traced<T>(
  deps: TraceDependencies,
  head: LogHead,
  feedShards: number,
  write: () => Promise<T>,
): Promise<T> {
  const { environmentId, userId, trackingId, scheduledForMs } = head;
  if (head.state !== 'scheduled' || scheduledForMs === undefined || userId === '') return write();
  const untilSeconds = secondsAfter(scheduledForMs, KEPT_AFTER_DUE_SECONDS);
  await deps.userTraces.enter(head, logPk(trackingId), { untilSeconds, atMs: requestedAtMs(head) });
  const outcome = await write();
  const erasedAtMs = await deps.erasureMarks.findErasedAtMs(environmentId, userId);
  if (erasedAtMs !== undefined && erasedAtMs >= requestedAtMs(head)) {
    await withdrawScheduled(deps, trackingId, { userId, erasedAtMs }, feedShards);
  }
  return outcome;
}
