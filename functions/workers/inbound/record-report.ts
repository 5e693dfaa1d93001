import type {
  DeliveryReport,
  ReportedFailure,
} from '../../../shared/channels/email/inbound/delivery-report.ts';
import { findMailDomain } from '../../../shared/channels/email/mail-domain.ts';
import { amongRecipients, hasOneRecipient } from '../../../shared/database/entities/erasure/recipients.ts';
import type { StoredLogHead } from '../../../shared/database/entities/logs/log-head.ts';
import { bounceStatus } from '../../../shared/receipts/bounce-status.ts';
import { ingestReceipt } from '../../../shared/receipts/receipts.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { trackingIdOf } from '../../../shared/runtime/values/ids.ts';
import type { EmailSuppressionStatus } from '../../../shared/schemas/users/user.ts';
import { readSignedAddress } from '../../../shared/tokens/signed-address.ts';
import type { MailDependencies } from './mail-dependencies.ts';

type Reporting = { recipients: readonly string[]; name: string; receivedAtMs: number };

/**
 * Records a report in the log of the email it is about and suppresses addresses that failed permanently. Only the signed
 * return path proves which email that is, and only recipients of that email can have bounced: anyone can write a report. Where the
 * email had one recipient, a report about an unknown address is about theirs, which may forward. Returns false if it was sent to no
 * return path of this service.
 */
export async function recordReport(
  deps: MailDependencies,
  read: () => DeliveryReport,
  { recipients, name, receivedAtMs }: Reporting,
): Promise<boolean> {
  const mailDomain = findMailDomain();
  for (const recipient of recipients) {
    const trackingId = await readSignedAddress(
      deps.signer,
      'return-path',
      recipient.toLowerCase(),
      mailDomain,
    );
    const head = trackingId && (await deps.logs.findHead(trackingId, receivedAtMs));
    if (!head) continue;
    const { failures } = read();
    for (const failure of failures) {
      const { had: named } = await amongRecipients(deps.signer, head, failure.recipients);
      const isOfAnother = named.length === 0 && (failures.length > 1 || !hasOneRecipient(head));
      if (isOfAnother && failure.recipients.length > 0) continue;
      // Who complains got the email, whatever name their provider has for them.
      const isUnnamed = failure.recipients.length === 0 || failure.code.startsWith('COMPLAINT_');
      const about = named.length > 0 ? named : isUnnamed ? soleOf(head) : failure.recipients;
      await recordFailure(deps, head.trackingId, { ...failure, recipients: about }, { name, receivedAtMs });
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
  const effect = effectOf(failure, receivedAtMs);
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
      ...effect,
      recipients,
    },
    receivedAtMs,
  );
}

/** As for a bounce or complaint of SES: what may pass is counted. */
function effectOf(
  failure: ReportedFailure,
  atMs: number,
): { suppress?: EmailSuppressionStatus; transientBounce?: EmailSuppressionStatus } {
  if (failure.suppresses) return { suppress: bounceStatus(failure, atMs) };
  const isCounted = failure.code === 'TRANSIENT_GENERAL_BOUNCE';
  return isCounted ? { transientBounce: bounceStatus(failure, atMs) } : {};
}

/** The user's address, where nobody else got the email. */
function soleOf(head: StoredLogHead): string[] {
  return head.email !== undefined && hasOneRecipient(head) ? [head.email] : [];
}
