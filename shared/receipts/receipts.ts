import type { Receipt } from '../channels/receipt.ts';
import type { StoredLogHead } from '../database/entities/log-head.ts';
import { type Logs, ownerOf } from '../database/entities/logs.ts';
import type { Suppressions } from '../database/entities/suppressions.ts';
import type { Users } from '../database/entities/users.ts';
import { mailboxOf } from '../domain/mailbox.ts';
import { defined } from '../runtime/defined.ts';

/** Dependencies of recording a receipt. */
export type ReceiptDependencies = { logs: Logs; users: Users; suppressions: Suppressions };

/** A receipt without its data about an address. */
export type ReceiptEvent = Omit<Receipt, 'suppress' | 'transientBounce' | 'recipients'>;

/** The outcome of a receipt. Late, duplicate, out-of-order and unknown ones are harmless. */
export type Ingested = 'appended' | 'repeated' | 'unknown';

/**
 * Records a receipt in the log of its notification and suppresses the addresses that must get no more email,
 * if the email was for them. Safe to call twice.
 */
export async function ingestReceipt(
  deps: ReceiptDependencies,
  receipt: Receipt,
  nowMs: number,
): Promise<Ingested> {
  const found = await findHead(deps.logs, receipt, nowMs);
  if (!found) return 'unknown';
  if (receipt.suppress || receipt.transientBounce) await suppressAddresses(deps, found, receipt, nowMs);
  const isOfCopies = receipt.stage === 'failed' && !isAboutUser(found, receipt);
  return append(deps.logs, found, isOfCopies ? { ...receipt, stage: 'copy_failed' } : receipt);
}

/** Records a receipt without data about an address in its log. Safe to call twice. */
export async function recordReceipt(logs: Logs, receipt: ReceiptEvent, nowMs: number): Promise<Ingested> {
  const found = await findHead(logs, receipt, nowMs);
  return found ? append(logs, found, receipt) : 'unknown';
}

async function findHead(
  logs: Logs,
  { trackingId, accountId }: ReceiptEvent,
  nowMs: number,
): Promise<StoredLogHead | undefined> {
  const found = await logs.findSentHead(trackingId, nowMs);
  return accountId === undefined || accountId === found?.accountId ? found : undefined;
}

async function append(logs: Logs, head: StoredLogHead, receipt: ReceiptEvent): Promise<Ingested> {
  const { trackingId, channel, stage, seq, atMs, fields } = receipt;
  const event = { channel, stage, ...defined({ seq }), atMs, fields };
  return (await logs.append(trackingId, ownerOf(head), event)) ? 'appended' : 'repeated';
}

/** Everyone whom an email was for: the user's address and the copies. */
export function recipientsOf({ email, request }: StoredLogHead): string[] {
  const { ccAddresses = [], bccAddresses = [] } = request.options?.email ?? {};
  return [...(email === undefined ? [] : [email]), ...ccAddresses, ...bccAddresses];
}

async function suppressAddresses(
  { suppressions, users }: ReceiptDependencies,
  head: StoredLogHead,
  { suppress, transientBounce, recipients = head.email ? [head.email] : [], atMs }: Receipt,
  nowMs: number,
): Promise<void> {
  const had = new Set(recipientsOf(head).map(mailboxOf));
  const mailboxes = new Set(recipients.map(mailboxOf));
  for (const mailbox of mailboxes) {
    if (!had.has(mailbox)) continue;
    const status = suppress ?? transientBounce;
    const { accountId } = head;
    if (suppress) await suppressions.suppress(accountId, mailbox, suppress);
    else if (!transientBounce || !(await suppressions.countBounce(accountId, mailbox, atMs, transientBounce)))
      continue;
    await users.edit(head, head.userId, nowMs, (profile) =>
      profile.email && mailboxOf(profile.email) === mailbox && !profile.emailSuppressionStatus && status
        ? { ...profile, emailSuppressionStatus: status }
        : undefined,
    );
  }
}

/** A receipt that names no recipient is about the user. */
function isAboutUser({ email }: StoredLogHead, { recipients }: Receipt): boolean {
  if (recipients === undefined || recipients.length === 0 || email === undefined) return true;
  return recipients.some((recipient) => mailboxOf(recipient) === mailboxOf(email));
}
