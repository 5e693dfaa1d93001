import { apiKeys } from '../../shared/database/entities/access/api-keys.ts';
import { memberChanges } from '../../shared/database/entities/access/member-changes.ts';
import { members } from '../../shared/database/entities/access/members.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { identity } from '../../shared/services/identity/identity.ts';
import { assertDone } from './member-response.ts';
import { removeMemberRoute } from './routes.ts';

export const handler = endpoint(
  removeMemberRoute,
  { apiKeys, identity, memberChanges, members },
  async ({ apiKeys, identity, memberChanges, members, caller, path, query, request }) => {
    const { accountId, memberId } = caller;
    const member = await members.find(accountId, path.userId);
    const outcome = await memberChanges.remove(accountId, path.userId);
    const issued = (await apiKeys.listAll(accountId)).filter(
      ({ issuedBy, revoked }) => issuedBy === path.userId && !revoked,
    );
    const isRevoked = query.keys === 'revoke';
    // The keys of a removed member can still be revoked.
    if (outcome !== 'gone' || !isRevoked || issued.length === 0) assertDone(outcome);
    for (const { id } of isRevoked ? issued : [])
      await apiKeys.revoke(accountId, id, { memberId, nowMs: request.receivedAtMs });
    // Another account may have the person by now.
    if (member && (await memberChanges.isEmailFree(member.email, path.userId)))
      await identity.remove({ email: member.email });
    const keys = issued.map(({ id, name, keyType }) => ({ id, name, keyType, revoked: isRevoked }));
    return { success: true, keys };
  },
);
