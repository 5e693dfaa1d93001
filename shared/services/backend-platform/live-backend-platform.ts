import * as v from 'valibot';
import type { PlatformTokens } from '../../database/entities/accounts/backend-connections.ts';
import type { ProviderAnswer, ProviderClient, ProviderRequest } from '../../http-client/provider-client.ts';
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
  PlatformAnswer,
  PlatformProject,
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

type Answered = Extract<ProviderAnswer, { kind: 'answer' }>;

type Connection = { base: string; http: ProviderClient };

/**
 * The platform's management API at `BACKEND_PLATFORM_BASE_URL`, as the OAuth application of
 * `BACKEND_PLATFORM_CLIENT_ID` and `BACKEND_PLATFORM_CLIENT_SECRET`.
 */
export function createLiveBackendPlatform(): BackendPlatform {
  const base = setting('BACKEND_PLATFORM_BASE_URL').replace(/\/+$/, '');
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
  const answer = await connection.http.request({ ...rest, url: `${connection.base}${path}` });
  if (answer.kind === 'timeout') throw providerError('TIMEOUT');
  if (answer.kind === 'unreachable') throw providerError(answer.reason);
  return answer;
}

async function requestTokens(
  connection: Connection,
  form: Record<string, string>,
): Promise<PlatformTokens | undefined> {
  const { id, secret } = await getClient();
  const answer = await request(connection, {
    method: 'POST',
    path: '/v1/oauth/token',
    headers: {
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams(form).toString(),
  });
  if (isSuccess(answer)) {
    const tokens = readAs(Tokens, answer);
    const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresInSeconds } = tokens;
    return { accessToken, refreshToken, expiresInSeconds };
  }
  const errorCode = findErrorOf(answer);
  // 400 without a known error is a rejected grant too; a wrong client is the operator's mistake, not the
  // caller's.
  const isClientError = errorCode === 'invalid_client' || errorCode === 'unauthorized_client';
  if ((answer.status === 400 || answer.status === 404 || answer.status === 406) && !isClientError)
    return undefined;
  throw providerError(errorCode ?? String(answer.status));
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
): Promise<PlatformAnswer<PlatformProject[]>> {
  const answer = await request(connection, { path: '/v1/projects', headers: withToken(accessToken) });
  if (answer.status === 401) return { ok: false, problem: 'unauthorized' };
  if (!isSuccess(answer)) throw providerError(String(answer.status));
  const value = readAs(Projects, answer).map(({ id, name, region, status }) => ({
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
): Promise<PlatformAnswer<undefined>> {
  const relay = await findSmtpRelay(resolve(secrets));
  if (!relay) throw providerError('SMTP_NOT_CONFIGURED');
  const answer = await request(connection, {
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
  return configured(answer);
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

function configured(answer: Answered): PlatformAnswer<undefined> {
  if (isSuccess(answer)) return { ok: true, value: undefined };
  if (answer.status === 401) return { ok: false, problem: 'unauthorized' };
  if (answer.status === 403 || answer.status === 404) return { ok: false, problem: 'unknown_project' };
  throw providerError(String(answer.status));
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
