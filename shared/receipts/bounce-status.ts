import { isoOf } from '../runtime/clock.ts';
import { defined } from '../runtime/values/defined.ts';
import type { EmailSuppressionStatus } from '../schemas/users/user.ts';

/** What a server said of an address: the failure code, its enhanced status and its words. */
type Said = { code: string; status?: string; diagnosticCode?: string | undefined };

const DIAGNOSTIC_LENGTH_MAX = 1024;

/** The reason of a suppression, as SES states it for its own bounces and complaints. */
export function bounceStatus({ code, status, diagnosticCode }: Said, atMs: number): EmailSuppressionStatus {
  const said = defined({
    status: status || undefined,
    diagnosticCode: diagnosticCode?.slice(0, DIAGNOSTIC_LENGTH_MAX) || undefined,
  });
  const timestamp = isoOf(atMs);
  if (code.startsWith('COMPLAINT_')) return { reason: 'Complaint', details: { ...said, timestamp } };
  const bounceType = code.startsWith('PERMANENT_') ? 'Permanent' : 'Transient';
  const bounceSubType = code === 'PERMANENT_NO_EMAIL_BOUNCE' ? 'NoEmail' : 'General';
  return { reason: 'Bounce', details: { bounceType, bounceSubType, ...said, timestamp } };
}
