import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { memberChanges } from '../../shared/database/entities/access/member-changes.ts';
import { type Member, members } from '../../shared/database/entities/access/members.ts';
import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { newId } from '../../shared/runtime/values/ids.ts';
import { identity } from '../../shared/services/identity/identity.ts';
import { writeExpiringToken } from '../../shared/tokens/expiring-token.ts';
import { SIGNATURE_LIFETIMES_MS } from '../../shared/tokens/signer.ts';
import { memberResponse } from './member-response.ts';
import { inviteMemberRoute } from './routes.ts';

export const handler = endpoint(
  inviteMemberRoute,
  { members, memberChanges, accounts, identity, signer },
  async ({ members, memberChanges, accounts, identity, signer, caller, body, request }) => {
    const { accountId } = caller;
    const nowMs = request.receivedAtMs;
    const at = isoOf(nowMs);
    const { email } = body;
    const known = (await members.listAll(accountId)).find(
      (each) => each.email.toLowerCase() === email.toLowerCase(),
    );
    const role = body.role ?? known?.role ?? 'member';
    const member: Member = {
      userId: newId(),
      createdAt: at,
      ...known,
      accountId,
      email,
      role,
      status: 'invited',
      updatedAt: at,
    };
    const { userId } = member;
    const isStored = known
      ? known.status === 'invited' && (await memberChanges.inviteAgain(member))
      : await memberChanges.invite(member);
    if (!isStored) {
      throw new AppError('DUPLICATE_RESOURCE', {
        message: 'The account already has a member with this email address.',
        fix: 'Invite another address.',
      });
    }
    const token = { accountId, memberId: userId, subject: '' };
    const invitation = await writeExpiringToken(
      signer,
      'member-invitation',
      token,
      nowMs + SIGNATURE_LIFETIMES_MS['member-invitation'],
    );
    const accountName = (await accounts.get(accountId)).name;
    try {
      const { revealed } = await identity.invite({ email, accountName, token: invitation });
      return { ...memberResponse(member), ...defined({ invitationToken: revealed || undefined }) };
    } catch (error) {
      if (!known) await memberChanges.remove(accountId, userId);
      throw error;
    }
  },
);
