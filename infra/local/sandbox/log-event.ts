import type { DynamoDBRecord } from 'aws-lambda';
import { readStreamRecord } from '../../../shared/database/entities/logs/log-items.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { LOG_PREFIX } from '../../../shared/schemas/channel.ts';

/** The data of a new delivery log event for a page; it reads the rest with GET /logs. */
export type LogNotice = {
  trackingId: string;
  /** Log prefix of the channel, such as `email`; absent for the notification itself. */
  prefix?: string;
  /** Stage of the channel, or state of the notification. */
  stage: string;
  at: string;
  type?: string;
  userId?: string;
  environmentId?: string;
};

export function logNotices(records: readonly DynamoDBRecord[]): LogNotice[] {
  return records.flatMap((record): LogNotice[] => {
    const item = readStreamRecord(record);
    if (!item) return [];
    const { trackingId, notificationId, userId, environmentId } = item;
    const about = defined({
      type: notificationId || undefined,
      userId: userId || undefined,
      environmentId: environmentId || undefined,
    });
    if (item.kind === 'event') {
      const { channel, stage, atMs } = item;
      if (stage === 'cost') return [];
      return [{ trackingId, prefix: LOG_PREFIX[channel], stage, at: isoOf(atMs), ...about }];
    }
    if (item.state === undefined) return [];
    return [{ trackingId, stage: item.state, at: isoOf(item.receivedAtMs), ...about }];
  });
}
