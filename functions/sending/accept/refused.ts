import { normalizeNumber } from '../../../shared/channels/phone/numbers/phone-number.ts';
import { type Account, retentionDaysOf } from '../../../shared/database/entities/accounts/accounts.ts';
import type { Logs } from '../../../shared/database/entities/logs/logs.ts';
import { logExpiry } from '../../../shared/domain/logs/log-expiry.ts';
import { mailboxOf } from '../../../shared/domain/users/mailbox.ts';
import type { Caller } from '../../../shared/http/access/caller.ts';
import type { RequestFacts } from '../../../shared/http/endpoint/endpoint.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import type { SendRequest } from '../../../shared/schemas/sending/send-request.ts';
import { receivedHead } from '../decide/head.ts';

export type Refusable = { caller: Caller; facts: RequestFacts; body: SendRequest };

/**
 * Runs `operation`. If it rejects the schedule, that is recorded under the tracking ID in the error's body.
 * The record is not listed, because it is not a notification.
 */
export async function recordingRefusal<T>(
  logs: Logs,
  incoming: Refusable,
  getAccount: () => Promise<Account>,
  operation: () => T | Promise<T>,
  isSensitive = false,
): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof AppError && isRecorded(error.code)) {
      const body = isSensitive ? { ...incoming.body, sensitive: true } : incoming.body;
      await append(logs, { ...incoming, body }, await getAccount(), {
        failedCode: error.code,
        failedInternal: error.message,
      });
    }
    throw error;
  }
}

type Recorded = 'INVALID_SCHEDULE_FORMAT' | 'SCHEDULE_RESOURCE_NOT_FOUND';

function isRecorded(code: string): code is Recorded {
  return code === 'INVALID_SCHEDULE_FORMAT' || code === 'SCHEDULE_RESOURCE_NOT_FOUND';
}

/** As an erasure by the number finds it. */
const numberOf = (number: string | null | undefined) => normalizeNumber(number ?? '') ?? number ?? '';

async function append(
  logs: Logs,
  { caller, facts, body }: Refusable,
  account: Account,
  failed: { failedCode: Recorded; failedInternal: string },
): Promise<void> {
  const { receivedAtMs, id } = facts;
  const recipient = body.to ?? body.user;
  const head = receivedHead(
    { caller, facts, body },
    {
      userId: recipient?.id ?? (recipient?.email ? mailboxOf(recipient.email) : numberOf(recipient?.number)),
      notificationId: body.type ?? body.notificationId ?? '',
      state: 'cancelled',
    },
  );
  await logs.accept(
    { ...head, trackingId: id, routing: {}, messages: [], failedAtMs: receivedAtMs, ...failed },
    { feedShards: account.feedShards, expiresAtSeconds: logExpiry(retentionDaysOf(account), receivedAtMs) },
  );
}
