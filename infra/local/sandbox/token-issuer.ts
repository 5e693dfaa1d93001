import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { JWK } from 'jose';
import * as v from 'valibot';
import { memberChanges } from '../../../shared/database/entities/access/member-changes.ts';
import { accountList } from '../../../shared/database/entities/accounts/account-list.ts';
import { type HttpResponse, jsonResponse } from '../../../shared/http/endpoint/response.ts';
import { loadOnce } from '../../../shared/runtime/async/lazily.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import { findJson } from '../../../shared/runtime/values/find-json.ts';
import { EmailAddress } from '../../../shared/schemas/fields/text.ts';
import { readOrCreate } from '../files/key-file.ts';
import type { GatewayRequest } from '../gateway/event.ts';

/** Path of the issuer on the local gateway; `TOKEN_ISSUER` is the base URL with it. */
export const ISSUER_PATH = '/_sandbox/issuer';
/** The one client of the local issuer: `TOKEN_CLIENT_ID`. */
export const LOCAL_CLIENT_ID = 'local';

const TOKEN_SECONDS = 3600;
const TokenRequest = v.union([
  v.object({ member: v.pipe(v.string(), v.minLength(1)) }),
  v.object({ person: EmailAddress }),
]);

export type TokenIssuer = {
  url: string;
  jwks(): Promise<{ keys: JWK[] }>;
  /** Tokens use real time, even if the local clock was moved: verifiers read the machine's time. */
  issue(subject: string, nowMs?: number): Promise<string>;
};

/**
 * The issuer at `issuer` (its URL) whose key is in `file`, created on first use, readable by its owner only. Its tokens are for
 * one client.
 */
export function openTokenIssuer(file: string, issuer: string, clientId = LOCAL_CLIENT_ID): TokenIssuer {
  // Making a key takes a quarter of a second, and most runs need none.
  const opened = loadOnce(() => openKey(file));
  return {
    url: issuer,
    async jwks() {
      const { jwk, kid } = await opened();
      return { keys: [{ ...jwk, kid, alg: 'RS256', use: 'sig' }] };
    },
    async issue(subject, nowMs = Date.now()) {
      const { key, kid } = await opened();
      const { SignJWT } = await import('jose');
      const seconds = Math.floor(nowMs / 1000);
      return new SignJWT({
        token_use: 'access',
        client_id: clientId,
        scope: 'aws.cognito.signin.user.admin',
        auth_time: seconds,
        origin_jti: randomUUID(),
        event_id: randomUUID(),
        version: 2,
        username: subject,
      })
        .setProtectedHeader({ alg: 'RS256', kid })
        .setIssuer(issuer)
        .setSubject(subject)
        .setJti(randomUUID())
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + TOKEN_SECONDS)
        .sign(key);
    },
  };
}

/**
 * The issuer's endpoints: its keys, and POST …/token with `{member}` (a member's ID; the first token assigns
 * a subject) or `{person}` (the address of who accepts an invitation).
 */
export function issuerRoutes(
  issuer: TokenIssuer,
): (request: Pick<GatewayRequest, 'method' | 'path' | 'body'>) => Promise<HttpResponse | undefined> {
  return async ({ method, path, body }) => {
    const id = randomUUID();
    switch (`${method} ${path}`) {
      case `GET ${ISSUER_PATH}/.well-known/jwks.json`:
        return jsonResponse(200, await issuer.jwks(), id);
      case `GET ${ISSUER_PATH}/.well-known/openid-configuration`:
        return jsonResponse(200, discoveryOf(issuer.url), id);
      case `POST ${ISSUER_PATH}/token`: {
        const parsed = v.safeParse(TokenRequest, findJson(body.toString('utf8')));
        if (!parsed.success)
          return jsonResponse(400, { message: 'Send {"member": id} or {"person": email address}.' }, id);
        const subject =
          'member' in parsed.output ? await subjectOfMember(parsed.output.member) : parsed.output.person;
        if (subject === undefined) return jsonResponse(400, { message: 'No active member has this ID.' }, id);
        return jsonResponse(200, { accessToken: await issuer.issue(subject), subject }, id);
      }
      default:
        return undefined;
    }
  };
}

/** The metadata of OpenID Connect Discovery 1.0, as far as an issuer of access tokens alone has it. */
function discoveryOf(url: string): unknown {
  return {
    issuer: url,
    jwks_uri: `${url}/.well-known/jwks.json`,
    token_endpoint: `${url}/token`,
    response_types_supported: ['token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['aws.cognito.signin.user.admin'],
    claims_supported: ['sub', 'iss', 'exp', 'iat', 'jti', 'token_use', 'client_id', 'username', 'scope'],
  };
}

async function subjectOfMember(memberId: string): Promise<string | undefined> {
  for (const accountId of await resolve(accountList).listIds()) {
    const nowMs = resolve(clock).now();
    const subject = await resolve(memberChanges).bindSubject(accountId, memberId, memberId, nowMs);
    if (subject !== undefined) return subject;
  }
  return undefined;
}

async function openKey(file: string) {
  const key = createPrivateKey(readOrCreate(file, newPem));
  const { kty, n, e } = createPublicKey(key).export({ format: 'jwk' });
  const kid = createHash('sha256').update(String(n)).digest('base64url');
  return { key, kid, jwk: { kty, n, e } as JWK };
}

function newPem(): string {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
}
