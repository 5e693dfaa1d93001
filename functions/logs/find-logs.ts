import type { Logs } from '../../shared/database/entities/logs.ts';
import { findReadable } from '../../shared/database/entities/stored.ts';
import type { Caller } from '../../shared/http/caller.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { RESPONSE_BYTES_MAX } from '../../shared/runtime/response-size.ts';
import type { LogRecord } from '../../shared/schemas/log-record.ts';
import { findRecord } from './find-record.ts';
import { fitRecord } from './fit-record.ts';

/** The maximum number of tracking IDs in one lookup. */
export const TRACKING_IDS_MAX = 25;

/** No tracking ID is longer, so longer ones are not looked up. */
const TRACKING_ID_LENGTH_MAX = 64;

/**
 * Returns the records found, in the order requested, cut to the size of one response. Unknown IDs and those
 * of other accounts are omitted. Throws TOO_MANY_TRACKING_IDS.
 */
export async function findLogs(
  logs: Logs,
  caller: Caller,
  trackingIds: readonly string[],
  nowMs: number,
): Promise<LogRecord[]> {
  if (trackingIds.length > TRACKING_IDS_MAX) {
    throw new AppError('TOO_MANY_TRACKING_IDS', {
      fix: `Split the lookup into parts of ${TRACKING_IDS_MAX}.`,
    });
  }
  if (trackingIds.length === 0 || trackingIds.some((id) => id === '')) {
    throw new AppError('INVALID_REQUEST', {
      message: 'trackingIds must list 1 to 25 tracking IDs, each with at least one character.',
      path: 'path.trackingIds',
      fix: 'Send 1 to 25 tracking IDs.',
    });
  }
  const ids = [...new Set(trackingIds)].filter((id) => id.length <= TRACKING_ID_LENGTH_MAX);
  const shareBytes = RESPONSE_BYTES_MAX / ids.length;
  const found = await Promise.all(
    ids.map(async (id) => {
      const record = await findReadable(() => findRecord(logs, caller.accountId, id, nowMs));
      return record && fitRecord(record, shareBytes);
    }),
  );
  const visible = found.filter((record) => record !== undefined);
  return caller.boundToEnvironment
    ? visible.filter((record) => record.envId === caller.environmentId)
    : visible;
}
