import type { TransactAction } from '../../client/transactions.ts';
import type { Key } from '../../keys/key.ts';
import { type Contact, contactKey, formerContactKey, traceKey } from '../../keys/user.ts';

type Addresses = { [Kind in Contact['kind']]?: string | undefined };

function keysOf(environmentId: string, userId: string, { email, number }: Addresses): Key[] {
  const contacts: Contact[] = [];
  if (email !== undefined) contacts.push({ kind: 'email', address: email });
  if (number !== undefined) contacts.push({ kind: 'number', address: number });
  return contacts.map((contact) => contactKey(environmentId, contact, userId));
}

/** The references from a user's addresses to the user. */
export const contactReferences = {
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
