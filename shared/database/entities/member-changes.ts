import { isoOf } from '../../runtime/clock.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { type ConditionalOutcome, type Database, database } from '../database.ts';
import { claimKey, type Key, memberKey } from '../keys.ts';
import type { TransactAction, TransactOutcome } from '../transactions.ts';
import { type Member, type Members, memberEmailClaim, members, type Role } from './members.ts';
import { AGAIN, untilSettled } from './settle.ts';

/** `gone` if the member does not exist, `last_admin` if no other active administrator would remain. */
export type MemberOutcome = 'done' | 'gone' | 'last_admin';

/**
 * `taken`: the person or the address is already a member of an account; `gone`: the invitation has ended.
 */
type AcceptOutcome = 'accepted' | 'gone' | 'taken';

/** Changes of members. Every account keeps an active administrator under concurrency. */
export type MemberChanges = {
  /**
   * Stores an invited member; false if this account has already invited the address. Other accounts can still
   * use it: an address is not claimed until its owner accepts.
   */
  invite(member: Member): Promise<boolean>;
  /** Makes an invited member active, for whom access tokens with `subject` act from now on. */
  accept(accountId: string, memberId: string, subject: string, nowMs: number): Promise<AcceptOutcome>;
  /**
   * The subject whose access tokens act for an active member: the member's own, or else `subject` from now
   * on. Undefined if the member does not exist or the subject is another member's.
   */
  bindSubject(
    accountId: string,
    memberId: string,
    subject: string,
    nowMs: number,
  ): Promise<string | undefined>;
  setRole(accountId: string, memberId: string, role: Role, nowMs: number): Promise<MemberOutcome>;
  remove(accountId: string, memberId: string): Promise<MemberOutcome>;
  /** Stores the email that waits for confirmation, or removes it. False if the member does not exist. */
  setPendingEmail(
    accountId: string,
    memberId: string,
    email: string | undefined,
    nowMs: number,
  ): Promise<boolean>;
  /** Whether the email is free or the member's own. */
  isEmailFree(email: string, memberId: string): Promise<boolean>;
  /** Replaces the email with the pending one; `taken` if another member has it by now. */
  confirmEmail(member: Member, email: string, nowMs: number): Promise<'done' | 'gone' | 'taken'>;
};

/** `CLAIM#invitation#q3…/ada@example.com / CLAIM`: an account invites an address once. */
const invitationClaim = (accountId: string, email: string) =>
  claimKey('invitation', `${accountId}/${email.toLowerCase()}`);
const subjectClaim = (subject: string) => claimKey('member-subject', subject);
const ACTIVE_ADMIN = {
  condition: '#role = :admin AND #status = :active',
  names: { '#role': 'role', '#status': 'status' },
  values: { ':admin': 'admin', ':active': 'active' },
};

