import type { DeliveryReport, ReportedFailure } from '../../../shared/channels/email/delivery-report.ts';
import { findMailDomain } from '../../../shared/channels/email/mail-domain.ts';
import { amongRecipients } from '../../../shared/database/entities/recipients.ts';
import { ingestReceipt } from '../../../shared/receipts/receipts.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { defined } from '../../../shared/runtime/defined.ts';
import { trackingIdOf } from '../../../shared/runtime/ids.ts';
import type { EmailSuppressionStatus } from '../../../shared/schemas/user.ts';
import { readReturnPath } from '../../../shared/tokens/return-path.ts';
import type { MailDependencies } from './mail-dependencies.ts';

type Reporting = { recipients: readonly string[]; name: string; receivedAtMs: number };

/**
 * Records a bounce report in the log of the email it is about and suppresses addresses that failed
 * permanently. Only the signed return path proves which email that is, and only recipients of that email can
 * have bounced: anyone can write a report. Returns false if it was sent to no return path of this service.
 */
export async function recordReport(
  deps: MailDependencies,
  { failures }: DeliveryReport,
  { recipients, name, receivedAtMs }: Reporting,
): Promise<boolean> {
  const mailDomain = findMailDomain();
  for (const recipient of recipients) {
    const trackingId = await readReturnPath(deps.signer, recipient.toLowerCase(), mailDomain);
    const head = trackingId && (await deps.logs.findHead(trackingId, receivedAtMs));
    if (!head) continue;
    for (const failure of failures) {
      const { had: named } = await amongRecipients(deps.signer, head, failure.recipients);
      if (named.length > 0)
        await recordFailure(deps, head.trackingId, { ...failure, recipients: named }, { name, receivedAtMs });
    }
    return true;
  }
  return false;
}

async function recordFailure(
  deps: MailDependencies,
  trackingId: string,
  failure: ReportedFailure,
  { name, receivedAtMs }: Pick<Reporting, 'name' | 'receivedAtMs'>,
): Promise<void> {
  const { recipients, code, status, diagnosticCode } = failure;
  const suppress = suppressionOf(failure, receivedAtMs);
  await ingestReceipt(
    deps,
    {
      trackingId,
      channel: 'EMAIL',
      stage: 'failed',
      seq: trackingIdOf(['report', name, ...recipients]),
      atMs: receivedAtMs,
      fields: {
        email_failed_code: code,
        ...defined({
          email_failed_recipient: recipients[0] || undefined,
          email_failed_diagnostic_code: diagnosticCode?.slice(0, 1024) || undefined,
        }),
        email_failed_internal: `reported by email, status ${status || 'not given'}`,
      },
      ...defined({ suppress }),
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
      ...defined({
        status: status || undefined,
        diagnosticCode: diagnosticCode?.slice(0, 1024) || undefined,
      }),
      timestamp: isoOf(atMs),
    },
  };
}
