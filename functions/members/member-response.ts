import type { MemberOutcome } from '../../shared/database/entities/access/member-roles.ts';
import type { Member } from '../../shared/database/entities/access/members.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import type { MemberResponse } from '../../shared/schemas/account/member.ts';

export function memberResponse(member: Member): MemberResponse {
  const { userId, email, role, status, pendingEmail, createdAt, updatedAt } = member;
  return {
    userId,
    email,
    role,
    status,
    ...defined({ pendingEmail }),
    createdAt,
    updatedAt,
  };
}

/** Throws RESOURCE_NOT_FOUND or LAST_ADMIN if the change was rejected. */
export function assertDone(outcome: MemberOutcome): void {
  if (outcome === 'gone') {
    throw new AppError('RESOURCE_NOT_FOUND', {
      message: 'The member does not exist in this account.',
      fix: 'GET /members lists the members of the account with their IDs.',
    });
  }
  if (outcome === 'last_admin') {
    throw new AppError('LAST_ADMIN', { fix: 'Make another active member an administrator first.' });
  }
}
