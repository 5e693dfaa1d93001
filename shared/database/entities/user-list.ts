import type { Profile } from '../../domain/profile.ts';
import { defined } from '../../runtime/defined.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database } from '../database.ts';
import { type Feed, feed } from './feed.ts';
import { USER_FEED, type UserScope } from './sealed-profile.ts';
import { findReadable } from './stored.ts';
import { readProfile } from './stored-profile.ts';
import { type Users, users } from './users.ts';

/** One page, newest first, each user with their position; `nextPosition` is where the next page starts, absent at the end. */
type UserPage = { users: { profile: Profile; position: string }[]; nextPosition?: string };

/** The list of an environment's users by the time they were created. */
export type UserList = {
  /** Index `feed`, newest first. A user deleted a moment ago is omitted, so a page may be short. */
  listNewestFirst(
    scope: UserScope,
    options: { limit: number; after?: string | undefined },
  ): Promise<UserPage>;
};

function createUserList(table: Database, feeds: Feed, entity: Users): UserList {
  return {
    async listNewestFirst(scope, { limit, after }) {
      const userFeeds = [{ environmentId: scope.environmentId, kind: USER_FEED, shards: 1 }];
      const entries = await feeds.listNewestFirst(userFeeds, { limit: limit + 1, after });
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
      const last = shown.at(-1);
      return {
        users: users.filter((each) => each !== undefined),
        ...defined({ nextPosition: entries.length > limit ? last?.position : undefined }),
      };
    },
  };
}

export const userList = dependency('userList', () =>
  createUserList(resolve(database), resolve(feed), resolve(users)),
);
