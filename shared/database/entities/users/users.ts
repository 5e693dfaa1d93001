import { deviceTokensOf, withDeviceTokenChanges } from '../../../domain/users/device-tokens.ts';
import type { Profile, ProfileChange } from '../../../domain/users/profile.ts';
import { mergeProfile } from '../../../domain/users/user-merge.ts';
import type { Keyring } from '../../../encryption/keyring.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import type { TransactAction } from '../../client/transactions.ts';
import { type Database, database } from '../../database.ts';
import { withinItemSize } from '../../items/item-size.ts';
import { AGAIN, atRevision, untilSettled } from '../../items/settle.ts';
import type { Key } from '../../keys/key.ts';
import { type Contact, contactKey, formerContactKey, profileKey, traceKey } from '../../keys/user.ts';
import { keyring } from '../accounts/data-keys.ts';
import { recheckItem } from '../sending/rechecks.ts';
import {
  findStored,
  openProfile,
  openStored,
  type ProfileStore,
  sealItem,
  type UserScope,
} from './sealed-profile.ts';
import { readProfile, type StoredProfile } from './stored-profile.ts';
import { type Suppressions, suppressions } from './suppressions.ts';
import { tokenClaimActions } from './token-claims.ts';

type Addresses = { [Kind in Contact['kind']]?: string | undefined };

function keysOf(environmentId: string, userId: string, { email, number }: Addresses): Key[] {
  const contacts: Contact[] = [];
  if (email !== undefined) contacts.push({ kind: 'email', address: email });
  if (number !== undefined) contacts.push({ kind: 'number', address: number });
  return contacts.map((contact) => contactKey(environmentId, contact, userId));
}

/** The references from a user's addresses to the user. */
const contactReferences = {
  /**
   * The actions that commit a change of addresses together with the profile. `before`: the addresses that have a
   * reference; a user whom an earlier release stored has none.
   */
  change(user: { environmentId: string; userId: string }, before: Addresses, after: Addresses) {
    const { environmentId, userId } = user;
    const had = keysOf(environmentId, userId, before);
    const has = keysOf(environmentId, userId, after);
    const without = (keys: Key[], others: Key[]) =>
      keys.filter(({ pk }) => !others.some((other) => other.pk === pk));
    return [
      ...without(had, has).flatMap((key): TransactAction[] => [
        { delete: key },
        // An erasure by the former address finds the logs of what was sent there.
        { put: { ...formerContactKey(key.pk, userId), userId } },
        { put: { ...traceKey(environmentId, userId, key.pk), traced: key.pk } },
      ]),
      ...without(has, had).map((key): TransactAction => ({ put: { ...key, userId } })),
    ];
  },

  removal: ({ environmentId, userId }: { environmentId: string; userId: string }, before: Addresses) =>
    keysOf(environmentId, userId, before).map((key): TransactAction => ({ delete: key })),
};

export type Users = ReturnType<typeof createUsers>;

