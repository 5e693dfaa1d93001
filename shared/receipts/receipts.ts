import type { Receipt } from '../channels/receipt.ts';
import { amongRecipients, hasOneRecipient } from '../database/entities/erasure/recipients.ts';
import { withBareLink } from '../database/entities/logs/log-appends.ts';
import { isErasedHead, type StoredLogHead } from '../database/entities/logs/log-head.ts';
import { type Logs, ownerOf } from '../database/entities/logs/logs.ts';
import type { Consents } from '../database/entities/users/consents.ts';
import { addressHash, type Suppressions } from '../database/entities/users/suppressions.ts';
import type { Users } from '../database/entities/users/users.ts';
import { mayBeNote, noteOf, wasDelivered } from '../domain/logs/delivered-note.ts';
import { visitOf } from '../domain/logs/machine-visit.ts';
import { mailboxOf } from '../domain/users/mailbox.ts';
import { optOutName } from '../domain/users/opt-outs.ts';
import { defined } from '../runtime/values/defined.ts';
import type { EmailSuppressionStatus } from '../schemas/users/user.ts';
import type { Signer } from '../tokens/signer.ts';

export type ReceiptDependencies = {
  consents: Consents;
  logs: Logs;
  signer: Signer;
  users: Users;
  suppressions: Suppressions;
};

/** A receipt without its data about an address. */
export type ReceiptEvent = Omit<Receipt, 'suppress' | 'transientBounce' | 'recipients'>;

/** The outcome of a receipt. Late, duplicate, out-of-order and unknown receipts are harmless. */
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
  if (receipt.suppress) await suppressAddresses(deps, found, receipt, nowMs);
  if (receipt.suppress?.reason === 'Complaint') await recordComplaint(deps, found, receipt);
  if (receipt.stage === 'delivered') await forgetBounces(deps, found, receipt);
  const event = await eventOf(deps, found, receipt);
  const ingested = await append(deps.logs, found, event);
  // A report that comes twice counts once, under its arrival time.
  if (receipt.transientBounce && ingested === 'appended' && event.stage !== 'delivered_note')
    await suppressAddresses(deps, found, receipt, nowMs);
  return ingested;
}

/** A complaint of the user ends their consent to the type: it is in the history. */
async function recordComplaint(
  deps: ReceiptDependencies,
  head: StoredLogHead,
  receipt: Receipt,
): Promise<void> {
  if (isErasedHead(head) || !(await isAboutUser(deps, head, receipt))) return;
  const { environmentId, userId, notificationId, trackingId } = head;
  const changes = [{ notificationId, channel: 'EMAIL', delivery: 'off' } as const];
  const entry = { source: 'complaint', actor: 'person', atMs: receipt.atMs, changes };
  await deps.consents.add(environmentId, userId, entry, trackingId);
}

/**
 * What a receipt is in the log. A receipt about a copy alone is not the user's, and a bounce after a delivery is possibly no
 * failure.
 */
async function eventOf(
  deps: ReceiptDependencies,
  head: StoredLogHead,
  receipt: Receipt,
): Promise<ReceiptEvent> {
  const { channel, stage, seq, fields } = receipt;
  if (channel !== 'EMAIL' || (stage !== 'failed' && stage !== 'delivered')) return receipt;
  if (stage === 'failed' && mayBeNote(fields)) {
    const events = await deps.logs.listEvents(head.trackingId, channel);
    if (wasDelivered(events, fields)) return noteOf(receipt);
  }
  if (await isAboutUser(deps, head, receipt)) return receipt;
  return { ...receipt, stage: `copy_${stage}`, seq: seq ?? receipt.recipients?.join(',') };
}

/** The addresses whom a delivery is about take email again. */
async function forgetBounces(
  { suppressions }: ReceiptDependencies,
  { accountId, email = '' }: StoredLogHead,
  { recipients = [email], atMs }: Receipt,
): Promise<void> {
  for (const mailbox of new Set(recipients.map(mailboxOf)))
    if (mailbox !== '') await suppressions.forgetBounces(accountId, mailbox, atMs);
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
  const isClick = receipt.channel === 'EMAIL' && receipt.stage === 'clicked';
  const earlier = isClick ? await logs.listEvents(receipt.trackingId, 'EMAIL') : [];
  const { trackingId, channel, stage, seq, atMs, fields, provider } = visitOf(
    head.isSensitive ? withBareLink(receipt) : receipt,
    earlier,
  );
  const event = { channel, stage, ...defined({ seq, provider }), atMs, fields };
  return (await logs.append(trackingId, ownerOf(head), event)) ? 'appended' : 'repeated';
}

/** Suppresses the addresses that a receipt is about, if the email was for them, or counts a bounce of theirs. */
export async function suppressAddresses(
  { signer, suppressions, users }: Pick<ReceiptDependencies, 'signer' | 'suppressions' | 'users'>,
  head: StoredLogHead,
  {
    recipients = head.email ? [head.email] : [],
    atMs,
    ...receipt
  }: Pick<Receipt, 'recipients' | 'atMs' | 'suppress' | 'transientBounce'>,
  nowMs: number,
): Promise<void> {
  const { accountId } = head;
  const status = receipt.suppress ?? receipt.transientBounce;
  const erasedBy = isErasedHead(head) ? signer : undefined;
  if (!status) return;
  const { had } = await amongRecipients(signer, head, [...new Set(recipients.map(mailboxOf))]);
  // The user's mailbox forwards to the failed address: that is counted.
  const own = recipients.length > 0 && had.length === 0 && hasOneRecipient(head) ? head.email : undefined;
  for (const mailbox of own === undefined ? had : [mailboxOf(own)]) {
    if (receipt.suppress && own === undefined)
      await suppress({ signer, suppressions }, head, mailbox, { status, erasedBy, atMs });
    else if (!(await suppressions.countBounce(accountId, mailbox, { atMs, status, erasedBy }))) continue;
    await users.edit(head, head.userId, nowMs, (profile) =>
      profile.email && mailboxOf(profile.email) === mailbox && !profile.emailSuppressionStatus
        ? { ...profile, emailSuppressionStatus: status }
        : undefined,
    );
  }
}

/** After a complaint, the address stays opted out of the type when the suppression is lifted. */
async function suppress(
  { signer, suppressions }: Pick<ReceiptDependencies, 'signer' | 'suppressions'>,
  head: StoredLogHead,
  mailbox: string,
  { status, erasedBy, atMs }: { status: EmailSuppressionStatus; erasedBy: Signer | undefined; atMs: number },
): Promise<void> {
  const { accountId, environmentId, notificationId } = head;
  await suppressions.suppress(accountId, mailbox, status, erasedBy);
  if (status.reason !== 'Complaint') return;
  const added = { [optOutName({ environmentId, notificationId })]: { atMs, source: 'complaint' } };
  await suppressions.optOut(accountId, await addressHash(signer, accountId, mailbox), { added });
}

/** A receipt without a recipient is about the user. */
async function isAboutUser(
  { signer }: ReceiptDependencies,
  head: StoredLogHead,
  { recipients }: Receipt,
): Promise<boolean> {
  if (recipients === undefined || recipients.length === 0) return true;
  if (head.email === undefined && head.erasedRecipients === undefined) return true;
  const { had, isUser } = await amongRecipients(signer, head, recipients);
  return isUser || (had.length === 0 && hasOneRecipient(head));
}
