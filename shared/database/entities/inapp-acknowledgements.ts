import type { LogEvent } from '../../domain/log.ts';
import { inChunks } from '../../runtime/chunks.ts';
import { isoOf } from '../../runtime/clock.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database } from '../database.ts';
import type { InappItem } from './inapp-item.ts';
import { eventItem } from './log-items.ts';

/** The user whose items are acknowledged. */
type AcknowledgedBy = { accountId: string; environmentId: string; userId: string };

/** Records in the logs of in-app items that the user has them. */
export type InappAcknowledgements = {
  /** Marks the items as delivered, at the latest now: an earlier delivery time is kept. Safe to repeat. */
  add(by: AcknowledgedBy, items: readonly InappItem[], nowMs: number): Promise<void>;
};

const AT_ONCE = 25;

function createInappAcknowledgements(table: Database): InappAcknowledgements {
  async function addOne(by: AcknowledgedBy, item: InappItem, nowMs: number): Promise<void> {
    const { trackingId, notificationId, date, expDate } = item;
    const afterMs = Math.max(0, nowMs - Date.parse(date));
    const fields = { inapp_delivered_at: isoOf(nowMs), inapp_delivered_after: afterMs };
    const event: LogEvent = { channel: 'INAPP_WEB', stage: 'acknowledged', atMs: nowMs, fields };
    const owner = { ...by, notificationId, expiresAtSeconds: expDate };
    await table.put(await eventItem(trackingId, owner, event), { condition: 'attribute_not_exists(pk)' });
  }

  return {
    async add(by, items, nowMs) {
      await inChunks(items, AT_ONCE, (item) => addOne(by, item, nowMs));
    },
  };
}

export const inappAcknowledgements = dependency('inappAcknowledgements', () =>
  createInappAcknowledgements(resolve(database)),
);
