import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../functions/routes.ts';
import { loadRoute } from '../../infra/local/functions/load.ts';
import { apiKeys } from '../../shared/database/entities/access/api-keys.ts';
import { keyring } from '../../shared/database/entities/accounts/data-keys.ts';
import { clientSecretContext, environments } from '../../shared/database/entities/accounts/environments.ts';
import { memberKey } from '../../shared/database/keys/account.ts';
import { userHashOf } from '../../shared/http/access/user-hash.ts';
import type { ListedRoute, Route } from '../../shared/http/rows/route.ts';
import { resolve } from '../../shared/runtime/dependency.ts';
import { newId } from '../../shared/runtime/values/ids.ts';
import type { KeyType } from '../../shared/schemas/account/api-key.ts';
import { call, createTestAccount, type TestAccount } from '../support/app.ts';
import { addTestMember } from '../support/strangers.ts';
import { useApp } from '../support/use-app.ts';

/** Routes by who may call them. A route that is in no list is for servers: secret keys and members. */
const LISTED = {
  anybody: [
    ...['getStatus', 'getOpenapi', 'getErrorsPage', 'trackOpen', 'trackClick'],
    'downloadExport',
    ...['showUnsubscribe', 'unsubscribe'],
    ...['showPreferencesPage', 'savePreferencesPage', 'showConfirmEmail', 'confirmEmail'],
    ...['receivePaymentEvent', 'receiveTwilioCallback', 'receiveTelnyxCallback'],
  ],
  /** For one user, whose hash they send in secure mode. */
  browsers: [
    ...['saveUser', 'getUser', 'getPreferences', 'savePreferences', 'resetPreferences', 'connectChat'],
    ...['listChatChannels', 'listInapp', 'markInapp', 'countUnreadInapp', 'openAllInapp'],
    ...['markMessages', 'removeDevice'],
  ],
  everyKey: ['getAccountMetadata'],
  /** Operations on the account as a whole. */
  account: [
    ...['getAccount', 'updateAccount', 'getProviderStatus', 'saveProviderOrder', 'deleteProviderOrder'],
    ...['getFcmConfig', 'saveFcmConfig', 'deleteFcmConfig', 'getApnConfig', 'saveApnConfig'],
    ...['deleteApnConfig', 'listSuppressions', 'suppressAddress', 'liftAddress'],
  ],
  admins: [
    ...['listApiKeys', 'createApiKey', 'revokeApiKey', 'listEnvironments', 'createEnvironment'],
    ...[
      'updateEnvironment',
      'deleteEnvironment',
      'getAccountOrganization',
      'saveBilling',
      'inviteMember',
      'updateMember',
    ],
    ...['removeMember', 'connectBackend', 'configureBackend', 'getBackendStatus', 'listBackendProjects'],
    'disconnectBackend',
  ],
  persons: ['acceptInvite'],
} as const;

type Audience = keyof typeof LISTED | 'servers';

const UNKNOWN = 'UNAUTHORIZED';
const WRONG_KIND = 'FORBIDDEN_KEY_TYPE';
const ADMINS_ONLY = 'ADMIN_ONLY';
/** Any response but 401. */
const PASSES = 'passes';

type Expected = typeof UNKNOWN | typeof WRONG_KIND | typeof ADMINS_ONLY | typeof PASSES;
type Row = Record<Audience, Expected>;

const rowOf = (rest: Expected, own: Partial<Row> = {}): Row => ({
  ...{ servers: rest, browsers: rest, everyKey: rest, account: rest, admins: rest, persons: rest },
  ...{ anybody: PASSES, ...own },
});

const ofPublicKeys = (own: Partial<Row>) => rowOf(WRONG_KIND, { everyKey: PASSES, ...own });
const ofSecretKeys = (own: Partial<Row>) => rowOf(PASSES, { persons: WRONG_KIND, ...own });

/** Responses to each credential, by audience. */
const MATRIX = {
  nothing: rowOf(UNKNOWN),
  malformed: rowOf(UNKNOWN),
  'no key': rowOf(UNKNOWN),
  'a short key': rowOf(UNKNOWN),
  'a key with another character': rowOf(UNKNOWN),
  'an unknown key': rowOf(UNKNOWN),
  'a revoked key': rowOf(UNKNOWN),
  'two credentials': rowOf(UNKNOWN),
  'the key of another account under this account': rowOf(UNKNOWN),
  'a token that does not verify': rowOf(UNKNOWN),
  'the token of a person without an account': rowOf(UNKNOWN, { persons: PASSES }),
  'a public key': ofPublicKeys({ browsers: UNKNOWN }),
  "a public key with another user's hash": ofPublicKeys({ browsers: UNKNOWN }),
  'a public key with the hash': ofPublicKeys({ browsers: PASSES }),
  'a bound public key with the hash': ofPublicKeys({ browsers: PASSES }),
  'a bound secret key': ofSecretKeys({ account: WRONG_KIND, admins: ADMINS_ONLY }),
  'a secret key of a member': ofSecretKeys({ admins: ADMINS_ONLY }),
  'a secret key of a removed administrator': ofSecretKeys({ admins: ADMINS_ONLY }),
  'a secret key of an administrator': ofSecretKeys({}),
  'the token of a member': rowOf(PASSES, { admins: ADMINS_ONLY }),
  'the token of an administrator': rowOf(PASSES),
} satisfies Record<string, Row>;

