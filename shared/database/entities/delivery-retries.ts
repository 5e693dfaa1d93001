import * as v from 'valibot';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { DAY_SECONDS, secondsAfter } from '../../runtime/durations.ts';
import { shardOf } from '../../runtime/ids.ts';
import type { Channel } from '../../schemas/channel.ts';
import { type Database, database } from '../database.ts';
import { DUE_SHARDS, dueKeys } from '../keys/indexes.ts';
import { retryKey } from '../keys/log.ts';
import { readStored } from './stored.ts';

const KEPT_SECONDS = 5 * DAY_SECONDS;
const Stored = v.object({ dueAtMs: v.number(), delivery: v.object({}) });

type WaitingDelivery = { trackingId: string; channel: Channel; [more: string]: unknown };

/** Deliveries that wait for an attempt further away than a queue's delay, as their queue has them. */
export type DeliveryRetries = {
  wait(delivery: WaitingDelivery, dueAtMs: number): Promise<void>;
  /** The delivery to continue now; undefined when it is not due, or over. */
  findDue(pk: string, nowMs: number): Promise<unknown>;
  /** Ends the wait of one that was due by then. */
  end(pk: string, nowMs: number): Promise<void>;
};

function createDeliveryRetries(table: Database): DeliveryRetries {
  return {
    async wait(delivery, dueAtMs) {
      const key = retryKey(delivery.trackingId, delivery.channel);
      const due = dueKeys(dueAtMs, shardOf(key.pk, DUE_SHARDS), key.pk);
      const expiresAt = secondsAfter(dueAtMs, KEPT_SECONDS);
      await table.put({ ...key, ...due, dueAtMs, delivery, expiresAt });
    },

    async findDue(pk, nowMs) {
      const item = await table.get({ pk, sk: 'RETRY' }, { consistent: true });
      const stored = item && readStored('delivery retry', Stored, item);
      return stored && stored.dueAtMs <= nowMs ? item.delivery : undefined;
    },

    async end(pk, nowMs) {
      await table.delete({ pk, sk: 'RETRY' }, { condition: 'dueAtMs <= :now', values: { ':now': nowMs } });
    },
  };
}

export const deliveryRetries = dependency('deliveryRetries', () => createDeliveryRetries(resolve(database)));
