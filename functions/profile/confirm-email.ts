import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { memberChanges } from '../../shared/database/entities/access/member-changes.ts';
import { members } from '../../shared/database/entities/access/members.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { log } from '../../shared/runtime/logger.ts';
import { identity } from '../../shared/services/identity/identity.ts';
import type { Identity } from '../../shared/services/identity/identity-port.ts';
import { confirmationPage, getEmailChange, invalidLink } from './email-change.ts';
import { confirmEmailRoute } from './routes.ts';

export const handler = endpoint(
  confirmEmailRoute,
  { members, memberChanges, identity, signer },
  async ({ members, memberChanges, identity, signer, path, request }) => {
    const nowMs = request.receivedAtMs;
    const { member, email, isDone } = await getEmailChange(signer, members, path.token, nowMs);
    if (!isDone) {
      const { subject } = member;
      if (!(await memberChanges.isEmailFree(email, member.userId))) throw takenAddress();
      // The provider first: repeating its call is harmless, and the link still works if it fails.
      if (subject !== undefined) await identity.changeEmail({ subject, email });
      const outcome = await memberChanges.confirmEmail(member, email, nowMs);
      if (outcome === 'taken') throw takenAddress();
      if (outcome === 'done') await tell(identity, member.email, email);
      if (outcome === 'gone') {
        const again = await getEmailChange(signer, members, path.token, nowMs);
        if (!again.isDone) throw invalidLink();
      }
    }
    return confirmationPage(email, true, request.headers['accept-language']);
  },
);

/** The change is done: the message about it must not fail the request. */
async function tell(identity: Identity, email: string, newEmail: string): Promise<void> {
  try {
    await identity.reportChange({ email, newEmail });
  } catch (error) {
    log.error('the former address of a member was not told of its change', {}, error);
  }
}

function takenAddress(): AppError {
  return new AppError('DUPLICATE_RESOURCE', {
    message: 'Another member now has this email address.',
    fix: 'Choose another address.',
  });
}
