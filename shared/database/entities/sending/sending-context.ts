import type { OptOuts } from '../../../domain/users/opt-outs.ts';
import { dependency, machineClock, resolve } from '../../../runtime/dependency.ts';
import type { EmailSuppressionStatus } from '../../../schemas/users/user.ts';
import { type Database, database } from '../../database.ts';
import { beginHolding, findHeld } from '../../items/held-items.ts';
import { accountKey, environmentKey, organizationKey, suppressionKey } from '../../keys/account.ts';
import { typeKey } from '../../keys/environment.ts';
import type { Key } from '../../keys/key.ts';
import { headKey } from '../../keys/log.ts';
import { preferencesKey, profileKey } from '../../keys/user.ts';
import type { Item } from '../../table.ts';
import { type Account, readAccount } from '../accounts/accounts.ts';
import { type Environment, readEnvironment } from '../accounts/environments.ts';
import { readType, type StoredType } from '../content/notification-types.ts';
import { type Preferences, readPreferences } from '../users/preferences.ts';
import { readProfile, type StoredProfile } from '../users/stored-profile.ts';
import { readSuppression, type Suppressions, suppressions } from '../users/suppressions.ts';

export type SendingContext = {
  profile: StoredProfile | undefined;
  preferences: Preferences;
  type: StoredType | undefined;
  environment: Environment;
  account: Account;
  /** The organization's billing item, for its caps. */
  organization: Item | undefined;
  /** Why nothing may be sent to the given email address. */
  emailSuppressionStatus?: EmailSuppressionStatus | undefined;
  /** What that address opted out of, if it is new to the user. */
  emailOptOuts?: OptOuts;
  /** The head's item of the given tracking ID. */
  head?: Item | undefined;
};

export type ContextScope = {
  accountId: string;
  environmentId: string;
  userId: string;
  notificationId: string;
  /**
   * An email address that may not be the stored user's yet, to check for suppression. Read only by `read`.
   */
  email?: string | undefined;
};

/**
 * Reads it all in one call. A changed user, preference or type applies to the very next send; environment, account and
 * organization (switches, retention, shards, caps) may be three seconds old.
 */
export type SendingContexts = ReturnType<typeof createSendingContexts>;

/** `now` controls how long items are cached, in milliseconds. */
export function createSendingContexts(
  table: Database,
  now: () => number,
  suppressed: Pick<Suppressions, 'read'>,
) {
  /** With what is stored under the keyed hash of the address, which is looked up for addresses new to the user. */
  async function withErased(
    context: SendingContext,
    { accountId, email }: ContextScope,
  ): Promise<SendingContext> {
    const { profile, emailSuppressionStatus } = context;
    // One of an earlier release is moved by that.
    if (email !== undefined && emailSuppressionStatus) await suppressed.read(accountId, email);
    if (email === undefined || emailSuppressionStatus || profile?.email === email) return context;
    const { status, optOuts } = await suppressed.read(accountId, email, true);
    return { ...context, emailSuppressionStatus: status, emailOptOuts: optOuts };
  }

  async function readAll(scopes: readonly ContextScope[], trackingIds: readonly (string | undefined)[] = []) {
    const keys = scopes.map(keysOf);
    const heads = new Map(trackingIds.flatMap((id) => (id === undefined ? [] : [[id, headKey(id)]])));
    const items = await table.batchGet([...keys.flat(), ...heads.values()], { consistent: true });
    const size = keys[0]?.length ?? 0;
    const headItems = items.slice(keys.length * size);
    const headOf = new Map([...heads.keys()].map((id, index) => [id, headItems[index]]));
    const contexts: SendingContext[] = [];
    return (index: number) => {
      contexts[index] ??= {
        ...assembledContext(items.slice(index * size, (index + 1) * size)),
        head: headOf.get(trackingIds[index] ?? ''),
      };
      return contexts[index];
    };
  }

  return {
    /**
     * Reads several contexts together, shared items once. The function returns the context of a scope by its
     * index; it throws for a missing one, so that the others are not affected.
     */
    readAll,
    async read(scope: ContextScope, trackingId?: string): Promise<SendingContext> {
      const nowMs = now();
      const keys = keysOf(scope);
      const [own, shared] = [keys.slice(0, OWN_KEYS), keys.slice(OWN_KEYS)];
      const named = namedKeys(scope, trackingId);
      const held = shared.map((key) => findHeld(key, nowMs));
      if (held.every((each) => each !== undefined)) {
        const items = await table.batchGet([...own, ...named.keys], { consistent: true });
        const heldItems = held.map(({ item }) => item);
        const all = [...items.slice(0, OWN_KEYS), ...heldItems];
        return withErased({ ...assembledContext(all), ...named.read(items.slice(OWN_KEYS)) }, scope);
      }
      const hold = beginHolding(shared, nowMs);
      const items = await table.batchGet([...keys, ...named.keys], { consistent: true });
      hold(items.slice(OWN_KEYS, keys.length));
      return withErased({ ...assembledContext(items), ...named.read(items.slice(keys.length)) }, scope);
    },
  };
}

/** The items that only some requests name: the head of a tracking ID, the suppression of an address. */
function namedKeys({ accountId, email }: ContextScope, trackingId: string | undefined) {
  const head = trackingId === undefined ? [] : [headKey(trackingId)];
  const suppression = email === undefined ? [] : [suppressionKey(accountId, email)];
  return {
    keys: [...head, ...suppression],
    read: (
      items: readonly (Item | undefined)[],
    ): Pick<SendingContext, 'head' | 'emailSuppressionStatus'> => ({
      head: head.length > 0 ? items[0] : undefined,
      emailSuppressionStatus: suppression.length > 0 ? readSuppression(items[head.length]) : undefined,
    }),
  };
}

/** The first of `keysOf`: read each time. Those after them are shared by many sends, and may be held. */
const OWN_KEYS = 3;

function keysOf({ accountId, environmentId, userId, notificationId }: ContextScope): Key[] {
  return [
    profileKey(environmentId, userId),
    preferencesKey(environmentId, userId),
    typeKey(environmentId, notificationId),
    environmentKey(accountId, environmentId),
    accountKey(accountId),
    organizationKey(accountId),
  ];
}

/** The context of the items that `keysOf` names, in its order. */
function assembledContext(items: readonly (Item | undefined)[]): SendingContext {
  const [profile, preferences, type, environment, account, organization] = items;
  if (!environment || !account) throw new Error('the environment of a valid credential does not exist');
  return {
    profile: profile && readProfile(profile),
    preferences: readPreferences(preferences),
    type: type && readType(type),
    environment: readEnvironment(environment),
    account: readAccount(account),
    organization,
  };
}

export const sendingContexts = dependency('sendingContexts', () =>
  createSendingContexts(resolve(database), () => resolve(machineClock).now(), resolve(suppressions)),
);
