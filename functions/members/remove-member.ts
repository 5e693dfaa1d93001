import { apiKeys } from '../../shared/database/entities/api-keys.ts';
import { memberChanges } from '../../shared/database/entities/member-changes.ts';
import { members } from '../../shared/database/entities/members.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { identity } from '../../shared/services/identity/identity.ts';
import { assertDone } from './member-answer.ts';
import { removeMemberRoute } from './routes.ts';

export const handler = endpoint(
  removeMemberRoute,
  { apiKeys, identity, memberChanges, members },
  async ({ apiKeys, identity, memberChanges, members, caller, path, query, request }) => {
    const { accountId, memberId } = caller;
    const member = await members.find(accountId, path.userId);
    assertDone(await memberChanges.remove(accountId, path.userId));
    // Another account may have the person by now.
    if (member && (await memberChanges.isEmailFree(member.email, path.userId)))
      await identity.remove({ email: member.email });
    const issued = (await apiKeys.listAll(accountId)).filter(
      ({ issuedBy, revoked }) => issuedBy === path.userId && !revoked,
    );
    const isRevoked = query.keys === 'revoke';
    for (const { id } of isRevoked ? issued : [])
      await apiKeys.revoke(accountId, id, { memberId, nowMs: request.receivedAtMs });
    const keys = issued.map(({ id, name, keyType }) => ({ id, name, keyType, revoked: isRevoked }));
    return { success: true, keys };
  },
);
