import * as v from 'valibot';
import { chunksOf } from '../../runtime/chunks.ts';
import { isoOf } from '../../runtime/clock.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { newId } from '../../runtime/ids.ts';
import { Channel } from '../../schemas/channel.ts';
import { DeliveryOption } from '../../schemas/delivery-mode.ts';
import { type Database, database } from '../database.ts';
import { keyOf, userPk } from '../keys/key.ts';
import { CONSENT_PREFIX, consentKey } from '../keys/user.ts';
import { readEach, readStored } from './stored.ts';

const StoredConsent = v.object({
  atMs: v.number(),
  /** The way it was stated: link, page, api, or what the caller named. */
  source: v.string(),
  /** `person`, or the key or member. */
  actor: v.string(),
  changes: v.array(
    v.object({
      notificationId: v.string(),
      subNotificationId: v.optional(v.string()),
      channel: Channel,
      /** Undefined if the choice was reset. */
      delivery: v.optional(DeliveryOption),
    }),
  ),
});
/** What one request changed of a user's choices, and who asked for it. */
export type StoredConsent = v.InferOutput<typeof StoredConsent>;

/** The history of a user's choices: only added to, until the user is erased. */
export type Consents = {
  add(environmentId: string, userId: string, consent: StoredConsent): Promise<void>;
  /** Newest first. `next` continues the list. */
  list(
    environmentId: string,
    userId: string,
    range: { limit: number; after?: string | undefined },
  ): Promise<{ consents: StoredConsent[]; next?: string }>;
};

/** Changes of one item: their IDs may be long. */
const CHANGES_MAX = 100;

function createConsents(table: Database): Consents {
  return {
    async add(environmentId, userId, consent) {
      for (const changes of chunksOf(consent.changes, CHANGES_MAX)) {
        const key = consentKey(environmentId, userId, isoOf(consent.atMs), newId());
        await table.put({ ...key, ...consent, changes });
      }
    },
    async list(environmentId, userId, { limit, after }) {
      const pk = userPk(environmentId, userId);
      const page = await table.query({
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': pk, ':prefix': CONSENT_PREFIX },
        ConsistentRead: true,
        ScanIndexForward: false,
        Limit: limit,
        ExclusiveStartKey: after === undefined ? undefined : { pk, sk: after },
      });
      const consents = readEach(page.items, (item) => readStored('consent', StoredConsent, item));
      return { consents, ...(page.lastKey ? { next: keyOf(page.lastKey).sk } : undefined) };
    },
  };
}

export const consents = dependency('consents', () => createConsents(resolve(database)));
