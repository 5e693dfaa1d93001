import * as v from 'valibot';
import { isSince, MARKETING, type Purpose } from '../../../domain/users/opt-outs.ts';
import { chunksOf } from '../../../runtime/async/chunks.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import type { Channel } from '../../../schemas/channel.ts';
import { DeliveryOption } from '../../../schemas/delivery/delivery-mode.ts';
import { Preference } from '../../../schemas/users/preference.ts';
import { type Database, database } from '../../database.ts';
import { withinItemSize } from '../../items/item-size.ts';
import { readStored } from '../../items/stored.ts';
import { type Key, part } from '../../keys/key.ts';
import { preferencesKey } from '../../keys/user.ts';
import type { Item } from '../../table.ts';

/** A choice and its time. One that an unsubscribe link turned off has the choice before it. */
const StoredPreference = v.object({
  ...Preference.entries,
  before: v.optional(DeliveryOption),
  atMs: v.optional(v.number()),
  /** The person chose it, or the caller states that they consented. */
  isConsent: v.optional(v.boolean()),
});
export type StoredPreference = v.InferOutput<typeof StoredPreference>;

const StoredPreferences = v.object({ entries: v.record(v.string(), StoredPreference) });

/** All preferences of one user, by what they are for. */
export type Preferences = ReadonlyMap<string, StoredPreference>;

/** The scope of a preference, as its name in the user's preferences item. */
function preferenceName(
  notificationId: string,
  subNotificationId: string | undefined,
  channel: Channel,
): string {
  return `${part(notificationId)}#${part(subNotificationId ?? '')}#${channel}`;
}

/** Reads a preferences item from a batch; no item means no preference. */
export function readPreferences(item: Item | undefined): Preferences {
  return new Map(item ? Object.entries(readStored('preferences', StoredPreferences, item).entries) : []);
}

/** The choice for a sub-notification. Falls back to the choice for its whole type. */
export function preferenceFor(
  preferences: Preferences,
  notificationId: string,
  subNotificationId: string | undefined,
  channel: Channel,
): StoredPreference | undefined {
  const own =
    subNotificationId && preferences.get(preferenceName(notificationId, subNotificationId, channel));
  return own || preferences.get(preferenceName(notificationId, undefined, channel));
}

/** The choice for exactly this type, or sub-notification. */
const ownChoice = (preferences: Preferences, { notificationId, subNotificationId, channel }: Preference) =>
  preferences.get(preferenceName(notificationId, subNotificationId, channel));

/** True if `next` differs from the present choice, or states a consent that was not recorded. */
export function isNewChoice(preferences: Preferences, next: StoredPreference): boolean {
  const own = ownChoice(preferences, next);
  const all = marketingChoice(preferences, next.channel);
  const isOverruled = all !== undefined && all !== own && all.delivery === 'off' && isSince(all, own);
  return (
    own?.delivery !== next.delivery || (next.isConsent ?? false) !== (own.isConsent ?? false) || isOverruled
  );
}

export const preferredDelivery = (...scope: Parameters<typeof preferenceFor>): DeliveryOption | undefined =>
  preferenceFor(...scope)?.delivery;

/** The choice for a notification: the user's choice for its type or for all marketing, the later of the two. */
export function deliveryFor(
  preferences: Preferences,
  { notificationId, subNotificationId }: { notificationId: string; subNotificationId: string | undefined },
  purpose: Purpose | undefined,
  channel: Channel,
): DeliveryOption | undefined {
  const chosen = preferenceFor(preferences, notificationId, subNotificationId, channel);
  const all = purpose === 'marketing' ? marketingChoice(preferences, channel) : undefined;
  return all?.delivery === 'off' && isSince(all, chosen) ? 'off' : chosen?.delivery;
}

/** Marketing by text message and call needs a consent: to the type, or to all marketing. */
export function hasConsent(
  preferences: Preferences,
  { notificationId, subNotificationId }: { notificationId: string; subNotificationId: string | undefined },
  channel: Channel,
): boolean {
  if (channel !== 'SMS' && channel !== 'CALL') return true;
  return isConsented(preferences, { notificationId, subNotificationId }, 'marketing', channel);
}

/** True if a consent to the type, or to marketing if it is that, is recorded. */
export function isConsented(
  preferences: Preferences,
  { notificationId, subNotificationId }: { notificationId: string; subNotificationId?: string | undefined },
  purpose: Purpose | undefined,
  channel: Channel,
): boolean {
  const chosen = preferenceFor(preferences, notificationId, subNotificationId, channel);
  const all = purpose === 'marketing' ? marketingChoice(preferences, channel) : undefined;
  return [chosen, all].some((each) => each?.isConsent === true);
}

/** The choice for all marketing on a channel. */
export const marketingChoice = (preferences: Preferences, channel: Channel): StoredPreference | undefined =>
  preferenceFor(preferences, MARKETING.notificationId, MARKETING.subNotificationId, channel);

/**
 * Access patterns of preferences: one item per user, changed entry by entry, so that concurrent choices are
 * all kept.
 */
export type PreferenceStore = {
  find(environmentId: string, userId: string): Promise<Preferences>;
  /**
   * Sets entries; of two for the same scope, the later counts. Throws INVALID_REQUEST if they no longer fit.
   */
  set(environmentId: string, userId: string, preferences: readonly StoredPreference[]): Promise<void>;
  /** Removes the entries that `matches` names, and returns them. */
  reset(
    environmentId: string,
    userId: string,
    matches: (preference: Preference) => boolean,
  ): Promise<StoredPreference[]>;
};

/** An update expression may have 4 KB, about 150 entries. */
const ENTRIES_AT_ONCE = 100;

function createPreferenceStore(table: Database): PreferenceStore {
  async function find(environmentId: string, userId: string): Promise<Preferences> {
    return readPreferences(await table.get(preferencesKey(environmentId, userId), { consistent: true }));
  }

  async function setSome(key: Key, some: readonly [string, StoredPreference][]): Promise<void> {
    const names = Object.fromEntries(some.map(([name], index) => [`#p${index}`, name]));
    const values = Object.fromEntries(some.map(([, value], index) => [`:p${index}`, value]));
    const sets = some.map((_, index) => `entries.#p${index} = :p${index}`).join(', ');
    const update = () =>
      table.update(key, `SET ${sets}`, { condition: 'attribute_exists(pk)', names, values });
    // The item may go at any moment, when the user is deleted.
    while (!(await withinItemSize('user', update)).written) {
      await table.put({ ...key, entries: {} }, { condition: 'attribute_not_exists(pk)' });
    }
  }

  return {
    find,

    async set(environmentId, userId, preferences) {
      const byName = new Map(
        preferences.map((each) => [
          preferenceName(each.notificationId, each.subNotificationId, each.channel),
          each,
        ]),
      );
      for (const some of chunksOf([...byName], ENTRIES_AT_ONCE))
        await setSome(preferencesKey(environmentId, userId), some);
    },

    async reset(environmentId, userId, matches) {
      const stored = [...(await find(environmentId, userId))];
      const removed = stored.filter(([, preference]) => matches(preference));
      for (const some of chunksOf(removed, ENTRIES_AT_ONCE)) {
        await table.update(
          preferencesKey(environmentId, userId),
          `REMOVE ${some.map((_, index) => `entries.#p${index}`).join(', ')}`,
          {
            condition: 'attribute_exists(pk)',
            names: Object.fromEntries(some.map(([name], index) => [`#p${index}`, name])),
          },
        );
      }
      return removed.map(([, preference]) => preference);
    },
  };
}

export const preferenceStore = dependency('preferenceStore', () => createPreferenceStore(resolve(database)));
