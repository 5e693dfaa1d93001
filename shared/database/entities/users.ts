import { deviceTokensOf, withDeviceTokenChanges } from '../../domain/device-tokens.ts';
import type { Profile, ProfileChange } from '../../domain/profile.ts';
import type { SmsOptOut } from '../../domain/sms-opt-out.ts';
import { withOptOut } from '../../domain/sms-opt-outs.ts';
import { mergeProfile } from '../../domain/user-merge.ts';
import type { Keyring } from '../../encryption/keyring.ts';
import { defined } from '../../runtime/defined.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { shardOf } from '../../runtime/ids.ts';
import { type Database, database } from '../database.ts';
import { feedKeys, profileKey } from '../keys.ts';
import type { Item } from '../table.ts';
import type { TransactAction } from '../transactions.ts';
import { keyring } from './data-keys.ts';
import { withinItemSize } from './item-size.ts';
import { AGAIN, atRevision, untilSettled } from './settle.ts';
import { readReadable } from './stored.ts';
import { readProfile, StoredChatToken, type StoredProfile } from './stored-profile.ts';
import { type Suppressions, suppressions } from './suppressions.ts';
import { tokenClaimActions } from './token-claims.ts';

/** Kind of the users' feed in the index `feed`: newest user first. */
export const USER_FEED = 'USER';

/** Which account and environment a user belongs to, from the caller's credential. */
export type UserScope = { accountId: string; environmentId: string };

export type Users = {
  /** The profile as it is; for half the cost where it is still the one changed at `changedAtMs`, a moment ago at least. */
  find(scope: UserScope, userId: string, changedAtMs?: number): Promise<Profile | undefined>;
  /** The profile with its chat token, from a stored item. */
  open(scope: UserScope, stored: StoredProfile): Promise<Profile>;
  /**
   * Merges `change` into the user, creating it. A push token or web push subscription that is new to the user
   * is removed from its previous user in the environment; `seen` also claims those given again. `known` saves
   * the read if the stored profile is at hand; undefined means unknown, null that there was none. Writes
   * nothing if nothing changes.
   */
  merge(
    scope: UserScope,
    userId: string,
    change: ProfileChange,
    options: { nowMs: number; known?: StoredProfile | null; seen?: boolean },
  ): Promise<Profile>;
  /**
   * Applies `edit` to the stored profile under its revision; undefined from `edit` leaves it. False if
   * absent.
   */
  edit(
    scope: UserScope,
    userId: string,
    nowMs: number,
    edit: (profile: Profile) => Profile | undefined,
  ): Promise<boolean>;
  /** Deletes the profile and releases its push tokens and web push subscriptions. */
  remove(scope: UserScope, userId: string, nowMs: number): Promise<void>;
  /**
   * Stores the user's opt-out or opt-in, unless a later one is stored; an absent user is not created. Needs
   * no keyring.
   */
  keepSmsOptOut(scope: UserScope, userId: string, change: SmsOptOut): Promise<void>;
};

