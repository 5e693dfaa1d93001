import type { DeliveryReport, ReportedFailure } from '../../../shared/channels/email/delivery-report.ts';
import { findMailDomain } from '../../../shared/channels/email/mail-domain.ts';
import { findBounceToken } from '../../../shared/channels/email/message-id.ts';
import { logs } from '../../../shared/database/entities/logs.ts';
import { users } from '../../../shared/database/entities/users.ts';
import { ingestReceipt } from '../../../shared/receipts/receipts.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { trackingIdOf } from '../../../shared/runtime/ids.ts';
import type { EmailSuppressionStatus } from '../../../shared/schemas/user.ts';
import { findHeadOf } from './route-mail.ts';

/**
 * Takes a report of a bounce into the log of the mail it is about, by its return path or the returned mail's
 * Message-ID, and suppresses an address that failed for good. False when it is about no mail of ours.
 */
export async function takeReport(
  { failures, messageKeys }: DeliveryReport,
  { recipients, name, receivedAtMs }: { recipients: readonly string[]; name: string; receivedAtMs: number },
): Promise<boolean> {
  const mailDomain = findMailDomain();
  const tokens = recipients.flatMap((each) => findBounceToken(each.toLowerCase(), mailDomain) ?? []);
  for (const key of new Set([...tokens, ...messageKeys])) {
    const head = await findHeadOf(key, receivedAtMs);
    if (!head) continue;
    for (const failure of failures) await take(head.trackingId, failure, name, receivedAtMs);
    return true;
  }
  return false;
}

async function take(
  trackingId: string,
  failure: ReportedFailure,
  name: string,
  receivedAtMs: number,
): Promise<void> {
  const { recipients, code, status, diagnosticCode } = failure;
  const suppress = suppressionOf(failure, receivedAtMs);
  await ingestReceipt(
    { logs: resolve(logs), users: resolve(users) },
    {
      trackingId,
      prefix: 'email',
      stage: 'failed',
      seq: trackingIdOf(['report', name, ...recipients]),
      atMs: receivedAtMs,
      fields: {
        email_failed_code: code,
        ...(recipients[0] ? { email_failed_recipient: recipients[0] } : {}),
        ...(diagnosticCode ? { email_failed_diagnostic_code: diagnosticCode.slice(0, 1024) } : {}),
        email_failed_internal: `reported by mail, status ${status || 'not given'}`,
      },
      ...(suppress ? { suppress } : {}),
      recipients,
    },
    receivedAtMs,
  );
}

/** As for a permanent bounce of SES. */
function suppressionOf(
  { code, status, diagnosticCode }: ReportedFailure,
  atMs: number,
): EmailSuppressionStatus | undefined {
  if (!code.startsWith('PERMANENT_')) return undefined;
  return {
    reason: 'Bounce',
    details: {
      bounceType: 'Permanent',
      bounceSubType: code === 'PERMANENT_NO_EMAIL_BOUNCE' ? 'NoEmail' : 'General',
      ...(status ? { status } : {}),
      ...(diagnosticCode ? { diagnosticCode: diagnosticCode.slice(0, 1024) } : {}),
      timestamp: isoOf(atMs),
    },
  };
}
