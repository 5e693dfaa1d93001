import type { Profile } from '../../domain/profile.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { type Database, database } from '../database.ts';
import { type Feed, feed } from './feed.ts';
import { readEach } from './stored.ts';
import { readProfile, USER_FEED, type UserScope, type Users, users } from './users.ts';

/** One page, newest first; `nextPosition` is where the next one goes on, absent at the end. */
type UserPage = { users: Profile[]; nextPosition?: string };

/** The list of an environment's users by the time they were created. */
export type UserList = {
  /** Index `feed`, newest first. A user deleted a moment ago is left out, so a page may be short. */
  listNewestFirst(
    scope: UserScope,
    options: { limit: number; after?: string | undefined },
  ): Promise<UserPage>;
};

function createUserList(table: Database, feeds: Feed, entity: Users): UserList {
  return {
    async listNewestFirst(scope, { limit, after }) {
      const wanted = [{ environmentId: scope.environmentId, kind: USER_FEED, shards: 1 }];
      const entries = await feeds.listNewestFirst(wanted, { limit: limit + 1, after });
      const shown = entries.slice(0, limit);
      const items = await table.batchGet(
        shown.map((entry) => entry.key),
        { consistent: true },
      );
      const stored = readEach(
        items.filter((item) => item !== undefined),
        readProfile,
      );
      const last = shown.at(-1);
      return {
        users: await Promise.all(stored.map((each) => entity.open(scope, each))),
        ...(entries.length > limit && last ? { nextPosition: last.position } : {}),
      };
    },
  };
}

export const userList = dependency('userList', () =>
  createUserList(resolve(database), resolve(feed), resolve(users)),
);
