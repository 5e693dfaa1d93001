import * as v from 'valibot';
import { chunksOf } from '../../../runtime/async/chunks.ts';
import { isoOf } from '../../../runtime/clock.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { newId } from '../../../runtime/values/ids.ts';
import { Channel } from '../../../schemas/channel.ts';
import { DeliveryOption } from '../../../schemas/delivery/delivery-mode.ts';
import { type Database, database } from '../../database.ts';
import { readEach, readStored } from '../../items/stored.ts';
import { keyOf, userPk } from '../../keys/key.ts';
import { CONSENT_PREFIX, consentKey } from '../../keys/user.ts';

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
  /** `id`: of what reports it, which may come twice. */
  add(environmentId: string, userId: string, consent: StoredConsent, id?: string): Promise<void>;
  /** Newest first, each with one change. `next` continues the list. */
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
    async add(environmentId, userId, consent, id = newId()) {
      for (const [part, changes] of chunksOf(consent.changes, CHANGES_MAX).entries()) {
        const key = consentKey(environmentId, userId, isoOf(consent.atMs), `${id}${part || ''}`);
        await table.put({ ...key, ...consent, changes });
      }
    },
    async list(environmentId, userId, { limit, after }) {
      const [, from = 0, last = `${CONSENT_PREFIX}~`] = /^(\d+) (.*)$/s.exec(after ?? '') ?? [];
      const page = await table.query({
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :prefix AND :last',
        ExpressionAttributeValues: {
          ':pk': userPk(environmentId, userId),
          ':prefix': CONSENT_PREFIX,
          ':last': last,
        },
        ConsistentRead: true,
        ScanIndexForward: false,
        Limit: limit + 1,
      });
      const entries = readEach(page.items, (item) => ({
        sk: keyOf(item).sk,
        ...readStored('consent', StoredConsent, item),
      })).flatMap(({ sk, changes, ...consent }) =>
        changes
          .map((change, index) => ({
            position: `${index} ${sk}`,
            consent: { ...consent, changes: [change] },
          }))
          .slice(sk === last ? Number(from) : 0),
      );
      const next = entries[limit]?.position;
      return {
        consents: entries.slice(0, limit).map(({ consent }) => consent),
        ...(next === undefined ? undefined : { next }),
      };
    },
  };
}

export const consents = dependency('consents', () => createConsents(resolve(database)));