function createUsers(table: Database, ring: () => Keyring, suppressions: Suppressions): Users {
  const encryptionContext = (scope: UserScope, userId: string) => ({
    accountId: scope.accountId,
    kind: 'chat-token',
    id: `${scope.environmentId}/${userId}`,
  });

  async function findStored(scope: UserScope, userId: string): Promise<StoredProfile | undefined> {
    const item = await table.get(profileKey(scope.environmentId, userId), { consistent: true });
    return item && readProfile(item);
  }

  async function openStored(scope: UserScope, stored: StoredProfile) {
    const { revision: _, sealedChatToken, emailSuppressionStatus: copy, email, ...profile } = stored;
    const [suppression, token] = await Promise.all([
      copy && email ? suppressions.findOrCopy(scope.accountId, email, copy) : undefined,
      sealedChatToken === undefined
        ? undefined
        : ring().decrypt(encryptionContext(scope, stored.userId), sealedChatToken),
    ]);
    const opened: Profile = defined({
      ...profile,
      email,
      emailSuppressionStatus: suppression?.status,
      chatToken: token ? readReadable('chat token', StoredChatToken, JSON.parse(token)) : undefined,
    });
    return { profile: opened, isCopyOnly: suppression?.isCopyOnly ?? false };
  }

  const open = async (scope: UserScope, stored: StoredProfile) => (await openStored(scope, stored)).profile;

  /**
   * A suppression that only the profile has, as earlier releases stored it, outlives changes to the profile.
   */
  async function adoptSuppression({ accountId }: UserScope, stored: StoredProfile): Promise<void> {
    const { email, emailSuppressionStatus: copy } = stored;
    if (email && copy) await suppressions.adopt(accountId, email, copy);
  }

  async function sealItem(scope: UserScope, profile: Profile, revision: number): Promise<Item> {
    const { chatToken, ...rest } = profile;
    const { environmentId, accountId } = scope;
    const { userId, createdAtMs } = profile;
    const sealed =
      chatToken && (await ring().encrypt(encryptionContext(scope, userId), JSON.stringify(chatToken)));
    return {
      ...profileKey(environmentId, userId),
      ...feedKeys(environmentId, USER_FEED, shardOf(userId, 1), createdAtMs, userId),
      ...rest,
      accountId,
      environmentId,
      revision,
      ...defined({ sealedChatToken: sealed || undefined }),
    };
  }

  /**
   * Writes the profile under the revision at which it was read; false if another writer was first, or if
   * there is more to write: a transaction has a limited number of tokens. `given`: tokens whose claims are
   * checked even if the user already has them.
   */
  async function write(
    scope: UserScope,
    profile: Profile,
    before: StoredProfile | undefined,
    given: readonly string[] = [],
  ): Promise<boolean> {
    const { environmentId } = scope;
    const { userId, updatedAtMs: nowMs } = profile;
    const { change, isLast } = nextTokenChange(before, profile, given);
    const names = new Set([...change.added, ...change.released]);
    const next = isLast ? profile : withDeviceTokenChanges(before ?? {}, profile, names);
    const put = await sealItem(scope, next, (before?.revision ?? 0) + 1);
    const unchanged = before ? atRevision(before.revision) : { condition: 'attribute_not_exists(pk)' };
    const claims = await tokenClaimActions(table, { environmentId, userId, nowMs, ...change });
    const { written } = await withinItemSize('user', async () =>
      claims.length === 0
        ? await table.put(put, unchanged)
        : await table.transact([{ put, ...unchanged }, ...claims]),
    );
    return written && isLast;
  }

  return {
    open,

    async find(scope, userId, changedAtMs) {
      const item =
        changedAtMs === undefined ? undefined : await table.get(profileKey(scope.environmentId, userId));
      const isKnown = item !== undefined && item.updatedAtMs === changedAtMs;
      const stored = isKnown ? readProfile(item) : await findStored(scope, userId);
      return stored && open(scope, stored);
    },

    async merge(scope, userId, change, { nowMs, known, seen }) {
      const { pushTokens, webPushTokens } = change;
      const given = seen
        ? deviceTokensOf({ pushTokens: pushTokens ?? [], webPushTokens: webPushTokens ?? [] })
        : [];
      let isFirst = true;
      return untilSettled(async () => {
        const isKnown = isFirst && known !== undefined;
        const stored = isKnown ? (known ?? undefined) : await findStored(scope, userId);
        isFirst = false;
        const opened = stored && (await openStored(scope, stored));
        if (stored && opened?.isCopyOnly) await adoptSuppression(scope, stored);
        const current = opened?.profile;
        const merged = mergeProfile(current, userId, change, nowMs, seen);
        const next = seen ? { ...merged, lastSeenAtMs: nowMs } : merged;
        return next === current || (await write(scope, next, stored, given)) ? next : AGAIN;
      });
    },

    edit: (scope, userId, nowMs, edit) =>
      untilSettled(async () => {
        const stored = await findStored(scope, userId);
        if (!stored) return false;
        const next = edit(await open(scope, stored));
        return !next || (await write(scope, { ...next, updatedAtMs: nowMs }, stored)) ? true : AGAIN;
      }),

    remove: (scope, userId, nowMs) =>
      untilSettled(async () => {
        const { environmentId } = scope;
        const key = profileKey(environmentId, userId);
        const item = await table.get(key, { consistent: true });
        if (!item) return;
        const stored = readProfile(item);
        await adoptSuppression(scope, stored);
        const { change, isLast } = nextTokenChange(stored, {}, []);
        const claims = await tokenClaimActions(table, { environmentId, userId, nowMs, ...change });
        const rest = withDeviceTokenChanges(stored, {}, new Set(change.released));
        const profile: TransactAction = isLast
          ? { delete: key, ...atRevision(stored.revision) }
          : { put: { ...item, ...rest, revision: stored.revision + 1 }, ...atRevision(stored.revision) };
        const { written } = await table.transact([profile, ...claims]);
        return written && isLast ? undefined : AGAIN;
      }),

    keepSmsOptOut: ({ environmentId }, userId, change) =>
      untilSettled(async () => {
        const item = await table.get(profileKey(environmentId, userId), { consistent: true });
        if (!item) return;
        const { smsOptOuts = [], revision } = readProfile(item);
        const kept = withOptOut(smsOptOuts, change);
        if (kept === smsOptOuts) return;
        const next = { ...item, smsOptOuts: kept, revision: revision + 1 };
        const { written } = await table.put(next, atRevision(revision));
        return written ? undefined : AGAIN;
      }),
  };
}

/** Tokens per transaction: each needs up to two of its hundred actions. */
const TOKENS_AT_ONCE = 20;

/** The next changes of tokens on the way from `before` to `after`, releases first. */
function nextTokenChange(
  before: StoredProfile | undefined,
  after: Pick<Profile, 'pushTokens' | 'webPushTokens'>,
  given: readonly string[],
) {
  const had = new Set(deviceTokensOf(before ?? {}));
  const has = new Set(deviceTokensOf(after));
  const changes = [
    ...[...had].filter((name) => !has.has(name)),
    ...[...has].filter((name) => !had.has(name)),
  ];
  const now = changes.slice(0, TOKENS_AT_ONCE);
  const kept = given.filter((name) => had.has(name) && has.has(name));
  const change = {
    released: now.filter((name) => had.has(name)),
    added: now.filter((name) => has.has(name)),
    kept: kept.slice(0, TOKENS_AT_ONCE - now.length),
  };
  return { change, isLast: now.length === changes.length };
}

export const users = dependency('users', () =>
  createUsers(resolve(database), () => resolve(keyring), resolve(suppressions)),
);
