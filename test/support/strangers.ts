import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { apiKeys } from '../../shared/database/entities/access/api-keys.ts';
import type { Member, Role } from '../../shared/database/entities/access/members.ts';
import { memberKey } from '../../shared/database/keys/account.ts';
import { claimKey } from '../../shared/database/keys/key.ts';
import type { HttpResponse } from '../../shared/http/endpoint/response.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { resolve } from '../../shared/runtime/dependency.ts';
import { newId } from '../../shared/runtime/values/ids.ts';
import { call, type TestAccount, type TestApp, type TestRequest } from './app.ts';

type Handler = (event: never) => Promise<HttpResponse>;

/** An active member of the account with an access token, and a secret key issued by them. */
export async function addTestMember(
  app: TestApp,
  account: TestAccount,
  role: Role,
): Promise<{ member: Member; token: string; key: string; subject: string }> {
  const { accountId } = account.account;
  const userId = newId();
  const subject = `subject-${userId}`;
  const token = `header.${randomBytes(12).toString('hex')}.signature`;
  const createdAt = isoOf(app.clock.nowMs);
  const email = `${userId.toLowerCase()}@example.com`;
  const stored = {
    userId,
    accountId,
    email,
    role,
    status: 'active' as const,
    subject,
    createdAt,
    updatedAt: createdAt,
  };
  await app.database.put({ ...memberKey(accountId, userId), ...stored });
  await app.database.put({ ...claimKey('member-subject', subject), accountId, holder: userId });
  await app.database.put({ ...claimKey('member-email', email), accountId, holder: userId });
  app.tokens.set(token, subject);
  const key = await resolve(apiKeys).create({
    accountId,
    keyType: 'secret',
    name: role,
    defaultEnvironmentId: account.environment.environmentId,
    issuedBy: userId,
    nowMs: app.clock.nowMs,
  });
  return { member: stored, token, key: key.key, subject };
}

/** Values no text field takes. */
export const NOT_TEXT: readonly unknown[] = [undefined, null, 7, true, {}, [], ['x']];

/** Expects 400 INVALID_REQUEST naming `field`, and none of `value` in the response, for each value of a body's field. */
export async function expectRefusedValues(
  handler: Handler,
  request: TestRequest & { body: Record<string, unknown> },
  field: string,
  values: readonly unknown[],
): Promise<void> {
  for (const value of values) {
    const { status, json } = await call(handler, { ...request, body: { ...request.body, [field]: value } });
    expect([status, json.error?.code, value]).toEqual([400, 'INVALID_REQUEST', value]);
    expect(json.error.message).toContain(field);
    if (typeof value === 'string' && value.length > 8) expect(json.error.message).not.toContain(value);
  }
}
