import type { Logs } from '../../shared/database/entities/logs.ts';
import { buildLogRecord } from '../../shared/domain/log-record.ts';
import type { LogRecord } from '../../shared/schemas/log-record.ts';

/** Returns the record; undefined when unknown, expired or of another account. */
export async function findRecord(
  logs: Logs,
  accountId: string,
  trackingId: string,
  nowMs: number,
): Promise<LogRecord | undefined> {
  const log = await logs.find(trackingId, nowMs);
  if (log?.head.accountId !== accountId) return undefined;
  return buildLogRecord(log.head, [...log.events, ...(await logs.listCarried(log.events, nowMs))]);
}
