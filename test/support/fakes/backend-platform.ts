import { createHash } from 'node:crypto';
import { createScript, type FakeReply, type FakeRequest, startHttpFake } from './http-fake.ts';

export const PLATFORM_CLIENT = { id: 'client-1', secret: 'client-secret-1' };
export const PLATFORM_PROJECT = 'abcdefghijklmnopqrst';

/**
 * The backend platform's management API: single-use authorization codes with PKCE, refresh tokens that are
 * replaced by each use, projects, and their auth configuration.
 */
export async function startBackendPlatformFake() {
  const script = createScript<FakeReply>();
  const codes = new Map<string, { redirectUri: string; challenge: string }>();
  const refreshTokens = new Set<string>();
  const accessTokens = new Set<string>();
  const configured: { ref: string; body: Record<string, unknown> }[] = [];
  const calls: string[] = [];
  let count = 0;

  function issue(): FakeReply {
    count += 1;
    const tokens = { access_token: `sbp_access_${count}`, refresh_token: `sbp_refresh_${count}` };
    accessTokens.add(tokens.access_token);
    refreshTokens.add(tokens.refresh_token);
    return { status: 201, body: { ...tokens, expires_in: 3600, token_type: 'Bearer' } };
  }

  function token({ headers, body }: FakeRequest): FakeReply {
    const basic = Buffer.from(`${PLATFORM_CLIENT.id}:${PLATFORM_CLIENT.secret}`).toString('base64');
    if (headers.authorization !== `Basic ${basic}`) return { status: 401, body: { error: 'invalid_client' } };
    const form = new URLSearchParams(body.toString('utf8'));
    if (form.get('grant_type') === 'refresh_token') {
      return refreshTokens.delete(form.get('refresh_token') ?? '')
        ? issue()
        : { status: 400, body: { error: 'invalid_grant' } };
    }
    const grant = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isGood = grant?.redirectUri === form.get('redirect_uri') && grant.challenge === challenge;
    return isGood ? issue() : { status: 400, body: { error: 'invalid_grant' } };
  }

  function response(request: FakeRequest): FakeReply {
    const { method, path, headers, body } = request;
    const call = `${method} ${path}`;
    calls.push(call);
    const scripted = script.next(call);
    if (scripted) return scripted;
    if (call === 'POST /v1/oauth/token') return token(request);
    if (call === 'POST /v1/oauth/revoke') {
      refreshTokens.delete(JSON.parse(body.toString('utf8')).refresh_token);
      return { status: 204 };
    }
    if (!accessTokens.has(String(headers.authorization).replace('Bearer ', ''))) {
      return { status: 401, body: { message: 'Unauthorized' } };
    }
    if (call === 'GET /v1/projects') {
      return {
        status: 200,
        body: [
          {
            id: PLATFORM_PROJECT,
            organization_id: 'o',
            name: 'shop',
            region: 'eu-central-1',
            status: 'ACTIVE_HEALTHY',
          },
        ],
      };
    }
    const ref = /^PATCH \/v1\/projects\/([^/]+)\/config\/auth$/.exec(call)?.[1];
    if (ref === undefined) return { status: 404, body: { message: 'Not found' } };
    if (ref !== PLATFORM_PROJECT) return { status: 404, body: { message: 'Project not found' } };
    configured.push({ ref, body: JSON.parse(body.toString('utf8')) });
    return { status: 200, body: {} };
  }

  const server = await startHttpFake(response);
  return {
    url: server.url,
    calls,
    configured,
    refreshTokens,
    /** A code that a person's authorization gave for a redirect URI and a code verifier. */
    authorize(code: string, redirectUri: string, codeVerifier: string): void {
      const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
      codes.set(code, { redirectUri, challenge });
    },
    /** Ends every access token, as time does. */
    expireAccessTokens: () => accessTokens.clear(),
    /** Replies to the next such requests. */
    respondWith: (call: string, ...replies: FakeReply[]) => script.respondWith(call, ...replies),
    close: server.close,
  };
}
