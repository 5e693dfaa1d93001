import { beforeAll, expect } from 'vitest';
import { handler as connect } from '../../../functions/backend/connect-backend.ts';
import { handler as getStatus } from '../../../functions/backend/get-backend-status.ts';
import { handler as listProjects } from '../../../functions/backend/list-backend-projects.ts';
import { secrets } from '../../../shared/providers/settings/secrets.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { newId } from '../../../shared/runtime/values/ids.ts';
import { backendPlatform } from '../../../shared/services/backend-platform/backend-platform.ts';
import { createLiveBackendPlatform } from '../../../shared/services/backend-platform/live-backend-platform.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { PLATFORM_CLIENT, startBackendPlatformFake } from '../../support/fakes/backend-platform.ts';
import { laterApp } from '../../support/use-app.ts';
import { later, use } from '../../support/use-started.ts';

const SETTINGS = {
  BACKEND_SMTP_HOST: 'smtp.example.com',
  BACKEND_PLATFORM_REDIRECT_URIS: 'https://app.example.com/callback, http://localhost:5173/cb',
};
const REDIRECT = 'https://app.example.com/callback';
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const SECRETS: Record<string, string> = {
  BACKEND_PLATFORM_CLIENT_ID: PLATFORM_CLIENT.id,
  BACKEND_PLATFORM_CLIENT_SECRET: PLATFORM_CLIENT.secret,
  BACKEND_SMTP_USER: 'smtp-user',
  BACKEND_SMTP_PASSWORD: 'smtp-password',
};
export const app = laterApp();
export const platform = later(startBackendPlatformFake);
let known: Record<string, string> = SECRETS;
export const setSecrets = (secrets: Record<string, string>) => {
  known = secrets;
};

export function freshGrant() {
  const code = newId();
  platform.authorize(code, REDIRECT, VERIFIER);
  return { code, redirect_uri: REDIRECT, code_verifier: VERIFIER };
}
export const connectWith = (account: TestAccount, body: object) =>
  call(connect, { key: account.secret.key, body });
export const projects = (account: TestAccount) => call(listProjects, { key: account.secret.key });
export const status = async (account: TestAccount) =>
  (await call(getStatus, { key: account.secret.key })).json;
export async function connected(): Promise<TestAccount> {
  const account = await createTestAccount(app);
  expect((await connectWith(account, freshGrant())).status).toBe(200);
  return account;
}

/** Starts this set-up for the tests of a file. */
export function useBackend(): void {
  use(app, platform);
  beforeAll(() => {
    Object.assign(process.env, SETTINGS, { BACKEND_PLATFORM_BASE_URL: platform.url });
    replace(secrets, () => ({ find: async (name) => known[name] }));
    replace(backendPlatform, createLiveBackendPlatform);
  });
}
