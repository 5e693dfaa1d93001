import type { LogEvent } from '../../../domain/logs/log.ts';
import { inChunks } from '../../../runtime/async/chunks.ts';
import { isoOf } from '../../../runtime/clock.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { type Database, database } from '../../database.ts';
import { eventItem } from '../logs/log-items.ts';
import type { InappItem } from './inapp-item.ts';

type AcknowledgedBy = { accountId: string; environmentId: string; userId: string };

const AT_ONCE = 25;

/** Records in the logs of in-app items that the user has them. */
function createInappAcknowledgements(table: Database) {
  async function addOne(by: AcknowledgedBy, item: InappItem, nowMs: number): Promise<void> {
    const { trackingId, notificationId, date, expDate } = item;
    const afterMs = Math.max(0, nowMs - Date.parse(date));
    const fields = { inapp_delivered_at: isoOf(nowMs), inapp_delivered_after: afterMs };
    const event: LogEvent = { channel: 'INAPP_WEB', stage: 'acknowledged', atMs: nowMs, fields };
    const owner = { ...by, notificationId, expiresAtSeconds: expDate };
    await table.put(await eventItem(trackingId, owner, event), { condition: 'attribute_not_exists(pk)' });
  }

  return {
    /** Marks the items as delivered, at the latest now: an earlier delivery time is kept. Safe to repeat. */
    async add(by: AcknowledgedBy, items: readonly InappItem[], nowMs: number): Promise<void> {
      await inChunks(items, AT_ONCE, (item) => addOne(by, item, nowMs));
    },
  };
}

export const inappAcknowledgements = dependency('inappAcknowledgements', () =>
  createInappAcknowledgements(resolve(database)),
);
