import type { Profile } from '../../../domain/users/profile.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { type Database, database } from '../../database.ts';
import { findReadable } from '../../items/stored.ts';
import { type Key, userPk } from '../../keys/key.ts';
import {
  CONTACT_FORMER_PREFIX,
  CONTACT_USER_PREFIX,
  type Contact,
  contactPk,
  profileKey,
} from '../../keys/user.ts';
import { type Feed, feed } from '../logs/feed.ts';
import { USER_FEED, type UserScope } from './sealed-profile.ts';
import { readProfile } from './stored-profile.ts';
import { type Users, users } from './users.ts';

/** One page, each user with their position; `nextPosition` is where the next page starts, absent at the end. */
type UserPage = { users: { profile: Profile; position: string }[]; nextPosition?: string };

type Range = { limit: number; after?: string | undefined };

/** The lists of an environment's users. One deleted a moment ago is omitted, so a page may be short. */
export type UserList = ReturnType<typeof createUserList>;

/** Most entries of the index `feed`, about 100 bytes each, that a page of a prefix reads. */
const PREFIX_ENTRIES_MAX = 5000;

type Entry = { position: string; key: Key };

function createUserList(table: Database, feeds: Feed, entity: Users) {
  async function opened(scope: UserScope, entries: readonly Entry[], limit: number): Promise<UserPage> {
    const shown = entries.slice(0, limit);
    const items = await table.batchGet(
      shown.map((entry) => entry.key),
      { consistent: true },
    );
    const users = await Promise.all(
      shown.map(({ position }, index) =>
        findReadable(async () => {
          const item = items[index];
          return item && { profile: await entity.open(scope, readProfile(item)), position };
        }),
      ),
    );
    return {
      users: users.filter((each) => each !== undefined),
      ...defined({ nextPosition: entries.length > limit ? shown.at(-1)?.position : undefined }),
    };
  }

  const read = ({ environmentId }: UserScope, range: Range) =>
    feeds.listNewestFirst([{ environmentId, kind: USER_FEED, shards: 1 }], range);

  return {
    /** Index `feed`, newest first. */
    async listNewestFirst(scope: UserScope, { limit, after }: Range): Promise<UserPage> {
      return opened(scope, await read(scope, { limit: limit + 1, after }), limit);
    },

    /**
     * Those whose ID starts with `prefix`, in any case, newest first. Reads a limited part of the index `feed`: a page may
     * be empty and not the last.
     */
    async listByPrefix(scope: UserScope, prefix: string, { limit, after }: Range): Promise<UserPage> {
      const entries = await read(scope, { limit: PREFIX_ENTRIES_MAX, after });
      const start = userPk(scope.environmentId, prefix).toLowerCase();
      const found = entries.filter(({ key }) => key.pk.toLowerCase().startsWith(start));
      const page = await opened(scope, found, limit);
      const last = entries.length === PREFIX_ENTRIES_MAX ? entries.at(-1)?.position : undefined;
      return { ...defined({ nextPosition: last }), ...page };
    },

    /** The users who have the address, in any spelling, by ID. */
    async listByContact(scope: UserScope, contact: Contact, { limit, after }: Range): Promise<UserPage> {
      const { environmentId } = scope;
      const { items } = await table.query({
        KeyConditionExpression: 'pk = :pk AND sk > :after',
        ExpressionAttributeValues: {
          ':pk': contactPk(environmentId, contact),
          ':after': after ?? CONTACT_USER_PREFIX,
        },
        Limit: limit + 1,
        ConsistentRead: true,
      });
      const entries = items.map(({ sk, userId }) => ({
        position: String(sk),
        key: profileKey(environmentId, String(userId)),
      }));
      return opened(scope, entries, limit);
    },

    /** IDs of the users who had the address and have another now. */
    async listFormer({ environmentId }: UserScope, contact: Contact): Promise<string[]> {
      const items = await table.queryAll(contactPk(environmentId, contact), CONTACT_FORMER_PREFIX);
      return items.map(({ userId }) => String(userId));
    },
  };
}

export const userList = dependency('userList', () =>
  createUserList(resolve(database), resolve(feed), resolve(users)),
);
