import type { Database } from '../database.ts';
import { claimKey, type Key } from '../keys/key.ts';
import type { TransactAction, TransactOutcome } from '../transactions.ts';
import type { Members } from './members.ts';
import { AGAIN, untilSettled } from './settle.ts';

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

/** The transaction's outcome by its conditions: again while another one is merely in its way. */
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
