import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { memberChanges } from '../../shared/database/entities/access/member-changes.ts';
import { members } from '../../shared/database/entities/access/members.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { requireSetting } from '../../shared/runtime/config.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { identity } from '../../shared/services/identity/identity.ts';
import { writeExpiringToken } from '../../shared/tokens/expiring-token.ts';
import { SIGNATURE_LIFETIMES_MS } from '../../shared/tokens/signer.ts';
import { changeEmailRoute } from './routes.ts';

export const handler = endpoint(
  changeEmailRoute,
  { members, memberChanges, identity, signer },
  async ({ members, memberChanges, identity, signer, caller, body, request }) => {
    const { accountId, memberId } = caller;
    const nowMs = request.receivedAtMs;
    const member = memberId === undefined ? undefined : await members.find(accountId, memberId);
    if (member?.status !== 'active') {
      throw new AppError('FORBIDDEN_KEY_TYPE', {
        message: 'This credential does not act for a member of the account.',
        fix: 'Use an access token, or an unbound secret key issued by a current member.',
      });
    }
    const { newEmail } = body;
    const { userId } = member;
    if (newEmail === member.email) {
      await memberChanges.setPendingEmail(accountId, userId, undefined, nowMs);
      return { success: true };
    }
    // Only the confirmation link reveals whether another account has this address.
    const named = { accountId, memberId: userId, subject: newEmail };
    const token = await writeExpiringToken(
      signer,
      'email-change',
      named,
      nowMs + SIGNATURE_LIFETIMES_MS['email-change'],
    );
    await memberChanges.setPendingEmail(accountId, userId, newEmail, nowMs);
    const url = `${requireSetting('PUBLIC_BASE_URL')}/confirm-email/${token}`;
    const { revealed } = await identity.confirmEmail({ email: newEmail, url });
    return { success: true, ...defined({ confirmationUrl: revealed || undefined }) };
  },
);