type Credential = keyof typeof MATRIX;
type Headers = Record<string, string>;

const app = useApp();
const bearer = (text: string): Headers => ({ authorization: `Bearer ${text}` });
let credentials: Record<Credential, Headers>;

/** Returns keys of the account for its default environment. */
function keysOf({ account, admin, environment }: TestAccount) {
  const { environmentId } = environment;
  const base = { accountId: account.accountId, defaultEnvironmentId: environmentId, nowMs: app.clock.nowMs };
  return (keyType: KeyType, more: { issuedBy?: string; environmentId?: string } = {}) =>
    resolve(apiKeys).create({ ...base, keyType, name: 'test', issuedBy: admin.userId, ...more });
}

beforeAll(async () => {
  const account = await createTestAccount(app);
  const { accountId } = account.account;
  const { environmentId } = account.environment;
  await resolve(environments).update(accountId, environmentId, { secureMode: true });
  const { sealedSecret } = account.environment;
  const secret = await resolve(keyring).decrypt(clientSecretContext(accountId, environmentId), sealedSecret);
  const hash = (userId: string) => ({ 'x-user-hash': userHashOf(secret, userId) });
  const create = keysOf(account);
  const [member, admin, removed] = [
    await addTestMember(app, account, 'member'),
    await addTestMember(app, account, 'admin'),
    await addTestMember(app, account, 'admin'),
  ];
  await app.database.delete(memberKey(accountId, removed.member.userId));
  const revoked = await create('secret');
  await resolve(apiKeys).revoke(accountId, revoked.id, { memberId: undefined, nowMs: 0 });
  const foreign = (await createTestAccount(app)).secret.key.split('_');
  app.tokens.set('header.person.signature', `person-${newId()}`);
  const unknown = account.secret.key.replace(/.{8}$/, 'AAAAAAAA');
  credentials = {
    nothing: {},
    malformed: { authorization: `Basic ${account.secret.key}` },
    'no key': bearer(''),
    'a short key': bearer('nds_sk_x'),
    'a key with another character': bearer(`${account.secret.key.slice(0, -1)}!`),
    'an unknown key': bearer(unknown),
    'a revoked key': bearer(revoked.key),
    'two credentials': bearer(`${account.secret.key},Bearer ${account.secret.key}`),
    'the key of another account under this account': bearer(foreign.with(2, accountId).join('_')),
    'a token that does not verify': bearer('header.forged.signature'),
    'the token of a person without an account': bearer('header.person.signature'),
    'a public key': bearer(account.public.key),
    "a public key with another user's hash": { ...bearer(account.public.key), ...hash('eve') },
    'a public key with the hash': { ...bearer(account.public.key), ...hash('ada') },
    'a bound public key with the hash': {
      ...bearer((await create('public', { environmentId })).key),
      ...hash('ada'),
    },
    'a bound secret key': bearer((await create('secret', { environmentId })).key),
    'a secret key of a member': bearer(member.key),
    'a secret key of a removed administrator': bearer(removed.key),
    'a secret key of an administrator': bearer(account.secret.key),
    'the token of a member': bearer(member.token),
    'the token of an administrator': bearer(admin.token),
  };
});

function audienceOf({ id }: Route): Audience {
  const [found] = Object.entries(LISTED).filter(([, ids]) => (ids as readonly string[]).includes(id));
  return found ? (found[0] as Audience) : 'servers';
}

/** Calls a route as somebody who names a user and a channel wherever it asks for one, with a body that is not JSON. */
async function outcomeOf(row: ListedRoute, headers: Headers): Promise<string> {
  const handler = await loadRoute(row);
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const path = Object.fromEntries(names.map((name) => [name, name === 'channel' ? 'EMAIL' : 'ada']));
  const { status, json } = await call(handler, { headers, path, query: { userId: 'ada' }, rawBody: '{' });
  return status === 401 && row.access !== 'none' ? json.error.code : PASSES;
}

describe.each(Object.keys(MATRIX) as Credential[])('%s', (credential) => {
  it('reaches the endpoints that are open to it, and no other', async () => {
    const expected: Record<string, string> = {};
    const found: Record<string, string> = {};
    for (const row of ROUTES) {
      expected[row.id] = MATRIX[credential][audienceOf(row)];
      found[row.id] = await outcomeOf(row, credentials[credential]);
      // Requests are limited per second.
      app.clock.nowMs += 100;
    }
    expect(found).toEqual(expected);
  });
});

it('names every listed endpoint as the route table does', () => {
  const ids = ROUTES.map(({ id }) => id);
  expect(Object.values(LISTED).flatMap((listed) => listed.filter((id) => !ids.includes(id)))).toEqual([]);
});

it('an endpoint without a credential is verified by signature, a token, or returns the same to everybody', () => {
  const open = ROUTES.filter(({ access }) => access === 'none');
  const unsigned = open.filter(({ signedBy, path }) => !signedBy && !path.endsWith('/{token}'));
  expect(unsigned.map(({ id }) => id).sort()).toEqual(['getErrorsPage', 'getOpenapi', 'getStatus']);
});
