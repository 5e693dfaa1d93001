import { isoOf } from '../../../runtime/clock.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { bound } from '../../../runtime/values/bound.ts';
import { type ConditionalOutcome, type Database, database } from '../../database.ts';
import { memberKey } from '../../keys/account.ts';
import {
  heldBy,
  invitationClaim,
  type MemberStore,
  releaseClaim,
  subjectClaim,
  transactOnce,
} from './member-claims.ts';
import { type MemberOutcome, removeMember, setRole } from './member-roles.ts';
import { type Member, type Members, memberEmailClaim, members, type Role } from './members.ts';

/** `taken`: the person or the address is already a member of an account; `gone`: the invitation has ended. */
type AcceptOutcome = 'accepted' | 'gone' | 'taken';

/** A member, and the subject whose access tokens act for them. */
type SubjectChange = { accountId: string; memberId: string; subject: string; nowMs: number };

/** Changes of members. Every account keeps an active administrator under concurrency. */
function createMemberChanges(table: Database, people: Members) {
  const store: MemberStore = { table, people };
  return {
    ...bound(store, { invite, remove: removeMember, confirmEmail }),

    /** Stores an invitation again; false if it was accepted or withdrawn in the meantime. */
    async inviteAgain({ accountId, userId, role, updatedAt }: Member): Promise<boolean> {
      const outcome = await table.update(memberKey(accountId, userId), 'SET #role = :role, updatedAt = :at', {
        condition: '#status = :invited',
        names: { '#role': 'role', '#status': 'status' },
        values: { ':role': role, ':at': updatedAt, ':invited': 'invited' },
      });
      return outcome.written;
    },

    /** Makes an invited member active, for whom access tokens with `subject` act from now on. */
    accept: (accountId: string, memberId: string, subject: string, nowMs: number): Promise<AcceptOutcome> =>
      acceptInvitation(store, { accountId, memberId, subject, nowMs }),

    /**
     * The subject whose access tokens act for an active member: the member's own, otherwise `subject` from now on. Undefined if the
     * member does not exist or the subject belongs to another member.
     */
    bindSubject: (
      accountId: string,
      memberId: string,
      subject: string,
      nowMs: number,
    ): Promise<string | undefined> => bindSubject(store, { accountId, memberId, subject, nowMs }),

    setRole: (accountId: string, memberId: string, role: Role, nowMs: number): Promise<MemberOutcome> =>
      setRole(store, { accountId, memberId, role, nowMs }),

    /** Stores the email that waits for confirmation, or removes it. False if the member does not exist. */
    setPendingEmail: (
      accountId: string,
      memberId: string,
      email: string | undefined,
      nowMs: number,
    ): Promise<boolean> => setPendingEmail(store, { accountId, memberId, email, nowMs }),

    async isEmailFree(email: string, memberId: string): Promise<boolean> {
      const claim = await table.get(memberEmailClaim(email), { consistent: true });
      return claim === undefined || claim.holder === memberId;
    },
  };
}

function updateMember(
  store: MemberStore,
  {
    accountId,
    memberId,
    expression,
    values,
  }: { accountId: string; memberId: string; expression: string; values: Record<string, unknown> },
): Promise<ConditionalOutcome> {
  return store.table.update(memberKey(accountId, memberId), expression, {
    condition: 'attribute_exists(pk)',
    values,
  });
}

/**
 * Stores an invited member; false if this account has already invited the address. Other accounts can still
 * use it: an address is not claimed until its owner accepts.
 */
async function invite(store: MemberStore, member: Member): Promise<boolean> {
  const { accountId, userId, email } = member;
  const outcome = await transactOnce(store.table, [
    { put: { ...memberKey(accountId, userId), ...member }, condition: 'attribute_not_exists(pk)' },
    {
      put: { ...invitationClaim(accountId, email), accountId, holder: userId },
      condition: 'attribute_not_exists(pk)',
    },
  ]);
  return outcome.written;
}

async function acceptInvitation(
  store: MemberStore,
  { accountId, memberId, subject, nowMs }: SubjectChange,
): Promise<AcceptOutcome> {
  const invited = await store.people.find(accountId, memberId);
  if (!invited) return 'gone';
  const outcome = await transactOnce(store.table, [
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
    ...(await releaseClaim(store, invitationClaim(accountId, invited.email), memberId)),
  ]);
  if (outcome.written) return 'accepted';
  const current = await store.people.find(accountId, memberId);
  if (current?.status === 'active' && current.subject === subject) return 'accepted';
  return current?.status === 'invited' ? 'taken' : 'gone';
}

async function bindSubject(
  store: MemberStore,
  { accountId, memberId, subject, nowMs }: SubjectChange,
): Promise<string | undefined> {
  const outcome = await transactOnce(store.table, [
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
  const current = await store.people.find(accountId, memberId);
  return current?.status === 'active' ? current.subject : undefined;
}

async function setPendingEmail(
  store: MemberStore,
  {
    accountId,
    memberId,
    email,
    nowMs,
  }: { accountId: string; memberId: string; email: string | undefined; nowMs: number },
): Promise<boolean> {
  const now = { ':now': isoOf(nowMs) };
  const outcome =
    email === undefined
      ? await updateMember(store, {
          accountId,
          memberId,
          expression: 'SET updatedAt = :now REMOVE pendingEmail',
          values: now,
        })
      : await updateMember(store, {
          accountId,
          memberId,
          expression: 'SET updatedAt = :now, pendingEmail = :email',
          values: {
            ...now,
            ':email': email,
          },
        });
  return outcome.written;
}

/** Replaces the email with the pending one; `taken` if another member has it by now. */
async function confirmEmail(
  store: MemberStore,
  member: Member,
  email: string,
  nowMs: number,
): Promise<'done' | 'gone' | 'taken'> {
  const { accountId, userId } = member;
  const isSameClaim = member.email.toLowerCase() === email.toLowerCase();
  const outcome = await transactOnce(store.table, [
    {
      update: memberKey(accountId, userId),
      expression: 'SET email = :email, updatedAt = :now REMOVE pendingEmail',
      condition: 'pendingEmail = :email AND email = :old',
      values: { ':email': email, ':old': member.email, ':now': isoOf(nowMs) },
    },
    { put: { ...memberEmailClaim(email), accountId, holder: userId }, ...heldBy(userId) },
    ...(isSameClaim ? [] : await releaseClaim(store, memberEmailClaim(member.email), userId)),
  ]);
  if (outcome.written) return 'done';
  return outcome.failed.some((each) => each.index === 1) ? 'taken' : 'gone';
}

export const memberChanges = dependency('memberChanges', () =>
  createMemberChanges(resolve(database), resolve(members)),
);
