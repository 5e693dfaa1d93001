import * as v from 'valibot';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { DAY_SECONDS, secondsAfter } from '../../../runtime/values/durations.ts';
import { Channel } from '../../../schemas/channel.ts';
import { HoldReason } from '../../../schemas/sending/waiting.ts';
import { type Database, database } from '../../database.ts';
import { readStored } from '../../items/stored.ts';
import { DUE_SHARDS, indexTime, waitingKeys } from '../../keys/indexes.ts';
import { retryKey } from '../../keys/log.ts';

const KEPT_SECONDS = 5 * DAY_SECONDS;
/** Time for a claimed delivery to reach its queue before it is due again. */
const CLAIM_MS = 120_000;

const Stored = v.object({
  pk: v.string(),
  dueAtMs: v.number(),
  dueSk: v.string(),
  /** Why it waits, if not for its next attempt. */
  hold: v.optional(HoldReason),
  delivery: v.looseObject({
    trackingId: v.string(),
    channel: Channel,
    postponed: v.looseObject({ times: v.number() }),
  }),
});
export type WaitingDelivery = v.InferOutput<typeof Stored>;

type Delivery = { trackingId: string; channel: Channel; [more: string]: unknown };

/** Deliveries that wait for an attempt further away than a queue's delay, or for the end of quiet hours, as their queue has them. */
export type DeliveryRetries = ReturnType<typeof createDeliveryRetries>;

function createDeliveryRetries(table: Database) {
  async function setDue(
    { pk, dueAtMs: seenMs, dueSk, delivery }: WaitingDelivery,
    dueAtMs: number,
    more: Record<string, unknown>,
    condition = '',
  ): Promise<boolean> {
    const attributes: Record<string, unknown> = {
      dueAtMs,
      dueSk: indexTime(dueAtMs) + dueSk.slice(indexTime(seenMs).length),
      expiresAt: secondsAfter(dueAtMs, KEPT_SECONDS),
      ...more,
    };
    const names = Object.keys(attributes);
    const { written } = await table.update(
      { pk, sk: 'RETRY' },
      `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
      {
        condition: `dueAtMs = :seen AND delivery.postponed.times = :times${condition}`,
        names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        values: {
          ...Object.fromEntries(names.map((name) => [`:${name}`, attributes[name]])),
          ':seen': seenMs,
          ':times': delivery.postponed.times,
        },
      },
    );
    return written;
  }

  return {
    async wait(
      delivery: Delivery,
      dueAtMs: number,
      { hold, ...user }: { environmentId: string; userId: string; hold?: HoldReason },
    ): Promise<void> {
      const key = retryKey(delivery.trackingId, delivery.channel);
      const expiresAt = secondsAfter(dueAtMs, KEPT_SECONDS);
      const due = waitingKeys(dueAtMs, user, { shards: DUE_SHARDS, id: key.pk });
      await table.put({ ...key, ...due, dueAtMs, hold, delivery, expiresAt });
    },

    async find(pk: string): Promise<WaitingDelivery | undefined> {
      const item = await table.get({ pk, sk: 'RETRY' }, { consistent: true });
      return item && readStored('delivery retry', Stored, item);
    },

    /** Takes a delivery that waits as it was read: of several, one. It is due again if it does not end soon. */
    claim: (waiting: WaitingDelivery, nowMs: number): Promise<boolean> =>
      setDue(waiting, nowMs + CLAIM_MS, { isClaimed: true }),

    /** Lets it wait until another time, unless it was claimed. With `isReleased`, quiet hours do not hold it again. */
    move: (
      waiting: WaitingDelivery,
      { dueAtMs, isReleased }: { dueAtMs: number; isReleased: boolean },
    ): Promise<boolean> => {
      const delivery = isReleased ? { ...waiting.delivery, isReleased } : waiting.delivery;
      return setDue(waiting, dueAtMs, { delivery }, ' AND attribute_not_exists(isClaimed)');
    },

    /** Ends the wait, unless the delivery waits again. */
    async end({ pk, delivery }: WaitingDelivery): Promise<void> {
      await table.delete(
        { pk, sk: 'RETRY' },
        { condition: 'delivery.postponed.times = :times', values: { ':times': delivery.postponed.times } },
      );
    },
  };
}

export const deliveryRetries = dependency('deliveryRetries', () => createDeliveryRetries(resolve(database)));
