import * as v from 'valibot';
import type { PlatformTokens } from '../../database/entities/accounts/backend-connections.ts';
import type { ProviderClient, ProviderRequest, ProviderResponse } from '../../http-client/provider-client.ts';
import { providerClient } from '../../providers/clients/http-clients.ts';
import { secrets } from '../../providers/settings/secrets.ts';
import { setting } from '../../runtime/config.ts';
import { resolve } from '../../runtime/dependency.ts';
import { AppError } from '../../runtime/errors.ts';
import { defined } from '../../runtime/values/defined.ts';
import { findJson } from '../../runtime/values/find-json.ts';
import { findSmtpRelay } from '../domains/smtp-relay.ts';
import type {
  BackendPlatform,
  PlatformProject,
  PlatformResponse,
  PlatformSender,
} from './backend-platform-port.ts';

const PROVIDER = 'backend-platform';
const Tokens = v.object({ access_token: v.string(), refresh_token: v.string(), expires_in: v.number() });
const OAuthError = v.object({ error: v.optional(v.string()), error_code: v.optional(v.string()) });
const Projects = v.array(
  v.object({
    id: v.string(),
    name: v.string(),
    region: v.optional(v.string()),
    status: v.optional(v.string()),
  }),
);

type Answered = Extract<ProviderResponse, { kind: 'response' }>;

type Connection = { base: string; http: ProviderClient };

/**
 * The platform's management API at `BACKEND_PLATFORM_BASE_URL`, as the OAuth application of
 * `BACKEND_PLATFORM_CLIENT_ID` and `BACKEND_PLATFORM_CLIENT_SECRET`.
 */
export function createLiveBackendPlatform(): BackendPlatform {
  const base = setting('BACKEND_PLATFORM_BASE_URL').replace(/(?<!\/)\/+$/, '');
  const http = resolve(providerClient);
  const connection: Connection = { base, http };
  return {
    checksSender: true,
    exchangeCode: (grant) => exchangeCode(connection, grant),
    refresh: (refreshToken) =>
      requestTokens(connection, { grant_type: 'refresh_token', refresh_token: refreshToken }),
    revoke: (refreshToken) => revoke(connection, refreshToken),
    listProjects: (accessToken) => listProjects(connection, accessToken),
    configureSmtp: (accessToken, projectRef, sender) =>
      configureSmtp(connection, accessToken, projectRef, sender),
  };
}

async function request(
  connection: Connection,
  options: Omit<ProviderRequest, 'url'> & { path: string },
): Promise<Answered> {
  const { path, ...rest } = options;
  const response = await connection.http.request({ ...rest, url: `${connection.base}${path}` });
  if (response.kind === 'timeout') throw providerError('TIMEOUT');
  if (response.kind === 'unreachable') throw providerError(response.reason);
  return response;
}

async function requestTokens(
  connection: Connection,
  form: Record<string, string>,
): Promise<PlatformTokens | undefined> {
  const { id, secret } = await getClient();
  const response = await request(connection, {
    method: 'POST',
    path: '/v1/oauth/token',
    headers: {
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams(form).toString(),
  });
  if (isSuccess(response)) {
    const tokens = readAs(Tokens, response);
    const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresInSeconds } = tokens;
    return { accessToken, refreshToken, expiresInSeconds };
  }
  const errorCode = findErrorOf(response);
  // 400 without a known error is a rejected grant too; a wrong client is the operator's mistake, not the
  // caller's.
  const isClientError = errorCode === 'invalid_client' || errorCode === 'unauthorized_client';
  if ((response.status === 400 || response.status === 404 || response.status === 406) && !isClientError)
    return undefined;
  throw providerError(errorCode ?? String(response.status));
}

const withToken = (accessToken: string) => ({
  authorization: `Bearer ${accessToken}`,
  accept: 'application/json',
});

function exchangeCode(
  connection: Connection,
  { code, redirectUri, codeVerifier }: Parameters<BackendPlatform['exchangeCode']>[0],
): Promise<PlatformTokens | undefined> {
  return requestTokens(connection, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  });
}

async function revoke(connection: Connection, refreshToken: string): Promise<void> {
  const { id, secret } = await getClient();
  await connection.http.request({
    method: 'POST',
    url: `${connection.base}/v1/oauth/revoke`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: id, client_secret: secret, refresh_token: refreshToken }),
  });
}

async function listProjects(
  connection: Connection,
  accessToken: string,
): Promise<PlatformResponse<PlatformProject[]>> {
  const response = await request(connection, { path: '/v1/projects', headers: withToken(accessToken) });
  if (response.status === 401) return { ok: false, problem: 'unauthorized' };
  if (!isSuccess(response)) throw providerError(String(response.status));
  const value = readAs(Projects, response).map(({ id, name, region, status }) => ({
    projectRef: id,
    projectName: name,
    ...defined({ region, status }),
  }));
  return { ok: true, value };
}

async function configureSmtp(
  connection: Connection,
  accessToken: string,
  projectRef: string,
  { senderName, senderEmail }: PlatformSender,
): Promise<PlatformResponse<undefined>> {
  const relay = await findSmtpRelay(resolve(secrets));
  if (!relay) throw providerError('SMTP_NOT_CONFIGURED');
  const response = await request(connection, {
    method: 'PATCH',
    path: `/v1/projects/${encodeURIComponent(projectRef)}/config/auth`,
    headers: { ...withToken(accessToken), 'content-type': 'application/json' },
    body: JSON.stringify({
      external_email_enabled: true,
      smtp_admin_email: senderEmail,
      smtp_sender_name: senderName,
      smtp_host: relay.host,
      smtp_port: relay.port,
      smtp_user: relay.user,
      smtp_pass: relay.password,
    }),
  });
  return configured(response);
}

/** The deployment's OAuth application; throws PROVIDER_ERROR if it has none. */
async function getClient(): Promise<{ id: string; secret: string }> {
  const [id, secret] = await Promise.all([
    resolve(secrets).find('BACKEND_PLATFORM_CLIENT_ID'),
    resolve(secrets).find('BACKEND_PLATFORM_CLIENT_SECRET'),
  ]);
  if (!id || !secret) throw providerError('NOT_CONFIGURED');
  return { id, secret };
}

function configured(response: Answered): PlatformResponse<undefined> {
  if (isSuccess(response)) return { ok: true, value: undefined };
  if (response.status === 401) return { ok: false, problem: 'unauthorized' };
  if (response.status === 403 || response.status === 404) return { ok: false, problem: 'unknown_project' };
  throw providerError(String(response.status));
}

const isSuccess = ({ status }: Answered) => status >= 200 && status < 300;

function readAs<S extends v.GenericSchema>(schema: S, { body }: Answered): v.InferOutput<S> {
  const parsed = v.safeParse(schema, findJson(body));
  if (!parsed.success) throw providerError('UNREADABLE_ANSWER');
  return parsed.output;
}

function findErrorOf({ body }: Answered): string | undefined {
  const parsed = v.safeParse(OAuthError, findJson(body));
  return parsed.success ? (parsed.output.error ?? parsed.output.error_code) : undefined;
}

function providerError(providerCode: string): AppError {
  return new AppError('PROVIDER_ERROR', {
    message: 'The backend platform rejected or failed the request.',
    fix: 'Try again later; if it persists, check the client ID, secret and SMTP relay of the deployment.',
    provider: PROVIDER,
    providerCode: providerCode.slice(0, 64),
  });
}