function createUsers(table: Database, ring: () => Keyring, suppressions: Suppressions) {
  const store: ProfileStore = { table, ring, suppressions };
  return {
    /** The profile with its chat token, from a stored item. */
    open: (scope: UserScope, stored: StoredProfile): Promise<Profile> => openProfile(store, scope, stored),
    /** The present profile; for half the cost if it is still the profile changed at `changedAtMs`, at least a moment ago. */
    find: (scope: UserScope, userId: string, changedAtMs?: number): Promise<Profile | undefined> =>
      findUser(store, scope, userId, changedAtMs),
    /**
     * Merges `change` into the user, creating it. A push token or web push subscription that is new to the user
     * is removed from its previous user in the environment; `seen` also claims those given again. `known` saves
     * the read if the stored profile is at hand; undefined means unknown, null that there was none. Writes
     * nothing if nothing changes.
     */
    merge: (
      scope: UserScope,
      userId: string,
      change: ProfileChange,
      options: { nowMs: number; known?: StoredProfile | null; seen?: boolean },
    ): Promise<Profile> => mergeUser(store, { scope, userId, change, options }),
    /**
     * Applies `edit` to the stored profile under its revision; undefined from `edit` leaves it. False if
     * absent.
     */
    edit: (
      scope: UserScope,
      userId: string,
      nowMs: number,
      edit: (profile: Profile) => Profile | undefined,
    ): Promise<boolean> =>
      untilSettled(async () => {
        const stored = await findStored(store, scope, userId);
        if (!stored) return false;
        const next = edit(await openProfile(store, scope, stored));
        return !next ||
          (await writeProfile(store, { scope, profile: { ...next, updatedAtMs: nowMs }, before: stored }))
          ? true
          : AGAIN;
      }),
    /** Deletes the profile and the references to it, and releases its push tokens and web push subscriptions. */
    remove: (scope: UserScope, userId: string, nowMs: number): Promise<void> =>
      removeUser(store, scope, userId, nowMs),
  };
}

/**
 * A suppression that only the profile has, as earlier releases stored it, outlives changes to the profile.
 */
async function adoptSuppression(
  store: ProfileStore,
  { accountId }: UserScope,
  stored: StoredProfile,
): Promise<void> {
  const { email, emailSuppressionStatus: copy } = stored;
  if (email && copy) await store.suppressions.adopt(accountId, email, copy);
}

/**
 * Writes the profile if its revision is unchanged; false if another writer was first, or if there is more to write: a transaction
 * has a limited number of tokens. `given`: tokens whose claims are checked even if the user already has them. `isReferred`: the
 * addresses possibly changed, or have no references.
 */
async function writeProfile(
  store: ProfileStore,
  {
    scope,
    profile,
    before,
    given: reclaimed = [],
    isReferred = false,
  }: {
    scope: UserScope;
    profile: Profile;
    before: StoredProfile | undefined;
    given?: readonly string[];
    isReferred?: boolean;
  },
): Promise<boolean> {
  const { environmentId } = scope;
  const { userId, updatedAtMs: nowMs } = profile;
  const { change, isLast } = nextTokenChange(before, profile, reclaimed);
  const names = new Set([...change.added, ...change.released]);
  const next = isLast ? profile : withDeviceTokenChanges(before ?? {}, profile, names);
  const sealed = await sealItem(store, scope, next, (before?.revision ?? 0) + 1);
  const put = isReferred || before?.hasReferences ? { ...sealed, hasReferences: true } : sealed;
  const unchanged = before ? atRevision(before.revision) : { condition: 'attribute_not_exists(pk)' };
  const claims = await tokenClaimActions(store.table, { environmentId, userId, nowMs, ...change });
  const referred = before?.hasReferences ? before : {};
  const others = [
    ...claims,
    ...(isReferred ? contactReferences.change({ environmentId, userId }, referred, profile) : []),
    ...(isRechecked(before, profile) ? [{ put: recheckItem({ ...scope, userId, atMs: nowMs }, nowMs) }] : []),
  ];
  const { written } = await withinItemSize('user', async () =>
    others.length === 0
      ? await store.table.put(put, unchanged)
      : await store.table.transact([{ put, ...unchanged }, ...others]),
  );
  return written && isLast;
}

/** True if what waits for the user may be due at another time by the new settings. */
function isRechecked(before: StoredProfile | undefined, profile: Profile): boolean {
  const quietOf = ({ quietHours, pausedUntilMs }: Partial<StoredProfile>) =>
    JSON.stringify([quietHours, pausedUntilMs]);
  const isMoved = before !== undefined && before.timezone !== profile.timezone;
  return isMoved || quietOf(before ?? {}) !== quietOf(profile);
}

