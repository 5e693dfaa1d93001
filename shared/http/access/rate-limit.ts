import { requestCounts } from '../../database/entities/access/request-counts.ts';
import { numberSetting } from '../../runtime/config.ts';
import { dependency, machineClock, resolve } from '../../runtime/dependency.ts';
import { AppError } from '../../runtime/errors.ts';
import type { Caller, Person } from './caller.ts';
import { createRateLimiter } from './rate-limiter.ts';

export const rateLimit = dependency('rateLimit', () => ({
  limiter: createRateLimiter(resolve(requestCounts)),
  credentialPerSecond: numberSetting('CREDENTIAL_REQUESTS_PER_SECOND'),
  accountPerSecond: numberSetting('ACCOUNT_REQUESTS_PER_SECOND'),
}));

/** Throws RATE_LIMITED, before anything is read, for a key that this instance has found over its limit. */
export function assertKeyNotLimited({ accountId, keyId }: { accountId: string; keyId: string }): void {
  const { limiter } = resolve(rateLimit);
  const nowMs = resolve(machineClock).now();
  assertNoWait(limiter.findWait(credentialName(accountId, keyId), nowMs), 'credential');
  assertNoWait(limiter.findWait(accountName(accountId), nowMs), 'account');
}

/** Counts the request towards the limits of its credential and its account; throws RATE_LIMITED beyond them. */
export async function assertWithinRate(caller: Caller | Person): Promise<void> {
  const { limiter, credentialPerSecond, accountPerSecond } = resolve(rateLimit);
  const nowMs = resolve(machineClock).now();
  const name = nameOf(caller);
  assertNoWait(await limiter.take({ name, perSecond: credentialPerSecond }, nowMs), 'credential');
  if (caller.kind === 'person') return;
  const account = { name: accountName(caller.accountId), perSecond: accountPerSecond };
  assertNoWait(await limiter.take(account, nowMs), 'account');
}

/** The name under which a caller's requests are counted. */
export function nameOf(caller: Caller | Person): string {
  if (caller.kind === 'person') return `person/${caller.subject}`;
  return credentialName(caller.accountId, caller.keyId ?? `member/${caller.memberId ?? ''}`);
}

const credentialName = (accountId: string, id: string) => `credential/${accountId}/${id}`;
/** Requests of the account are counted under this name. */
export const accountName = (accountId: string) => `account/${accountId}`;

function assertNoWait(retryAfterSeconds: number | undefined, whose: 'credential' | 'account'): void {
  if (retryAfterSeconds === undefined) return;
  throw new AppError('RATE_LIMITED', {
    message: `The ${whose} has made too many requests.`,
    fix: 'Retry after the number of seconds in the header retry-after. Each notification of POST /send/bulk counts.',
    retryAfterSeconds,
  });
}
