import * as v from 'valibot';
import { keyVerifier } from '../../database/entities/access/key-verifier.ts';
import { members } from '../../database/entities/access/members.ts';
import { accounts } from '../../database/entities/accounts/accounts.ts';
import type { Clock } from '../../runtime/clock.ts';
import { resolve } from '../../runtime/dependency.ts';
import { AppError } from '../../runtime/errors.ts';
import { defined } from '../../runtime/values/defined.ts';
import { Id } from '../../schemas/fields/text.ts';
import { accessTokenVerifier } from '../../services/identity/access-tokens.ts';
import { parseKeyText } from '../../tokens/api-key-text.ts';
import type { RawRequest } from '../endpoint/event.ts';
import { type CallerKind, type Route, scopeOf } from '../rows/route.ts';
import type { Caller, Person } from './caller.ts';
import { assertKeyNotLimited, assertWithinRate } from './rate-limit.ts';
import { actingUser } from './user-hash.ts';

const SEND_BEARER = 'Send the header Authorization: Bearer <API key or access token>.';

/**
 * Returns the caller from the Authorization header, checked against the route's access row. Throws UNAUTHORIZED,
 * FORBIDDEN_KEY_TYPE or ADMIN_ONLY (all 401), or RATE_LIMITED. Undefined only for routes without a credential; a `Person` only
 * for routes that accept people.
 */
export async function authenticate(
  row: Route,
  request: RawRequest,
  clock: Clock,
): Promise<Caller | Person | undefined> {
  if (row.access === 'none') return undefined;
  const token = bearerToken(request.headers.authorization);
  if (row.access.person && !token.startsWith('nds_'))
    return limited({ kind: 'person', subject: await verifySubject(token) });
  const caller = await limited(
    token.startsWith('nds_') ? await keyCaller(token, clock) : await memberCaller(token),
  );
  if (row.access.person || !row.access.callers.includes(caller.kind)) {
    throw new AppError('FORBIDDEN_KEY_TYPE', {
      message: `A ${caller.kind === 'member' ? "member's access token" : `${caller.kind} key`} may not call this operation.`,
      fix: `Use one of: ${row.access.callers.map(nameOfKind).join(', ')}.`,
    });
  }
  const scope = scopeOf(row);
  if (caller.scopes && !caller.scopes.includes(scope)) {
    throw new AppError('FORBIDDEN_KEY_TYPE', {
      message: `The key has no scope ${scope}, which this operation needs.`,
      fix: 'Use a key with the scope. POST /keys creates one.',
    });
  }
  if (row.access.unbound && caller.boundToEnvironment) {
    throw new AppError('FORBIDDEN_KEY_TYPE', {
      message: 'A key bound to an environment may not call operations of the account.',
      fix: 'Use a secret key without environmentId, or an access token.',
    });
  }
  if (row.access.admin) await assertAdmin(caller);
  return actingUser(row.access, caller, request);
}

async function limited<T extends Caller | Person>(caller: T): Promise<T> {
  await assertWithinRate(caller);
  return caller;
}

function nameOfKind(kind: CallerKind): string {
  return kind === 'member' ? 'access token' : `${kind} key`;
}

function bearerToken(header: string | undefined): string {
  const match = /^Bearer +(\S+) *$/i.exec(header ?? '');
  if (!match?.[1]) {
    throw new AppError('UNAUTHORIZED', {
      message: 'The request has no bearer credential.',
      fix: SEND_BEARER,
    });
  }
  return match[1];
}

async function keyCaller(text: string, clock: Clock): Promise<Caller> {
  const parts = parseKeyText(text);
  if (parts) assertKeyNotLimited(parts);
  const verifier = resolve(keyVerifier);
  const key = parts && (await verifier.findValid(parts, text));
  if (!key) {
    throw new AppError('UNAUTHORIZED', {
      message: 'The API key is unknown or revoked.',
      fix: 'Use an active API key. An administrator can list keys with GET /keys.',
    });
  }
  await verifier.touch(key, clock.now());
  return {
    kind: key.keyType,
    accountId: key.accountId,
    environmentId: key.environmentId ?? key.defaultEnvironmentId,
    boundToEnvironment: key.environmentId !== undefined,
    keyId: key.keyId,
    ...defined({
      scopes: key.scopes,
      memberId: key.issuedBy !== undefined && key.environmentId === undefined ? key.issuedBy : undefined,
    }),
  };
}

function invalidToken(): AppError {
  return new AppError('UNAUTHORIZED', {
    message: 'The access token is not valid, has expired or belongs to no member.',
    fix: 'Sign in again, or use an API key.',
  });
}

async function verifySubject(token: string): Promise<string> {
  const claims = token.split('.').length === 3 ? await resolve(accessTokenVerifier).verify(token) : undefined;
  // A valid token may still have a subject that no person has, such as one too long for a key.
  if (!claims || !v.is(Id, claims.subject)) throw invalidToken();
  return claims.subject;
}

async function memberCaller(token: string): Promise<Caller> {
  const member = await resolve(members).findBySubject(await verifySubject(token));
  if (!member) throw invalidToken();
  const account = await resolve(accounts).get(member.accountId);
  if (account.disabled) throw invalidToken();
  return {
    kind: 'member',
    accountId: member.accountId,
    environmentId: account.defaultEnvironmentId,
    boundToEnvironment: false,
    memberId: member.userId,
  };
}

/** A secret key acts for the member who issued it, with that member's current role. */
async function assertAdmin(caller: Caller): Promise<void> {
  const member = caller.memberId ? await resolve(members).find(caller.accountId, caller.memberId) : undefined;
  if (member?.status !== 'active' || member.role !== 'admin') {
    throw new AppError('ADMIN_ONLY', {
      fix: 'Call it as an administrator: with their access token or an unbound secret key they issued.',
    });
  }
}
