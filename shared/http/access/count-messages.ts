import { machineClock, resolve } from '../../runtime/dependency.ts';
import type { Caller } from './caller.ts';
import { accountName, nameOf, rateLimit } from './rate-limit.ts';

/** Counts the notifications of a bulk request beyond the first, which was counted as the request. */
export async function countMessages(caller: Caller, count: number): Promise<void> {
  const { limiter, credentialPerSecond, accountPerSecond } = resolve(rateLimit);
  const nowMs = resolve(machineClock).now();
  if (count < 2) return;
  const own = { name: nameOf(caller), perSecond: credentialPerSecond };
  const all = { name: accountName(caller.accountId), perSecond: accountPerSecond };
  await Promise.all([own, all].map((limited) => limiter.take(limited, nowMs, count - 2)));
}
