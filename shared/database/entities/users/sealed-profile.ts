import type { Profile } from '../../../domain/users/profile.ts';
import type { Keyring } from '../../../encryption/keyring.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { shardOf } from '../../../runtime/values/ids.ts';
import type { Database } from '../../database.ts';
import { readReadable } from '../../items/stored.ts';
import { feedKeys } from '../../keys/indexes.ts';
import { profileKey } from '../../keys/user.ts';
import type { Item } from '../../table.ts';
import { readProfile, StoredChatToken, type StoredProfile } from './stored-profile.ts';
import type { Suppressions } from './suppressions.ts';

/** Kind of the users' feed in the index `feed`: newest user first. */
export const USER_FEED = 'USER';

/** Which account and environment a user belongs to, from the caller's credential. */
export type UserScope = { accountId: string; environmentId: string };

export type ProfileStore = { table: Database; ring: () => Keyring; suppressions: Suppressions };

const encryptionContext = (scope: UserScope, userId: string) => ({
  accountId: scope.accountId,
  kind: 'chat-token',
  id: `${scope.environmentId}/${userId}`,
});

export async function findStored(
  store: ProfileStore,
  scope: UserScope,
  userId: string,
): Promise<StoredProfile | undefined> {
  const item = await store.table.get(profileKey(scope.environmentId, userId), { consistent: true });
  return item && readProfile(item);
}

export async function openStored(store: ProfileStore, scope: UserScope, stored: StoredProfile) {
  const { revision: _, hasReferences: __, sealedChatToken, ...known } = stored;
  const { emailSuppressionStatus: copy, email, ...profile } = known;
  const [suppression, token] = await Promise.all([
    copy && email ? store.suppressions.findOrCopy(scope.accountId, email, copy) : undefined,
    sealedChatToken === undefined
      ? undefined
      : store.ring().decrypt(encryptionContext(scope, stored.userId), sealedChatToken),
  ]);
  const opened: Profile = defined({
    ...profile,
    email,
    emailSuppressionStatus: suppression?.status,
    chatToken: token ? readReadable('chat token', StoredChatToken, JSON.parse(token)) : undefined,
  });
  return { profile: opened, isCopyOnly: suppression?.isCopyOnly ?? false };
}

export const openProfile = async (store: ProfileStore, scope: UserScope, stored: StoredProfile) =>
  (await openStored(store, scope, stored)).profile;

export async function sealItem(
  store: ProfileStore,
  scope: UserScope,
  profile: Profile,
  revision: number,
): Promise<Item> {
  const { chatToken, attributes, ...rest } = profile;
  const { environmentId, accountId } = scope;
  const { userId, createdAtMs } = profile;
  const sealed =
    chatToken && (await store.ring().encrypt(encryptionContext(scope, userId), JSON.stringify(chatToken)));
  return {
    ...profileKey(environmentId, userId),
    ...feedKeys(environmentId, USER_FEED, shardOf(userId, 1), createdAtMs, userId),
    ...rest,
    accountId,
    environmentId,
    revision,
    ...defined({
      sealedChatToken: sealed || undefined,
      attributes: attributes && JSON.stringify(attributes),
    }),
  };
}
