import { dependency, resolve } from '../../deps/dependency.ts';
import { type Database, database } from '../database.ts';
import { accountKey, environmentKey, organizationKey, preferencesKey, profileKey, typeKey } from '../keys.ts';
import type { Item } from '../table.ts';
import { type Account, readAccount } from './accounts.ts';
import { type Environment, readEnvironment } from './environments.ts';
import { readType, type StoredType } from './notification-types.ts';
import { type Preferences, readPreferences } from './preferences.ts';
import { readProfile, type StoredProfile } from './users.ts';

/** Everything a notification is judged by, as it is now. */
export type SendingContext = {
  profile: StoredProfile | undefined;
  preferences: Preferences;
  type: StoredType | undefined;
  environment: Environment;
  account: Account;
  /** The organization's billing item, for its caps. */
  organization: Item | undefined;
};

/** Reads it all in one call, uncached: a changed preference, type or switch holds for the next send. */
export type SendingContexts = {
  read(scope: {
    accountId: string;
    environmentId: string;
    userId: string;
    notificationId: string;
  }): Promise<SendingContext>;
};

/** Builds the read on the table. */
export function createSendingContexts(table: Database): SendingContexts {
  return {
    async read({ accountId, environmentId, userId, notificationId }) {
      const [profile, preferences, type, environment, account, organization] = await table.batchGet(
        [
          profileKey(environmentId, userId),
          preferencesKey(environmentId, userId),
          typeKey(environmentId, notificationId),
          environmentKey(accountId, environmentId),
          accountKey(accountId),
          organizationKey(accountId),
        ],
        { consistent: true },
      );
      if (!environment || !account) throw new Error('the environment of a valid credential does not exist');
      return {
        profile: profile && readProfile(profile),
        preferences: readPreferences(preferences),
        type: type && readType(type),
        environment: readEnvironment(environment),
        account: readAccount(account),
        organization,
      };
    },
  };
}

/** What notifications of this deployment are judged by. */
export const sendingContexts = dependency('sendingContexts', () => createSendingContexts(resolve(database)));