async function findUser(
  store: ProfileStore,
  scope: UserScope,
  userId: string,
  changedAtMs?: number,
): Promise<Profile | undefined> {
  const item =
    changedAtMs === undefined ? undefined : await store.table.get(profileKey(scope.environmentId, userId));
  const isKnown = item !== undefined && item.updatedAtMs === changedAtMs;
  const stored = isKnown ? readProfile(item) : await findStored(store, scope, userId);
  return stored && openProfile(store, scope, stored);
}

async function mergeUser(
  store: ProfileStore,
  {
    scope,
    userId,
    change,
    options: { nowMs, known, seen },
  }: {
    scope: UserScope;
    userId: string;
    change: ProfileChange;
    options: { nowMs: number; known?: StoredProfile | null; seen?: boolean };
  },
): Promise<Profile> {
  const { pushTokens, webPushTokens, email, number } = change;
  const isReferred = email !== undefined || number !== undefined;
  const reclaimed = seen
    ? deviceTokensOf({ pushTokens: pushTokens ?? [], webPushTokens: webPushTokens ?? [] })
    : [];
  let isFirst = true;
  return untilSettled(async () => {
    const isKnown = isFirst && known !== undefined;
    const stored = isKnown ? (known ?? undefined) : await findStored(store, scope, userId);
    isFirst = false;
    const opened = stored && (await openStored(store, scope, stored));
    if (stored && opened?.isCopyOnly) await adoptSuppression(store, scope, stored);
    const current = opened?.profile;
    const merged = mergeProfile(current, userId, change, nowMs, seen);
    const next = seen ? { ...merged, lastSeenAtMs: nowMs } : merged;
    return next === current ||
      (await writeProfile(store, { scope, profile: next, before: stored, given: reclaimed, isReferred }))
      ? next
      : AGAIN;
  });
}

function removeUser(store: ProfileStore, scope: UserScope, userId: string, nowMs: number): Promise<void> {
  return untilSettled(async () => {
    const { environmentId } = scope;
    const key = profileKey(environmentId, userId);
    const item = await store.table.get(key, { consistent: true });
    if (!item) return;
    const stored = readProfile(item);
    await adoptSuppression(store, scope, stored);
    const { change, isLast } = nextTokenChange(stored, {}, []);
    const claims = await tokenClaimActions(store.table, { environmentId, userId, nowMs, ...change });
    const rest = withDeviceTokenChanges(stored, {}, new Set(change.released));
    const profile: TransactAction = isLast
      ? { delete: key, ...atRevision(stored.revision) }
      : { put: { ...item, ...rest, revision: stored.revision + 1 }, ...atRevision(stored.revision) };
    const references = isLast ? contactReferences.removal({ environmentId, userId }, stored) : [];
    const { written } = await store.table.transact([profile, ...claims, ...references]);
    return written && isLast ? undefined : AGAIN;
  });
}

/** Tokens per transaction: each needs up to two of its hundred actions. */
const TOKENS_AT_ONCE = 20;

/** The next changes of tokens on the way from `before` to `after`, releases first. */
function nextTokenChange(
  before: StoredProfile | undefined,
  after: Pick<Profile, 'pushTokens' | 'webPushTokens'>,
  reclaimed: readonly string[],
) {
  const had = new Set(deviceTokensOf(before ?? {}));
  const has = new Set(deviceTokensOf(after));
  const changes = [
    ...[...had].filter((name) => !has.has(name)),
    ...[...has].filter((name) => !had.has(name)),
  ];
  const now = changes.slice(0, TOKENS_AT_ONCE);
  const repeated = reclaimed.filter((name) => had.has(name) && has.has(name));
  const change = {
    released: now.filter((name) => had.has(name)),
    added: now.filter((name) => has.has(name)),
    kept: repeated.slice(0, TOKENS_AT_ONCE - now.length),
  };
  return { change, isLast: now.length === changes.length };
}

export const users = dependency('users', () =>
  createUsers(resolve(database), () => resolve(keyring), resolve(suppressions)),
);
