import type { Retentions } from '../../shared/database/entities/accounts/retentions.ts';
import type { Logs } from '../../shared/database/entities/logs/logs.ts';
import { findReadable } from '../../shared/database/items/stored.ts';
import type { Caller } from '../../shared/http/access/caller.ts';
import type { Problem } from '../../shared/http/problems/problems.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { RESPONSE_BYTES_MAX } from '../../shared/runtime/response-size.ts';
import type { LogRecord } from '../../shared/schemas/logs/log-record.ts';
import { findRecord } from './find-record.ts';
import { fitRecord } from './fit-record.ts';

export const TRACKING_IDS_MAX = 25;

/** All tracking IDs are shorter, so longer values are not looked up. */
const TRACKING_ID_LENGTH_MAX = 64;

/** The problem of more tracking IDs than one lookup takes. */
export function tooManyProblems(place: string, trackingIds: readonly unknown[]): Problem[] {
  if (trackingIds.length <= TRACKING_IDS_MAX) return [];
  const must = `must list at most ${TRACKING_IDS_MAX} tracking IDs`;
  const fix = `Split the lookup into parts of ${TRACKING_IDS_MAX}.`;
  return [{ where: `${place}.trackingIds`, must, error: new AppError('TOO_MANY_TRACKING_IDS', { fix }) }];
}

/**
 * Returns the records found, in the order requested, cut to the size of one response. Omits unknown IDs and IDs of other
 * accounts.
 */
export async function findLogs(
  { logs, retentions }: { logs: Logs; retentions: Retentions },
  caller: Caller,
  trackingIds: readonly string[],
  nowMs: number,
): Promise<LogRecord[]> {
  const ids = [...new Set(trackingIds)].filter((id) => id.length <= TRACKING_ID_LENGTH_MAX);
  const scope = { accountId: caller.accountId, rule: retentions.ruleOf(caller.accountId), nowMs };
  const shareBytes = RESPONSE_BYTES_MAX / ids.length;
  const found = await Promise.all(
    ids.map(async (id) => {
      const record = await findReadable(() => findRecord(logs, id, scope));
      return record && fitRecord(record, shareBytes);
    }),
  );
  const visible = found.filter((record) => record !== undefined);
  return caller.boundToEnvironment
    ? visible.filter((record) => record.envId === caller.environmentId)
    : visible;
}
