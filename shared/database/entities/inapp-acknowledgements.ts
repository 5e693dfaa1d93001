import { isoOf } from '../../runtime/clock.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database } from '../database.ts';
import { eventKey } from '../keys.ts';
import type { InappItem } from './inapp-item.ts';

/** Whose items are acknowledged. */
type AcknowledgedBy = { accountId: string; environmentId: string; userId: string };

/** Tells the logs of in-app items that the user has them. */
export type InappAcknowledgements = {
  /** The items are delivered, at the latest now: one that a connection took earlier stays delivered then. Safe to repeat. */
  add(by: AcknowledgedBy, items: readonly InappItem[], nowMs: number): Promise<void>;
};

const AT_ONCE = 25;

function createInappAcknowledgements(table: Database): InappAcknowledgements {
  async function addOne(by: AcknowledgedBy, item: InappItem, nowMs: number): Promise<void> {
    const { trackingId, notificationId, date, expDate } = item;
    const afterMs = Math.max(0, nowMs - Date.parse(date));
    await table.put(
      {
        ...eventKey(trackingId, 'inapp', 'acknowledged'),
        a: by.accountId,
        e: by.environmentId,
        u: by.userId,
        n: notificationId,
        at: nowMs,
        f: { inapp_delivered_at: isoOf(nowMs), inapp_delivered_after: afterMs },
        ...(expDate === undefined ? {} : { expiresAt: expDate }),
      },
      { condition: 'attribute_not_exists(pk)' },
    );
  }

  return {
    async add(by, items, nowMs) {
      for (let start = 0; start < items.length; start += AT_ONCE) {
        const part = items.slice(start, start + AT_ONCE);
        await Promise.all(part.map((item) => addOne(by, item, nowMs)));
      }
    },
  };
}

export const inappAcknowledgements = dependency('inappAcknowledgements', () =>
  createInappAcknowledgements(resolve(database)),
);
