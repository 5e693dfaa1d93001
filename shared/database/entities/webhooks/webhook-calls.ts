import * as v from 'valibot';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { DAY_SECONDS, secondsAfter } from '../../../runtime/values/durations.ts';
import { shardOf } from '../../../runtime/values/ids.ts';
import { WebhookCall } from '../../../schemas/logs/webhook.ts';
import { type Database, database } from '../../database.ts';
import { readStored } from '../../items/stored.ts';
import { webhookCallKey } from '../../keys/environment.ts';
import { DUE_SHARDS, dueKeys } from '../../keys/indexes.ts';
import type { Key } from '../../keys/key.ts';

/** Start of the partition keys of waiting webhook calls. */

/** Time for a claimed call to complete before it is due again: its queue may be slow. */
const CLAIM_MS = 10 * 60_000;
const KEPT_SECONDS = 5 * DAY_SECONDS;

const StoredCall = v.object({ pk: v.string(), attempt: v.number(), dueAtMs: v.number(), call: WebhookCall });

/** Webhook calls that wait for an attempt further away than a queue's delay. */
function createWebhookCalls(table: Database) {
  const dueOf = (pk: string, dueAtMs: number) => dueKeys(dueAtMs, shardOf(pk, DUE_SHARDS), pk);

  async function read(key: Key) {
    const item = await table.get(key, { consistent: true });
    return item && readStored('webhook call', StoredCall, item);
  }

  return {
    /** Stores the call until its next attempt is due; one that has progressed further is unchanged. */
    async wait(call: WebhookCall, dueAtMs: number): Promise<void> {
      const key = webhookCallKey(call.id);
      await table.put(
        {
          ...key,
          ...dueOf(key.pk, dueAtMs),
          attempt: call.attempt,
          dueAtMs,
          call: { ...call, isStored: true },
          expiresAt: secondsAfter(dueAtMs, KEPT_SECONDS),
        },
        { condition: 'attribute_not_exists(pk) OR attempt < :attempt', values: { ':attempt': call.attempt } },
      );
    },

    /** The call to make now, once per due time; undefined when it is not due, done or claimed by another. */
    async claimDue(pk: string, nowMs: number): Promise<WebhookCall | undefined> {
      const stored = await read({ pk, sk: 'CALL' });
      if (!stored || stored.dueAtMs > nowMs) return undefined;
      const nextMs = nowMs + CLAIM_MS;
      const { duePk, dueSk } = dueOf(pk, nextMs);
      const outcome = await table.update(
        { pk, sk: 'CALL' },
        'SET dueAtMs = :next, duePk = :duePk, dueSk = :dueSk',
        {
          condition: 'dueAtMs = :seen AND attempt = :attempt',
          values: {
            ':next': nextMs,
            ':duePk': duePk,
            ':dueSk': dueSk,
            ':seen': stored.dueAtMs,
            ':attempt': stored.attempt,
          },
        },
      );
      return outcome.written ? stored.call : undefined;
    },

    /** True if the call waits for this attempt; a redelivered message of an earlier attempt is rejected. */
    async isCurrent(call: WebhookCall): Promise<boolean> {
      return (await read(webhookCallKey(call.id)))?.attempt === call.attempt;
    },

    /** Deletes the call if it is still at this attempt. */
    async end(call: WebhookCall): Promise<void> {
      await table.delete(webhookCallKey(call.id), {
        condition: 'attempt = :attempt',
        values: { ':attempt': call.attempt },
      });
    },
  };
}

export const webhookCalls = dependency('webhookCalls', () => createWebhookCalls(resolve(database)));
