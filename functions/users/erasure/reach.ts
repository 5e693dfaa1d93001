import type { Environments } from '../../../shared/database/entities/accounts/environments.ts';
import type { UserList } from '../../../shared/database/entities/users/user-list.ts';
import type { Users } from '../../../shared/database/entities/users/users.ts';
import type { Contact } from '../../../shared/database/keys/user.ts';
import { mailboxOf } from '../../../shared/domain/users/mailbox.ts';
import type { Profile } from '../../../shared/domain/users/profile.ts';
import type { Caller } from '../../../shared/http/access/caller.ts';

/** Users who have an address; more than these are found by repeating the request. */
const USERS_MAX = 100;

type Named = {
  userId?: string | undefined;
  email?: string | null | undefined;
  number?: string | null | undefined;
};
/** Users by environment. `isCertain`: something may be stored about them even if there is no such user. */
type Person = { environmentId: string; userId: string; isCertain: boolean; formerOf?: string[] };
/** People, and the addresses that found them. */
type Reached = { people: Person[]; addresses: string[] };

/** The addresses of a profile, as they identify messages and users without an ID. */
export const addressesOf = (profile: Pick<Profile, 'email' | 'number'> | undefined): string[] =>
  [profile?.email && mailboxOf(profile.email), profile?.number].filter((each) => each !== undefined);

/** The people whom an ID and addresses mean, in every environment that the caller reaches. */
export async function reachOf(
  { environments, userList, users }: { environments: Environments; userList: UserList; users: Users },
  caller: Caller,
  { userId, email, number }: Named,
): Promise<Reached> {
  const { accountId } = caller;
  const contacts: Contact[] = [
    ...(email ? [{ kind: 'email' as const, address: email }] : []),
    ...(number ? [{ kind: 'number' as const, address: number }] : []),
  ];
  const addresses = [...new Set([...(email ? [email, mailboxOf(email)] : []), ...(number ? [number] : [])])];
  const all = await environments.listAll(accountId);
  const reached = all.filter(
    ({ environmentId }) => !caller.boundToEnvironment || environmentId === caller.environmentId,
  );
  const people: Person[] = [];
  for (const { environmentId } of reached) {
    const scope = { accountId, environmentId };
    const pages = await Promise.all(
      contacts.map((contact) => userList.listByContact(scope, contact, { limit: USERS_MAX })),
    );
    const found = pages.flatMap(({ users }) => users.map(({ profile }) => profile.userId));
    const former = await Promise.all(contacts.map((contact) => userList.listFormer(scope, contact)));
    const formerOf = former.flat().filter((each) => each !== userId && !found.includes(each));
    // A stranger who wrote in, and a user of a send without an ID, have the address as their ID.
    const userIds = new Set([...(userId === undefined ? [] : [userId]), ...found, ...addresses]);
    people.push(
      ...[...userIds].map((each) => ({
        ...{ environmentId, userId: each, isCertain: true },
        ...(addresses.includes(each) && formerOf.length > 0 ? { formerOf } : {}),
      })),
    );
    const own = userId === undefined ? [] : addressesOf(await users.find(scope, userId));
    const twins = own.filter((each) => !userIds.has(each));
    people.push(...twins.map((each) => ({ environmentId, userId: each, isCertain: false })));
  }
  return { people, addresses };
}
