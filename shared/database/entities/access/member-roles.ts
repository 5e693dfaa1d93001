import { isoOf } from '../../../runtime/clock.ts';
import type { TransactAction } from '../../client/transactions.ts';
import { AGAIN, untilSettled } from '../../items/settle.ts';
import { memberKey } from '../../keys/account.ts';
import { invitationClaim, type MemberStore, releaseClaim, subjectClaim } from './member-claims.ts';
import { type Member, memberEmailClaim, type Role } from './members.ts';

/** `gone` if the member does not exist, `last_admin` if no other active administrator would remain. */
export type MemberOutcome = 'done' | 'gone' | 'last_admin';

const ACTIVE_ADMIN = {
  condition: '#role = :admin AND #status = :active',
  names: { '#role': 'role', '#status': 'status' },
  values: { ':admin': 'admin', ':active': 'active' },
};

/**
 * Runs a change that removes an administrator, in one transaction with the check that another active administrator remains. If
 * two concurrent changes rely on each other, one of them fails its check and is retried.
 */
async function withWitness(
  store: MemberStore,
  {
    accountId,
    memberId,
    takesAdmin,
    actionsOf,
  }: {
    accountId: string;
    memberId: string;
    takesAdmin: boolean;
    actionsOf: (member: Member) => TransactAction[] | Promise<TransactAction[]>;
  },
): Promise<MemberOutcome> {
  return untilSettled(async () => {
    const all = await store.people.listAll(accountId);
    const member = all.find((each) => each.userId === memberId);
    if (!member) return 'gone';
    const witness = all.find((each) => each.userId !== memberId && isActiveAdmin(each));
    const check: TransactAction[] = [];
    if (takesAdmin && isActiveAdmin(member)) {
      if (!witness) return 'last_admin';
      check.push({ check: memberKey(accountId, witness.userId), ...ACTIVE_ADMIN });
    }
    const outcome = await store.table.transact([...(await actionsOf(member)), ...check]);
    return outcome.written ? 'done' : AGAIN;
  });
}

export function setRole(
  store: MemberStore,
  { accountId, memberId, role, nowMs }: { accountId: string; memberId: string; role: Role; nowMs: number },
): Promise<MemberOutcome> {
  return withWitness(store, {
    accountId,
    memberId,
    takesAdmin: role !== 'admin',
    actionsOf: (member) => [
      {
        update: memberKey(accountId, memberId),
        expression: 'SET #role = :role, updatedAt = :now',
        ...unchanged(member),
        names: { '#role': 'role', '#status': 'status' },
        values: { ...unchanged(member).values, ':role': role, ':now': isoOf(nowMs) },
      },
    ],
  });
}

export function removeMember(
  store: MemberStore,
  accountId: string,
  memberId: string,
): Promise<MemberOutcome> {
  return withWitness(store, {
    accountId,
    memberId,
    takesAdmin: true,
    actionsOf: async (member) => [
      { delete: memberKey(accountId, memberId), ...unchanged(member) },
      ...(await releaseClaim(store, memberEmailClaim(member.email), memberId)),
      ...(await releaseClaim(store, invitationClaim(accountId, member.email), memberId)),
      ...(member.subject === undefined
        ? []
        : await releaseClaim(store, subjectClaim(member.subject), memberId)),
    ],
  });
}

const isActiveAdmin = (member: Member) => member.role === 'admin' && member.status === 'active';

/** The member is as it was read: role, status and email decide which other items change with it. */
function unchanged(member: Member) {
  return {
    condition: '#role = :oldRole AND #status = :oldStatus AND email = :oldEmail',
    names: { '#role': 'role', '#status': 'status' },
    values: { ':oldRole': member.role, ':oldStatus': member.status, ':oldEmail': member.email },
  };
}
