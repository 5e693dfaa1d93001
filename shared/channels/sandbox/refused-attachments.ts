import { type AllowedHosts, checkUrl } from '../../http-client/address-guard.ts';
import type { DeliveryOutcome, EmailDelivery } from '../channel.ts';
import { omittedField } from '../email/content/attachments.ts';
import { isRefusedFile } from '../email/content/file-types.ts';

/**
 * The outcome of an email's attachments, which the sandbox does not fetch. As with a real provider, files that are never fetched
 * fail the email or are omitted from a digest. Undefined if there are none.
 */
export function refusedAttachments(
  { attachments, isDigest }: EmailDelivery,
  allowedHosts: AllowedHosts,
): DeliveryOutcome<'EMAIL'> | undefined {
  const refused = attachments.flatMap(({ filename, url }, index) => {
    const because = reasonOf(filename, url, allowedHosts);
    return because ? [{ filename, internal: `attachment ${index + 1}: ${because}` }] : [];
  });
  const [first] = refused;
  if (!first) return undefined;
  if (isDigest) {
    const omitted = refused.map(({ filename, internal }) => `${filename} is omitted: ${internal}`);
    return { kind: 'sent', fields: omittedField(omitted) };
  }
  return { kind: 'rejected', code: 'TRANSIENT_ATTACHMENT_REJECTED_BOUNCE', internal: first.internal };
}

function reasonOf(filename: string, url: string, allowedHosts: AllowedHosts): string | undefined {
  if (isRefusedFile(filename)) return 'file type not allowed';
  const checked = checkUrl(url, allowedHosts);
  return checked.ok ? undefined : `refused ${checked.reason}`;
}
