import { domainOf, toAsciiAddress } from '../../../shared/channels/email/address.ts';
import { findMailDomain } from '../../../shared/channels/email/mail-domain.ts';
import { findBounceToken, findReplyToken, messageKeyOf } from '../../../shared/channels/email/message-id.ts';
import type { InboundMail } from '../../../shared/channels/email/read-mail.ts';
import { accounts } from '../../../shared/database/entities/accounts.ts';
import { type AddressHolder, addresses } from '../../../shared/database/entities/addresses.ts';
import { domains } from '../../../shared/database/entities/domains.ts';
import type { StoredLogHead } from '../../../shared/database/entities/log-head.ts';
import { logs } from '../../../shared/database/entities/logs.ts';
import { messageIds } from '../../../shared/database/entities/message-ids.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';

/** Where a mail goes: to the log of the notification it answers, or to a new one of an environment. */
export type Destination = { inbox: string } & (
  | { kind: 'reply'; head: StoredLogHead }
  | {
      kind: 'new';
      accountId: string;
      environmentId: string;
      resolutionType: 'builtin' | 'custom' | 'inbound';
    }
);

const RECIPIENTS_MAX = 250;
const RECIPIENTS_AT_ONCE = 25;
/** Longer ones are no id of ours, and too long for a key. */
const MESSAGE_KEY_LENGTH_MAX = 128;

/**
 * The destinations of a mail by its recipients. It is a reply when In-Reply-To, a reference from the right, or the
 * reply address names a notification of the account that holds the recipient's address or domain; on the service's own
 * mail domain, of any account, because the sender of last resort is on it. One notification is answered once a mail.
 */
export async function routeMail(
  mail: InboundMail,
  recipients: readonly string[],
  nowMs: number,
): Promise<Destination[]> {
  const answered = await findAnswered(mail, nowMs);
  const inboxes = uniqueAddresses(recipients);
  const found = new Map<string, Destination>();
  for (let start = 0; start < inboxes.length; start += RECIPIENTS_AT_ONCE) {
    const part = inboxes.slice(start, start + RECIPIENTS_AT_ONCE);
    for (const destination of await Promise.all(part.map((inbox) => routeTo(inbox, answered, nowMs)))) {
      if (!destination) continue;
      const isReply = destination.kind === 'reply';
      const key = isReply ? `reply ${destination.head.trackingId}` : destination.inbox;
      if (!found.has(key)) found.set(key, destination);
    }
  }
  return [...found.values()];
}

function uniqueAddresses(recipients: readonly string[]): string[] {
  const named = recipients.map((each) => toAsciiAddress(each.trim()).toLowerCase());
  return [...new Set(named)]
    .filter((each) => each.includes('@') && each.length <= 254)
    .slice(0, RECIPIENTS_MAX);
}

async function routeTo(
  inbox: string,
  answered: StoredLogHead | undefined,
  nowMs: number,
): Promise<Destination | undefined> {
  const mailDomain = findMailDomain();
  if (findBounceToken(inbox, mailDomain) !== undefined) return undefined;
  const token = findReplyToken(inbox, mailDomain);
  const named = answered ?? (token === undefined ? undefined : await findHeadOf(token, nowMs));
  const domain = domainOf(inbox);
  const holder = await findHolder(inbox);
  const accountId = holder?.accountId ?? (domain ? await resolve(domains).findHolder(domain) : undefined);
  const mayAnswer = accountId === undefined ? domain === mailDomain : named?.accountId === accountId;
  if (named && mayAnswer) return { kind: 'reply', inbox, head: named };
  if (accountId === undefined) return undefined;
  const environmentId =
    holder?.environmentId ?? (await resolve(accounts).find(accountId))?.defaultEnvironmentId;
  if (environmentId === undefined) return undefined;
  return { kind: 'new', inbox, accountId, environmentId, resolutionType: holder?.type ?? 'inbound' };
}

/** No address of ours has a `+`: what follows it is the sender's own tag (RFC 5233). */
async function findHolder(inbox: string): Promise<AddressHolder | undefined> {
  return resolve(addresses).findByAddress(inbox.replace(/\+.*(?=@)/, ''));
}

/** The notification that the mail's headers say it answers. */
async function findAnswered({ answers }: InboundMail, nowMs: number): Promise<StoredLogHead | undefined> {
  for (const key of new Set(answers.map(messageKeyOf))) {
    const head = await findHeadOf(key, nowMs);
    if (head) return head;
  }
  return undefined;
}

const TRACKING_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The notification of a message key: one that looks like ours is a tracking ID, any other SES's message id. */
export async function findHeadOf(key: string, nowMs: number): Promise<StoredLogHead | undefined> {
  if (key === '' || key.length > MESSAGE_KEY_LENGTH_MAX) return undefined;
  const trackingId = TRACKING_ID.test(key)
    ? key.toLowerCase()
    : await resolve(messageIds).findTrackingId('ses', key, nowMs);
  return trackingId === undefined ? undefined : resolve(logs).findHead(trackingId, nowMs);
}
