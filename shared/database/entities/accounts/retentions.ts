import { keptFromMs } from '../../../domain/logs/log-expiry.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { DAY_MS } from '../../../runtime/values/durations.ts';
import { type NotificationTypes, notificationTypes, type StoredType } from '../content/notification-types.ts';
import type { StoredLogHead } from '../logs/log-head.ts';
import { type Accounts, accounts, contentDaysOf, retentionDaysOf } from './accounts.ts';

/** Until when a log and its content are shown by the present settings, epoch milliseconds. */
export type RetentionRule = (
  log: Parameters<typeof keptFromMs>[0] &
    Pick<StoredLogHead, 'environmentId' | 'notificationId' | 'expiresAtSeconds'>,
) => Promise<{ shownUntilMs: number; contentUntilMs: number }>;

/** The present retention of accounts and types: an upper limit on top of the retention at acceptance. */
export type Retentions = ReturnType<typeof createRetentions>;

/** Days that a log, and its content, are kept after its last channel was sent. */
export function daysOf(
  account: Parameters<typeof retentionDaysOf>[0] | undefined,
  type: Pick<StoredType, 'retention'> | undefined,
) {
  const days = type?.retention ?? (account ? retentionDaysOf(account) : Number.POSITIVE_INFINITY);
  return { days, contentDays: account ? Math.min(days, contentDaysOf(account)) : days };
}

function createRetentions(known: Accounts, types: NotificationTypes) {
  return {
    /** Reads each setting once. */
    ruleOf(accountId: string): RetentionRule {
      let account: ReturnType<Accounts['find']> | undefined;
      const read = new Map<string, ReturnType<NotificationTypes['find']>>();
      return async (head) => {
        const { environmentId, notificationId, expiresAtSeconds } = head;
        account ??= known.find(accountId);
        const name = `${environmentId} ${notificationId}`;
        const type =
          read.get(name) ?? (notificationId ? types.find(environmentId, notificationId) : undefined);
        if (type) read.set(name, type);
        const { days, contentDays } = daysOf(...(await Promise.all([account, type])));
        const fromMs = keptFromMs(head);
        const shownUntilMs = Math.min(expiresAtSeconds * 1000, fromMs + days * DAY_MS);
        return { shownUntilMs, contentUntilMs: Math.min(shownUntilMs, fromMs + contentDays * DAY_MS) };
      };
    },
  };
}

export const retentions = dependency('retentions', () =>
  createRetentions(resolve(accounts), resolve(notificationTypes)),
);
