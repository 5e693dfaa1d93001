import * as v from 'valibot';
import { ADMIN_ACCESS, SERVER_ACCESS } from '../../shared/http/access/access.ts';
import { route } from '../../shared/http/rows/route.ts';
import { IDENTITY_SETTINGS } from '../../shared/providers/settings/setting-names.ts';
import { KeyType } from '../../shared/schemas/account/api-key.ts';
import { MemberResponse } from '../../shared/schemas/account/member.ts';
import { secret } from '../../shared/schemas/account/secret.ts';
import { EmailAddress, Id } from '../../shared/schemas/fields/text.ts';

const Role = v.picklist(['admin', 'member']);
const Success = v.object({ success: v.boolean() });
const exampleMember = {
  userId: 'm1Vb7Yx0KpLm2RtA',
  email: 'grace@example.com',
  role: 'member',
  status: 'invited',
  createdAt: '2026-11-21T08:30:00.000Z',
  updatedAt: '2026-11-21T08:30:00.000Z',
};

export const listMembersRoute = route({
  id: 'listMembers',
  method: 'GET',
  path: '/members',
  access: SERVER_ACCESS,
  response: { kind: 'json', body: v.object({ members: v.array(MemberResponse) }) },
  grants: { table: ['get', 'query', 'update'] },
  summary: 'List the members of the account, oldest first',
  example: { response: { members: [exampleMember] } },
});

export const inviteMemberRoute = route({
  id: 'inviteMember',
  method: 'POST',
  path: '/members',
  access: ADMIN_ACCESS,
  body: v.object({ email: EmailAddress, role: v.optional(Role) }),
  response: {
    kind: 'json',
    body: v.object({ ...MemberResponse.entries, invitationToken: v.optional(secret(v.string())) }),
  },
  grants: {
    table: ['get', 'query', 'put', 'update', 'delete'],
    keyring: ['encrypt', 'decrypt'],
    services: ['user-pool-create', 'user-pool-read', 'ses'],
  },
  settings: IDENTITY_SETTINGS,
  summary: 'Invite a person to the account',
  description:
    'The invitation is valid for seven days; POST /profile/accept_invite accepts it. A repetition sends a new one with the same ID. An address belongs to one member of one account; until it is accepted, other accounts can invite it too. Administrators only.',
  example: { request: { email: 'grace@example.com', role: 'member' }, response: exampleMember },
  errors: ['DUPLICATE_RESOURCE', 'PROVIDER_ERROR'],
});

export const updateMemberRoute = route({
  id: 'updateMember',
  method: 'PATCH',
  path: '/members/{userId}',
  access: ADMIN_ACCESS,
  pathParameters: v.object({ userId: Id }),
  query: v.object({ envId: v.optional(v.string()) }),
  body: v.object({ role: Role, envId: v.optional(v.unknown()) }),
  response: { kind: 'json', body: Success },
  grants: { table: ['get', 'query', 'update', 'check'] },
  summary: "Change a member's role",
  description:
    'The role of the last administrator cannot be changed. Members belong to the account, so envId is accepted and has no effect.',
  example: { request: { role: 'admin' }, response: { success: true } },
  errors: ['RESOURCE_NOT_FOUND', 'LAST_ADMIN'],
});

export const removeMemberRoute = route({
  id: 'removeMember',
  method: 'DELETE',
  path: '/members/{userId}',
  access: ADMIN_ACCESS,
  pathParameters: v.object({ userId: Id }),
  query: v.object({ keys: v.optional(v.literal('revoke')) }),
  response: {
    kind: 'json',
    body: v.object({
      success: v.boolean(),
      keys: v.array(v.object({ id: v.string(), name: v.string(), keyType: KeyType, revoked: v.boolean() })),
    }),
  },
  grants: {
    table: ['get', 'query', 'update', 'delete', 'check'],
    keyring: ['decrypt'],
    services: ['user-pool-delete'],
  },
  settings: IDENTITY_SETTINGS,
  summary: 'Remove a member, or withdraw an invitation',
  description:
    "Their access tokens stop working immediately. Keys that they issued keep working, without administrators' rights, unless keys=revoke. The last administrator cannot be removed. Administrators only.",
  example: {
    response: {
      success: true,
      keys: [{ id: 'hT3kP9sLq0ZxWvB1', name: 'production server', keyType: 'secret', revoked: false }],
    },
  },
  errors: ['RESOURCE_NOT_FOUND', 'LAST_ADMIN', 'PROVIDER_ERROR'],
});
