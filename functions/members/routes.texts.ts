import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { inviteMemberRoute, listMembersRoute, removeMemberRoute, updateMemberRoute } from './routes.ts';

describeFields(listMembersRoute.response.body, {
  members: 'The members.',
});

describeFields(inviteMemberRoute.body, {
  email: 'The address that the invitation is sent to.',
  role: 'admin or member; member by default.',
});

describeFields(inviteMemberRoute.response.body, {
  userId: 'The ID of the member.',
  email: "The member's email address.",
  role: 'admin or member.',
  status: 'invited until the invitation is accepted, then active.',
  pendingEmail: 'The address that is not confirmed yet.',
  invitationToken:
    'The token that POST /profile/accept_invite accepts; with the sandbox identity provider only.',
});

describeFields(updateMemberRoute.pathParameters, {
  userId: 'The ID of the member.',
});

describeFields(updateMemberRoute.query, {
  envId: 'Accepted and not used: roles belong to the account.',
});

describeFields(updateMemberRoute.body, {
  role: 'admin or member.',
  envId: 'Accepted and not used: roles belong to the account.',
});

describeFields(removeMemberRoute.pathParameters, {
  userId: 'The ID of the member.',
});

describeFields(removeMemberRoute.query, {
  keys: 'revoke also revokes the keys that the member issued.',
});

describeFields(removeMemberRoute.response.body, {
  keys: [
    'The keys that the member issued and that worked until now.',
    {
      id: 'The ID of the key, as in DELETE /keys/{keyId}.',
      name: "The key's name.",
      keyType: 'secret or public.',
      revoked: 'True if this request revoked it.',
    },
  ],
});
