import type { TransactAction, TransactOutcome } from '../../client/transactions.ts';
import type { Database } from '../../database.ts';
import { AGAIN, untilSettled } from '../../items/settle.ts';
import { claimKey, type Key } from '../../keys/key.ts';
import type { Members } from './members.ts';

/** `CLAIM#invitation#q3…/ada@example.com / CLAIM`: an account invites an address once. */
export const invitationClaim = (accountId: string, email: string) =>
  claimKey('invitation', `${accountId}/${email.toLowerCase()}`);

export const subjectClaim = (subject: string) => claimKey('member-subject', subject);

export type MemberStore = { table: Database; people: Members };

/** Frees a claim that is the member's. */
export async function releaseClaim(
  store: MemberStore,
  claim: Key,
  memberId: string,
): Promise<TransactAction[]> {
  const item = await store.table.get(claim, { consistent: true });
  return item?.holder === memberId ? [{ delete: claim, ...heldBy(memberId) }] : [];
}

/** The transaction's outcome by its conditions. Repeats the transaction while it only conflicts with another. */
export async function transactOnce(
  table: Database,
  actions: readonly TransactAction[],
): Promise<TransactOutcome> {
  return untilSettled(async () => {
    const outcome = await table.transact(actions);
    return outcome.written || outcome.failed.length > 0 ? outcome : AGAIN;
  });
}

/** An unused claim, or this member's. */
export const heldBy = (memberId: string) => ({
  condition: 'attribute_not_exists(pk) OR holder = :holder',
  values: { ':holder': memberId },
});
