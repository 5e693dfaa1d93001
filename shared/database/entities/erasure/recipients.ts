import { mailboxOf } from '../../../domain/users/mailbox.ts';
import { addressIn } from '../../../schemas/fields/text.ts';
import type { Signer } from '../../../tokens/signer.ts';
import type { StoredLogHead } from '../logs/log-head.ts';

/** Everyone whom an email was for: the user's address and the copies. Empty once the person is erased. */
export function recipientsOf({ email, request }: Pick<StoredLogHead, 'email' | 'request'>): string[] {
  const { ccAddresses = [], bccAddresses = [] } = request.options?.email ?? {};
  return [...(email === undefined ? [] : [email]), ...[...ccAddresses, ...bccAddresses].map(addressIn)];
}

/** True if the email was for the user alone. */
export function hasOneRecipient(
  head: Pick<StoredLogHead, 'email' | 'request' | 'erasedRecipients'>,
): boolean {
  const { erasedRecipients } = head;
  return (erasedRecipients ?? [...new Set(recipientsOf(head).map(mailboxOf))]).length === 1;
}

/** Returns a recipient's keyed hash, which identifies the recipient in an erased log. */
export function signRecipient(signer: Signer, trackingId: string, address: string): Promise<string> {
  return signer.sign('erased-recipient', `${trackingId} ${mailboxOf(address)}`);
}

/** Returns which addresses an email was for, and whether one of them is the user's own. */
export async function amongRecipients(
  signer: Signer,
  head: StoredLogHead,
  addresses: readonly string[],
): Promise<{ had: string[]; isUser: boolean }> {
  const { trackingId, email, erasedRecipients } = head;
  if (!erasedRecipients) {
    const all = new Set(recipientsOf(head).map(mailboxOf));
    const had = addresses.filter((address) => all.has(mailboxOf(address)));
    return {
      had,
      isUser: had.some((address) => email !== undefined && mailboxOf(address) === mailboxOf(email)),
    };
  }
  const had: string[] = [];
  let isUser = false;
  for (const address of addresses) {
    const text = `${trackingId} ${mailboxOf(address)}`;
    for (const [index, hash] of erasedRecipients.entries()) {
      if (!(await signer.verify('erased-recipient', text, hash))) continue;
      had.push(address);
      isUser ||= index === 0;
      break;
    }
  }
  return { had, isUser };
}
