import type { Key } from '../keys/key.ts';
import { type Contact, contactKey } from '../keys/user.ts';
import type { TransactAction } from '../transactions.ts';

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
    const isIn = (keys: Key[], key: Key) => keys.some(({ pk }) => pk === key.pk);
    return [
      ...had.filter((key) => !isIn(has, key)).map((key): TransactAction => ({ delete: key })),
      ...has.filter((key) => !isIn(had, key)).map((key): TransactAction => ({ put: { ...key, userId } })),
    ];
  },

  /** The actions that remove a user's references. */
  removal: (user: { environmentId: string; userId: string }, before: Addresses) =>
    contactReferences.change(user, before, {}),
};
