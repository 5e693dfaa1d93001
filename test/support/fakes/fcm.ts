import { generateKeyPairSync } from 'node:crypto';
import { jwtVerify } from 'jose';
import { createScript, type FakeReply, type FakeRequest, startHttpFake } from './http-fake.ts';

export const FCM_PROJECT = 'fake-project';
const CLIENT_EMAIL = `sender@${FCM_PROJECT}.iam.gserviceaccount.com`;
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const FCM_ERROR = 'type.googleapis.com/google.firebase.fcm.v1.FcmError';
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest';
const keyPairs = generateKeyPairSync('rsa', { modulusLength: 2048 });

type FcmMessage = {
  token: string;
  notification?: { title?: string; body?: string };
  data?: Record<string, string>;
  android?: Record<string, string>;
  apns?: { headers?: Record<string, string> };
};

/** FCM's error body, with the detail for `errorCode` and the detail for field violations. */
export function fcmError(
  code: number,
  status: string,
  given: {
    errorCode?: string | undefined;
    fields?: string[];
    message?: string;
    headers?: Record<string, string>;
  } = {},
): FakeReply {
  const details = [
    ...(given.errorCode ? [{ '@type': FCM_ERROR, errorCode: given.errorCode }] : []),
    ...(given.fields
      ? [{ '@type': BAD_REQUEST, fieldViolations: given.fields.map((field) => ({ field })) }]
      : []),
  ];
  const body = { error: { code, message: given.message ?? 'no', status, details } };
  return { status: code, headers: given.headers ?? {}, body };
}

/**
 * FCM with Google's token endpoint: grants access tokens for assertions of its service account, checks every message
 * as FCM does, and accepts those for any device unless a reply is scripted.
 */
export async function startFcmFake(options: { now?: () => number } = {}) {
  const now = options.now ?? Date.now;
  const script = createScript<FakeReply>();
  const messages: FcmMessage[] = [];
  const grants: string[] = [];
  let live = new Set<string>();
  let atOnce = 0;
  let atOnceMax = 0;

  async function grant({ body }: FakeRequest): Promise<FakeReply> {
    const scripted = script.next('token');
    if (scripted) return scripted;
    const form = new URLSearchParams(body.toString());
    if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') {
      return { status: 400, body: { error: 'unsupported_grant_type' } };
    }
    const problem = await findAssertionProblem(form.get('assertion') ?? '');
    if (problem) return { status: 400, body: { error: 'invalid_grant', error_description: problem } };
    const token = `ya29.${grants.length + 1}`;
    grants.push(token);
    live.add(token);
    return { status: 200, body: { access_token: token, expires_in: 3599, token_type: 'Bearer' } };
  }

  async function findAssertionProblem(assertion: string): Promise<string | undefined> {
    try {
      const { payload } = await jwtVerify(assertion, keyPairs.publicKey, {
        issuer: CLIENT_EMAIL,
        audience: `${server.url}/token`,
        algorithms: ['RS256'],
        requiredClaims: ['iat', 'exp', 'scope'],
        currentDate: new Date(now()),
      });
      if (payload.scope !== SCOPE) return 'wrong scope';
      return Number(payload.exp) - Number(payload.iat) > 3600 ? 'lives too long' : undefined;
    } catch (error) {
      return String(error);
    }
  }

  async function send({ path, headers, body }: FakeRequest): Promise<FakeReply> {
    if (path !== `/v1/projects/${FCM_PROJECT}/messages:send`) return fcmError(404, 'NOT_FOUND');
    if (!live.has(headers.authorization?.replace('Bearer ', '') ?? ''))
      return fcmError(401, 'UNAUTHENTICATED');
    const { message } = JSON.parse(body.toString()) as { message: FcmMessage };
    const fields = findBadFields(message);
    if (fields.length > 0) return fcmError(400, 'INVALID_ARGUMENT', { fields });
    const scripted = script.next(message.token);
    if (scripted) return scripted;
    atOnce += 1;
    atOnceMax = Math.max(atOnceMax, atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    messages.push(message);
    return { status: 200, body: { name: `projects/${FCM_PROJECT}/messages/${messages.length}` } };
  }

  const server = await startHttpFake((request) =>
    request.path === '/token' ? grant(request) : send(request),
  );
  return {
    url: server.url,
    tokenUrl: `${server.url}/token`,
    outage: server.outage,
    close: server.close,
    messages,
    grants,
    serviceAccount: buildServiceAccount(),
    /** Sets the response to the next messages to a device token, or the next exchanges (`token`). */
    respondWith: script.respondWith,
    revokeAccessTokens: () => {
      live = new Set();
    },
    atOnceMax: () => atOnceMax,
  };
}

/** A service account; by default the account that the fakes of this run trust. */
export function buildServiceAccount(overrides: Record<string, unknown> = {}): string {
  return JSON.stringify({
    type: 'service_account',
    project_id: FCM_PROJECT,
    private_key_id: 'key-1',
    private_key: keyPairs.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    client_email: CLIENT_EMAIL,
    token_uri: 'http://127.0.0.1:9/not-to-be-called',
    ...overrides,
  });
}

function findBadFields({ token, data = {}, android = {}, apns = {}, ...rest }: FcmMessage): string[] {
  const reserved = Object.keys(data).filter((key) =>
    /^(?:from|message_type|aps|(?:google|gcm)(?:\..*)?)$/.test(key),
  );
  const unknown = Object.keys(rest).filter((name) => name !== 'notification');
  const known = ['collapse_key', 'priority', 'ttl', 'restricted_package_name', 'notification'];
  return [
    ...(token ? [] : ['message.token']),
    ...unknown.map((name) => `message.${name}`),
    ...(/^\d+$/.test(apns.headers?.['apns-expiration'] ?? '0') ? [] : ['message.apns.headers']),
    ...[...reserved, ...Object.keys(data).filter((key) => typeof data[key] !== 'string')].map(
      (key) => `message.data.${key}`,
    ),
    ...Object.keys(android)
      .filter((name) => !known.includes(name))
      .map((name) => `message.android.${name}`),
    ...(['HIGH', 'NORMAL', undefined].includes(android.priority) ? [] : ['message.android.priority']),
    ...(/^\d+s$/.test(android.ttl ?? '0s') ? [] : ['message.android.ttl']),
  ];
}
