import type { Receipt } from '../channels/receipt.ts';
import type { StoredLogHead } from '../database/entities/log-head.ts';
import { type Logs, ownerOf } from '../database/entities/logs.ts';
import type { Users } from '../database/entities/users.ts';
import { withTransientBounce } from '../domain/transient-bounces.ts';

/** The event of a receipt, without what it says about an address. */
export type ReceiptEvent = Pick<Receipt, 'trackingId' | 'prefix' | 'stage' | 'seq' | 'atMs' | 'fields'>;

/** What came of a receipt. Late, repeated, out-of-order and unknown ones are harmless. */
export type Ingested = 'appended' | 'repeated' | 'unknown';

/** Takes a receipt into the log it belongs to, and suppresses the address when it says so. Safe to call twice. */
export async function ingestReceipt(
  deps: { logs: Logs; users: Users },
  receipt: Receipt,
  nowMs: number,
): Promise<Ingested> {
  const found = await deps.logs.findSentHead(receipt.trackingId, nowMs);
  if (!found || (receipt.accountId !== undefined && receipt.accountId !== found.accountId)) return 'unknown';
  const { suppress, transientBounce, recipients } = receipt;
  if ((suppress || transientBounce) && isAbout(found.email, recipients)) {
    await deps.users.edit(found, found.userId, nowMs, (profile) => {
      if (profile.email !== found.email) return undefined;
      if (suppress) return { ...profile, emailSuppressionStatus: suppress };
      return transientBounce && withTransientBounce(profile, receipt.atMs, transientBounce);
    });
  }
  return append(deps.logs, found, receipt);
}

/** Takes a receipt that says nothing about an address into the log it belongs to. Safe to call twice. */
export async function recordReceipt(logs: Logs, receipt: ReceiptEvent, nowMs: number): Promise<Ingested> {
  const found = await logs.findSentHead(receipt.trackingId, nowMs);
  return found ? append(logs, found, receipt) : 'unknown';
}

async function append(logs: Logs, head: StoredLogHead, receipt: ReceiptEvent): Promise<Ingested> {
  const { trackingId, prefix, stage, seq, atMs, fields } = receipt;
  const event = { prefix, stage, ...(seq === undefined ? {} : { seq }), atMs, fields };
  return (await logs.append(trackingId, ownerOf(head), event)) ? 'appended' : 'repeated';
}

/** Everyone whom an email was for: the user's address and the copies. */
export function recipientsOf({ email, request }: StoredLogHead): string[] {
  const { ccAddresses = [], bccAddresses = [] } = request.options?.email ?? {};
  return [...(email === undefined ? [] : [email]), ...ccAddresses, ...bccAddresses];
}

function isAbout(email: string | undefined, recipients: readonly string[] | undefined): boolean {
  if (recipients === undefined || email === undefined) return recipients === undefined;
  return recipients.some((recipient) => recipient.toLowerCase() === email.toLowerCase());
}