function createMemberChanges(table: Database, people: Members): MemberChanges {
  /**
   * Runs a change that removes an administrator, in one transaction with the check that another active one
   * remains: of two concurrent ones that rely on each other, one fails its check and is retried.
   */
  async function withWitness(
    accountId: string,
    memberId: string,
    takesAdmin: boolean,
    actionsOf: (member: Member) => TransactAction[] | Promise<TransactAction[]>,
  ): Promise<MemberOutcome> {
    return untilSettled(async () => {
      const all = await people.listAll(accountId);
      const member = all.find((each) => each.userId === memberId);
      if (!member) return 'gone';
      const witness = all.find((each) => each.userId !== memberId && isActiveAdmin(each));
      const check: TransactAction[] = [];
      if (takesAdmin && isActiveAdmin(member)) {
        if (!witness) return 'last_admin';
        check.push({ check: memberKey(accountId, witness.userId), ...ACTIVE_ADMIN });
      }
      const outcome = await table.transact([...(await actionsOf(member)), ...check]);
      return outcome.written ? 'done' : AGAIN;
    });
  }

  /** Frees a claim that is the member's. */
  async function releases(claim: Key, memberId: string): Promise<TransactAction[]> {
    const item = await table.get(claim, { consistent: true });
    return item?.holder === memberId ? [{ delete: claim, ...heldBy(memberId) }] : [];
  }

  const update = (
    accountId: string,
    memberId: string,
    expression: string,
    values: Record<string, unknown>,
  ): Promise<ConditionalOutcome> =>
    table.update(memberKey(accountId, memberId), expression, {
      condition: 'attribute_exists(pk)',
      values,
    });

  return {
    async invite(member) {
      const { accountId, userId, email } = member;
      const outcome = await transactOnce(table, [
        { put: { ...memberKey(accountId, userId), ...member }, condition: 'attribute_not_exists(pk)' },
        {
          put: { ...invitationClaim(accountId, email), accountId, holder: userId },
          condition: 'attribute_not_exists(pk)',
        },
      ]);
      return outcome.written;
    },

    async accept(accountId, memberId, subject, nowMs) {
      const invited = await people.find(accountId, memberId);
      if (!invited) return 'gone';
      const outcome = await transactOnce(table, [
        {
          update: memberKey(accountId, memberId),
          expression: 'SET #status = :active, subject = :subject, updatedAt = :now',
          condition: '#status = :invited',
          names: { '#status': 'status' },
          values: { ':active': 'active', ':invited': 'invited', ':subject': subject, ':now': isoOf(nowMs) },
        },
        {
          put: { ...subjectClaim(subject), accountId, holder: memberId },
          condition: 'attribute_not_exists(pk)',
        },
        { put: { ...memberEmailClaim(invited.email), accountId, holder: memberId }, ...heldBy(memberId) },
        ...(await releases(invitationClaim(accountId, invited.email), memberId)),
      ]);
      if (outcome.written) return 'accepted';
      const current = await people.find(accountId, memberId);
      if (current?.status === 'active' && current.subject === subject) return 'accepted';
      return current?.status === 'invited' ? 'taken' : 'gone';
    },

    async bindSubject(accountId, memberId, subject, nowMs) {
      const outcome = await transactOnce(table, [
        {
          update: memberKey(accountId, memberId),
          expression: 'SET subject = :subject, updatedAt = :now',
          condition: '#status = :active AND attribute_not_exists(subject)',
          names: { '#status': 'status' },
          values: { ':active': 'active', ':subject': subject, ':now': isoOf(nowMs) },
        },
        {
          put: { ...subjectClaim(subject), accountId, holder: memberId },
          condition: 'attribute_not_exists(pk)',
        },
      ]);
      if (outcome.written) return subject;
      const current = await people.find(accountId, memberId);
      return current?.status === 'active' ? current.subject : undefined;
    },

    setRole: (accountId, memberId, role, nowMs) =>
      withWitness(accountId, memberId, role !== 'admin', (member) => [
        {
          update: memberKey(accountId, memberId),
          expression: 'SET #role = :role, updatedAt = :now',
          ...unchanged(member),
          names: { '#role': 'role', '#status': 'status' },
          values: { ...unchanged(member).values, ':role': role, ':now': isoOf(nowMs) },
        },
      ]),

    remove: (accountId, memberId) =>
      withWitness(accountId, memberId, true, async (member) => [
        { delete: memberKey(accountId, memberId), ...unchanged(member) },
        ...(await releases(memberEmailClaim(member.email), memberId)),
        ...(await releases(invitationClaim(accountId, member.email), memberId)),
        ...(member.subject === undefined ? [] : await releases(subjectClaim(member.subject), memberId)),
      ]),

    async setPendingEmail(accountId, memberId, email, nowMs) {
      const now = { ':now': isoOf(nowMs) };
      const outcome =
        email === undefined
          ? await update(accountId, memberId, 'SET updatedAt = :now REMOVE pendingEmail', now)
          : await update(accountId, memberId, 'SET updatedAt = :now, pendingEmail = :email', {
              ...now,
              ':email': email,
            });
      return outcome.written;
    },

    async isEmailFree(email, memberId) {
      const claim = await table.get(memberEmailClaim(email), { consistent: true });
      return claim === undefined || claim.holder === memberId;
    },

    async confirmEmail(member, email, nowMs) {
      const { accountId, userId } = member;
      const isSameClaim = member.email.toLowerCase() === email.toLowerCase();
      const outcome = await transactOnce(table, [
        {
          update: memberKey(accountId, userId),
          expression: 'SET email = :email, updatedAt = :now REMOVE pendingEmail',
          condition: 'pendingEmail = :email AND email = :old',
          values: { ':email': email, ':old': member.email, ':now': isoOf(nowMs) },
        },
        { put: { ...memberEmailClaim(email), accountId, holder: userId }, ...heldBy(userId) },
        ...(isSameClaim ? [] : await releases(memberEmailClaim(member.email), userId)),
      ]);
      if (outcome.written) return 'done';
      return outcome.failed.some((each) => each.index === 1) ? 'taken' : 'gone';
    },
  };
}

/** The transaction's outcome by its conditions: again while another one is merely in its way. */
async function transactOnce(table: Database, actions: readonly TransactAction[]): Promise<TransactOutcome> {
  return untilSettled(async () => {
    const outcome = await table.transact(actions);
    return outcome.written || outcome.failed.length > 0 ? outcome : AGAIN;
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

/** An unused claim, or this member's. */
const heldBy = (memberId: string) => ({
  condition: 'attribute_not_exists(pk) OR holder = :holder',
  values: { ':holder': memberId },
});

export const memberChanges = dependency('memberChanges', () =>
  createMemberChanges(resolve(database), resolve(members)),
);
