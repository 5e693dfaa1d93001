import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../functions/routes.ts';
import { loadRoute } from '../../infra/local/functions/load.ts';
import { apiKeys } from '../../shared/database/entities/api-keys.ts';
import { environments } from '../../shared/database/entities/environments.ts';
import type { Route } from '../../shared/http/route.ts';
import { resolve } from '../../shared/runtime/dependency.ts';
import { call } from '../support/app.ts';
import { useAccount, useApp } from '../support/use-app.ts';

/** Routes of the account as a whole, apart from those only administrators may call. */
const OF_THE_ACCOUNT = [
  ...['getAccount', 'updateAccount', 'getProviderStatus', 'saveProviderOrder', 'deleteProviderOrder'],
  ...['getFcmConfig', 'saveFcmConfig', 'deleteFcmConfig', 'getApnConfig', 'saveApnConfig', 'deleteApnConfig'],
];
/** Routes that a browser may call with its public key. */
const OF_BROWSERS = [
  ...['saveUser', 'getUser', 'getPreferences', 'savePreferences', 'resetPreferences', 'connectChat'],
  ...['listChatChannels', 'listInapp', 'markInapp', 'countUnreadInapp', 'openAllInapp', 'getAccountMetadata'],
];

type Credentialed = Route & { access: Exclude<Route['access'], 'none'> };
const routes = ROUTES.filter((row: Route): row is Credentialed => row.access !== 'none');

const app = useApp();
const account = useAccount(app);
/** A secret key of the default environment, bound to it. */
let boundKey: string;
beforeAll(async () => {
  const { accountId } = account.account;
  const { environmentId } = account.environment;
  const environment = await resolve(environments).find(accountId, environmentId);
  if (!environment) throw new Error('the account has no environment');
  await resolve(environments).update(accountId, environmentId, { secureMode: true });
  const issued = { accountId, name: 'bound', issuedBy: account.admin.userId, nowMs: app.clock.nowMs };
  const bound = { keyType: 'secret' as const, environmentId, defaultEnvironmentId: environmentId };
  boundKey = (await resolve(apiKeys).create({ ...issued, ...bound })).key;
});

/** Calls a route as somebody who names a user and a channel wherever the route asks for one. */
async function codeOf(row: Route, key: string | undefined): Promise<string> {
  const handler = await loadRoute(row);
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const path = Object.fromEntries(names.map((name) => [name, name === 'channel' ? 'EMAIL' : 'ada']));
  const { status, json } = await call(handler, { key, path, query: { userId: 'ada' }, rawBody: '{' });
  return `${status} ${json?.error?.code}`;
}

describe('every endpoint that requires a credential', () => {
  it.each(routes)('rejects a request without one before reading it: $id', async (row) => {
    expect(await codeOf(row, undefined)).toBe('401 UNAUTHORIZED');
  });

  it("accepts a browser's public key only where browsers need it", async () => {
    const open = routes.filter(({ access }) => access.callers.includes('public')).map(({ id }) => id);
    expect(open.sort()).toEqual([...OF_BROWSERS].sort());
    for (const row of routes.filter(({ id }) => !OF_BROWSERS.includes(id)))
      expect([row.id, await codeOf(row, account.public.key)]).toEqual([row.id, '401 FORBIDDEN_KEY_TYPE']);
  });

  it('rejects a public key without the user hash in secure mode', async () => {
    const ofUsers = routes.filter(({ access }) => access.callers.includes('public') && access.self);
    expect(ofUsers).toHaveLength(OF_BROWSERS.length - 1);
    for (const row of ofUsers)
      expect([row.id, await codeOf(row, account.public.key)]).toEqual([row.id, '401 UNAUTHORIZED']);
  });

  it('rejects an environment-bound key for what belongs to the account or its administrators', async () => {
    expect(routes.filter(({ access }) => access.unbound).map(({ id }) => id)).toEqual(
      expect.arrayContaining(OF_THE_ACCOUNT),
    );
    for (const row of routes.filter(({ access }) => access.unbound || access.admin)) {
      const expected = row.access.unbound ? '401 FORBIDDEN_KEY_TYPE' : '401 ADMIN_ONLY';
      expect([row.id, await codeOf(row, boundKey)]).toEqual([row.id, expected]);
    }
  });
});
