import * as v from 'valibot';
import { ADMIN_ACCESS } from '../../shared/http/access/access.ts';
import { route } from '../../shared/http/rows/route.ts';
import { EmailAddress, filledTextUpTo, WebUrl } from '../../shared/schemas/fields/text.ts';

const Success = v.object({ success: v.boolean(), message: v.optional(v.string()) });
const ProjectRef = v.pipe(
  v.string(),
  v.check((ref) => /^[\w-]{1,64}$/.test(ref), 'must be a project reference of letters, digits and hyphens'),
);
const SETTINGS = [
  'BACKEND_PLATFORM',
  'BACKEND_PLATFORM_BASE_URL',
  'BACKEND_SMTP_HOST',
  'BACKEND_SMTP_PORT',
  'PROVIDER_TIMEOUT_MS',
] as const;
const row = { access: ADMIN_ACCESS } as const;

export const connectBackendRoute = route({
  ...row,
  id: 'connectBackend',
  method: 'POST',
  replaces: true,
  path: '/account/backend/oauth',
  body: v.object({
    code: filledTextUpTo(1024),
    redirect_uri: WebUrl,
    code_verifier: filledTextUpTo(256),
  }),
  response: { kind: 'json', body: Success },
  grants: { table: ['get', 'put', 'update'], keyring: ['decrypt'], services: ['secrets'] },
  settings: [...SETTINGS, 'BACKEND_PLATFORM_REDIRECT_URIS'],
  summary: 'Connect the account to the backend platform',
  description:
    'Exchanges the authorization code (OAuth 2 with PKCE) for tokens, which are stored encrypted. Connecting again replaces the connection.',
  example: {
    request: {
      code: '3f9d0c1a',
      redirect_uri: 'https://shop.example.com/callback',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    },
    response: { success: true, message: 'The account is connected.' },
  },
  errors: ['PROVIDER_ERROR'],
});

export const configureBackendRoute = route({
  ...row,
  id: 'configureBackend',
  method: 'POST',
  replaces: true,
  path: '/account/backend/configure',
  body: v.object({
    projectRef: ProjectRef,
    projectName: filledTextUpTo(128),
    senderName: filledTextUpTo(128),
    senderEmail: EmailAddress,
  }),
  response: { kind: 'json', body: Success },
  grants: {
    table: ['get', 'query', 'update'],
    keyring: ['decrypt'],
    services: ['secrets'],
  },
  settings: SETTINGS,
  summary: 'Send the email of a project of the backend platform through this deployment',
  description:
    'Writes the SMTP settings of the project. senderEmail must be on a verified domain of the account.',
  example: {
    request: {
      projectRef: 'abcdefghijklmnopqrst',
      projectName: 'shop',
      senderName: 'Shop',
      senderEmail: 'hello@shop.example.com',
    },
    response: { success: true, message: 'The project sends through this deployment.' },
  },
  errors: ['NOT_CONNECTED', 'RESOURCE_NOT_FOUND', 'UNVERIFIED_SENDER', 'PROVIDER_ERROR'],
});

export const getBackendStatusRoute = route({
  ...row,
  id: 'getBackendStatus',
  method: 'GET',
  path: '/account/backend/status',
  response: {
    kind: 'json',
    body: v.object({
      connected: v.boolean(),
      connectedAt: v.optional(v.string()),
      project: v.optional(
        v.object({
          projectRef: v.string(),
          projectName: v.string(),
          senderName: v.string(),
          senderEmail: v.string(),
          configuredAt: v.string(),
        }),
      ),
    }),
  },
  grants: { table: ['get', 'update'], keyring: ['decrypt'] },
  summary: 'Get the state of the connection to the backend platform',
  example: { response: { connected: false } },
});

export const listBackendProjectsRoute = route({
  ...row,
  id: 'listBackendProjects',
  method: 'GET',
  path: '/account/backend/projects',
  response: {
    kind: 'json',
    body: v.object({
      projects: v.array(
        v.object({
          projectRef: v.string(),
          projectName: v.string(),
          region: v.optional(v.string()),
          status: v.optional(v.string()),
        }),
      ),
    }),
  },
  grants: { table: ['get', 'update'], keyring: ['decrypt'], services: ['secrets'] },
  settings: SETTINGS,
  summary: 'List the projects of the connected backend platform',
  example: { response: { projects: [{ projectRef: 'abcdefghijklmnopqrst', projectName: 'shop' }] } },
  errors: ['NOT_CONNECTED', 'PROVIDER_ERROR'],
});

export const disconnectBackendRoute = route({
  ...row,
  id: 'disconnectBackend',
  method: 'DELETE',
  path: '/account/backend',
  response: { kind: 'json', body: Success },
  grants: { table: ['get', 'update', 'delete'], keyring: ['decrypt'], services: ['secrets'] },
  settings: SETTINGS,
  summary: 'Disconnect the account from the backend platform',
  description:
    'The tokens are deleted here and revoked on the platform. SMTP settings of projects stay as they are. Disconnecting again succeeds.',
  example: { response: { success: true, message: 'The account is not connected.' } },
});
