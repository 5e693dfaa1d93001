import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handler as inviteMember } from '../../../../functions/members/invite-member.ts';
import { handler as listMembers } from '../../../../functions/members/list-members.ts';
import { handler as acceptInvite } from '../../../../functions/profile/accept-invite.ts';
import {
  issuerRoutes,
  LOCAL_CLIENT_ID,
  openTokenIssuer,
  type TokenIssuer,
} from '../../../../infra/local/sandbox/token-issuer.ts';
import { replace } from '../../../../shared/runtime/dependency.ts';
import { accessTokenVerifier } from '../../../../shared/services/identity/access-tokens.ts';
import { identity, sandboxIdentity } from '../../../../shared/services/identity/identity.ts';
import { createJwksVerifier } from '../../../../shared/services/identity/jwks.ts';
import { call, createTestAccount } from '../../../support/app.ts';
import { type HttpFake, startHttpFake } from '../../../support/fakes/http-fake.ts';
import { useApp } from '../../../support/use-app.ts';

const app = useApp();
let folder: string;
let file: string;
let server: HttpFake;
let issuer: TokenIssuer;
let routes: ReturnType<typeof issuerRoutes>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'issuer-'));
  file = join(folder, 'issuer.pem');
  server = await startHttpFake(async ({ method, path, body }) => {
    const response = await routes({ method, path, body });
    return response ? { status: response.statusCode, body: JSON.parse(response.body) } : { status: 404 };
  });
  const url = `${server.url}/_sandbox/issuer`;
  process.env.TOKEN_ISSUER = url;
  process.env.TOKEN_CLIENT_ID = LOCAL_CLIENT_ID;
  issuer = openTokenIssuer(file, url);
  routes = issuerRoutes(issuer);
  replace(accessTokenVerifier, createJwksVerifier);
  replace(identity, () => sandboxIdentity);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

async function tokenFor(body: object): Promise<{ status: number; accessToken: string }> {
  const response = await fetch(`${server.url}/_sandbox/issuer/token`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  return { status: response.status, ...((await response.json()) as { accessToken: string }) };
}

describe('the local token issuer', () => {
  it('issues tokens of a member, which work for that member', async () => {
    const account = await createTestAccount(app);
    for (let round = 0; round < 2; round += 1) {
      const { status, accessToken } = await tokenFor({ member: account.admin.userId });
      expect(status).toBe(200);
      const response = await call(inviteMember, {
        key: accessToken,
        body: { email: `x${round}-${account.account.accountId}@example.com` },
      });
      expect(response.status).toBe(200);
    }
  });

  it('issues tokens for people who accept an invitation', async () => {
    const account = await createTestAccount(app);
    const email = `grace-${account.account.accountId}@example.com`;
    const { json } = await call(inviteMember, { key: account.secret.key, body: { email } });
    expect((await tokenFor({ member: json.userId })).status).toBe(400);
    const { accessToken } = await tokenFor({ person: email });
    expect((await call(listMembers, { key: accessToken })).status).toBe(401);
    const token = json.invitationToken;
    expect((await call(acceptInvite, { key: accessToken, body: { token } })).status).toBe(200);
    expect((await call(listMembers, { key: accessToken })).status).toBe(200);
  });

  it('keeps its key across restarts in a file that only the owner can read', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = openTokenIssuer(file, `${server.url}/_sandbox/issuer`);
    expect(await again.jwks()).toEqual(await issuer.jwks());
    expect(JSON.stringify(await issuer.jwks())).not.toMatch(/"(d|p|q|dp|dq|qi)":/);
  });

  it('issues tokens that expire after an hour, and rejects those of another issuer', async () => {
    const verifier = createJwksVerifier();
    const now = Date.now();
    expect(await verifier.verify(await issuer.issue('ada', now))).toEqual({ subject: 'ada' });
    expect(await verifier.verify(await issuer.issue('ada', now - 3_601_000))).toBeUndefined();
    const stranger = openTokenIssuer(join(folder, 'other.pem'), `${server.url}/_sandbox/issuer`);
    expect(await verifier.verify(await stranger.issue('ada', now))).toBeUndefined();
    const elsewhere = openTokenIssuer(file, 'https://issuer.example.com');
    expect(await verifier.verify(await elsewhere.issue('ada', now))).toBeUndefined();
  });

  it('rejects unknown members and malformed requests', async () => {
    for (const body of [
      {},
      { member: 'nobody' },
      { member: '' },
      { member: 7 },
      { person: '' },
      { person: 'grace' },
    ]) {
      expect((await tokenFor(body)).status).toBe(400);
    }
    const raw = await routes({ method: 'POST', path: '/_sandbox/issuer/token', body: Buffer.from('{') });
    expect(raw?.statusCode).toBe(400);
    expect(await routes({ method: 'GET', path: '/_sandbox/other', body: Buffer.alloc(0) })).toBeUndefined();
  });
});
