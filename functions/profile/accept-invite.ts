import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { memberChanges } from '../../shared/database/entities/access/member-changes.ts';
import { members } from '../../shared/database/entities/access/members.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { identity } from '../../shared/services/identity/identity.ts';
import { readExpiringToken } from '../../shared/tokens/expiring-token.ts';
import { acceptInviteRoute } from './routes.ts';

export const handler = endpoint(
  acceptInviteRoute,
  { identity, memberChanges, members, signer },
  async ({ identity, memberChanges, members, signer, caller, body, request }) => {
    const nowMs = request.receivedAtMs;
    const invitation = await readExpiringToken(signer, 'member-invitation', body.token, nowMs);
    const member = invitation && (await members.find(invitation.accountId, invitation.memberId));
    const { subject } = caller;
    if (member?.status === 'invited' && !(await identity.hasEmail({ subject, email: member.email }))) {
      throw new AppError('RESOURCE_NOT_FOUND', {
        message: 'The invitation is for another email address than the confirmed one of this person.',
        fix: 'Sign in with the invited address, or ask an administrator to invite this one.',
      });
    }
    const outcome = invitation
      ? await memberChanges.accept(invitation.accountId, invitation.memberId, subject, nowMs)
      : 'gone';
    if (outcome === 'gone') {
      throw new AppError('RESOURCE_NOT_FOUND', {
        message: 'The invitation is not valid, has expired, was withdrawn or was accepted by someone else.',
        fix: 'Ask an administrator of the account for a new invitation.',
      });
    }
    if (outcome === 'taken') {
      throw new AppError('DUPLICATE_RESOURCE', {
        message: 'This person is already a member of an account.',
        fix: 'Sign in as another person, or leave the other account first.',
      });
    }
    return { success: true };
  },
);
