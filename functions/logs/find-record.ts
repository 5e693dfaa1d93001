import type { RetentionRule } from '../../shared/database/entities/accounts/retentions.ts';
import type { Logs } from '../../shared/database/entities/logs/logs.ts';
import { buildLogRecord } from '../../shared/domain/logs/log-record.ts';
import { agedRecord } from '../../shared/domain/routing/sensitive.ts';
import type { LogRecord } from '../../shared/schemas/logs/log-record.ts';

/** Whose logs are read, and for how long these are shown. */
export type RecordScope = { accountId: string; rule: RetentionRule; nowMs: number };

/** Returns the record; undefined when unknown, expired or of another account. */
export async function findRecord(
  logs: Logs,
  trackingId: string,
  { accountId, rule, nowMs }: RecordScope,
): Promise<LogRecord | undefined> {
  const log = await logs.find(trackingId, nowMs);
  if (log?.head.accountId !== accountId) return undefined;
  const { shownUntilMs, contentUntilMs } = await rule(log.head);
  if (shownUntilMs <= nowMs) return undefined;
  const record = buildLogRecord(log.head, [
    ...log.events,
    ...(await logs.listDigestEvents(log.events, nowMs)),
  ]);
  return contentUntilMs <= nowMs ? agedRecord(record, log.head) : record;
}
