import type { Environments } from '../../shared/database/entities/environments.ts';
import type { UserList } from '../../shared/database/entities/user-list.ts';
import type { Contact } from '../../shared/database/keys/user.ts';
import { mailboxOf } from '../../shared/domain/mailbox.ts';
import type { Caller } from '../../shared/http/caller.ts';

/** Users who have an address; more than these are found by repeating the request. */
const USERS_MAX = 100;

type Named = {
  userId?: string | undefined;
  email?: string | null | undefined;
  number?: string | null | undefined;
};
/** Users by environment, and the addresses by which they were looked up. */
type Reached = { people: { environmentId: string; userId: string }[]; addresses: string[] };

/** The people whom an ID and addresses mean, in every environment that the caller reaches. */
export async function reachOf(
  { environments, userList }: { environments: Environments; userList: UserList },
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
  const people = [];
  for (const { environmentId } of reached) {
    const scope = { accountId, environmentId };
    const pages = await Promise.all(
      contacts.map((contact) => userList.listByContact(scope, contact, { limit: USERS_MAX })),
    );
    const found = pages.flatMap(({ users }) => users.map(({ profile }) => profile.userId));
    // A stranger who wrote in, and a user of a send without an ID, have the address as their ID.
    const userIds = new Set([...(userId === undefined ? [] : [userId]), ...found, ...addresses]);
    people.push(...[...userIds].map((each) => ({ environmentId, userId: each })));
  }
  return { people, addresses };
}
