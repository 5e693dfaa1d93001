import * as v from 'valibot';
import { PERSON_ACCESS, SERVER_ACCESS } from '../../shared/http/access/access.ts';
import { route } from '../../shared/http/rows/route.ts';
import { IDENTITY_SETTINGS } from '../../shared/providers/settings/setting-names.ts';
import { EmailAddress, filledTextUpTo, UrlText } from '../../shared/schemas/fields/text.ts';

const Success = v.object({ success: v.boolean() });
const Token = filledTextUpTo(1024);

export const acceptInviteRoute = route({
  id: 'acceptInvite',
  method: 'POST',
  path: '/profile/accept_invite',
  access: PERSON_ACCESS,
  body: v.object({ token: Token }),
  response: { kind: 'json', body: Success },
  grants: {
    table: ['get', 'put', 'update', 'delete'],
    keyring: ['encrypt', 'decrypt'],
    services: ['user-pool-read'],
  },
  settings: IDENTITY_SETTINGS,
  summary: 'Accept an invitation',
  description:
    'Called with the access token of the invited person, whose confirmed email address must be the invited one. That person becomes the member. Accepting again succeeds.',
  example: { request: { token: 'WyJxM1Zi….kP9s' }, response: { success: true } },
  errors: ['RESOURCE_NOT_FOUND', 'DUPLICATE_RESOURCE', 'PROVIDER_ERROR'],
});

export const changeEmailRoute = route({
  id: 'changeEmail',
  method: 'POST',
  replaces: true,
  path: '/profile/change-email',
  access: SERVER_ACCESS,
  body: v.object({ newEmail: EmailAddress }),
  response: {
    kind: 'json',
    body: v.object({ ...Success.entries, confirmationUrl: v.optional(UrlText) }),
  },
  grants: { table: ['get', 'put', 'update'], keyring: ['encrypt', 'decrypt'], services: ['ses'] },
  settings: [...IDENTITY_SETTINGS, 'PUBLIC_BASE_URL'],
  summary: 'Change the email address of the calling member',
  description:
    'Of the owner of the access token, or of the member who issued the secret key. The old address stays until the link sent to the new address is confirmed, within a day. Only the link shows whether the address belongs to another member.',
  example: { request: { newEmail: 'ada@new.example.com' }, response: { success: true } },
  errors: ['PROVIDER_ERROR'],
});

export const showConfirmEmailRoute = route({
  id: 'showConfirmEmail',
  method: 'GET',
  path: '/confirm-email/{token}',
  access: 'none',
  pathParameters: v.object({ token: Token }),
  response: { kind: 'html' },
  grants: { table: ['get', 'put'], keyring: ['encrypt', 'decrypt'] },
  summary: 'Show the page that confirms a new email address; changes nothing',
  errors: ['RESOURCE_NOT_FOUND'],
});

export const confirmEmailRoute = route({
  id: 'confirmEmail',
  method: 'POST',
  path: '/confirm-email/{token}',
  access: 'none',
  pathParameters: v.object({ token: Token }),
  response: { kind: 'html' },
  grants: {
    table: ['get', 'put', 'update', 'delete'],
    keyring: ['encrypt', 'decrypt'],
    services: ['user-pool-update', 'ses'],
  },
  settings: IDENTITY_SETTINGS,
  summary: 'Confirm a new email address',
  description: 'The former address is told of the change.',
  errors: ['RESOURCE_NOT_FOUND', 'DUPLICATE_RESOURCE', 'PROVIDER_ERROR'],
});
