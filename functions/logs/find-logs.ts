import type { Logs } from '../../shared/database/entities/logs.ts';
import type { Caller } from '../../shared/http/caller.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import type { LogRecord } from '../../shared/schemas/log-record.ts';

/** Most tracking IDs one look-up may name (SPEC 8). */
export const TRACKING_IDS_MAX = 25;

/** No tracking ID we make is longer: longer ones cannot exist and are not looked up. */
const TRACKING_ID_LENGTH_MAX = 64;

/** The records found, in the order asked; unknown and foreign ones are left out. Throws TOO_MANY_TRACKING_IDS. */
export async function findLogs(
  logs: Logs,
  caller: Caller,
  trackingIds: readonly string[],
  nowMs: number,
): Promise<LogRecord[]> {
  if (trackingIds.length > TRACKING_IDS_MAX) {
    throw new AppError('TOO_MANY_TRACKING_IDS', {
      fix: `Split the look-up into parts of ${TRACKING_IDS_MAX}.`,
    });
  }
  if (trackingIds.length === 0 || trackingIds.some((id) => id === '')) {
    throw new AppError('INVALID_REQUEST', {
      message: 'Every tracking ID must have at least one character.',
      fix: 'Send 1 to 25 tracking IDs.',
    });
  }
  const wanted = [...new Set(trackingIds)].filter((id) => id.length <= TRACKING_ID_LENGTH_MAX);
  const found = await Promise.all(wanted.map((id) => logs.findRecord(caller.accountId, id, nowMs)));
  const visible = found.filter((record) => record !== undefined);
  return caller.boundToEnvironment
    ? visible.filter((record) => record.envId === caller.environmentId)
    : visible;
}
