import { domainOf, toAsciiAddress } from '../../../shared/channels/email/address.ts';
import type { InboundMail } from '../../../shared/channels/email/inbound/read-mail.ts';
import { findMailDomain } from '../../../shared/channels/email/mail-domain.ts';
import { findReplyTo, messageKeyOf } from '../../../shared/channels/email/message-id.ts';
import { isErasedHead, type StoredLogHead } from '../../../shared/database/entities/logs/log-head.ts';
import type { AddressHolder } from '../../../shared/database/entities/settings/addresses.ts';
import { mapAtMost } from '../../../shared/runtime/async/map-at-most.ts';
import { isSignedAddress } from '../../../shared/tokens/signed-address.ts';
import type { MailDependencies } from './mail-dependencies.ts';

/** The destination of an email: the log of the notification that it replies to, or a new log in an environment. */
export type Destination = { inbox: string } & (
  | { kind: 'reply'; head: StoredLogHead }
  | {
      kind: 'new';
      accountId: string;
      environmentId: string;
      resolutionType: 'builtin' | 'custom' | 'inbound';
    }
);

/** The maximum that SES accepts for one email. */
const RECIPIENTS_MAX = 100;
const RECIPIENTS_AT_ONCE = 25;
/** Longer values are not this service's IDs, and too long for a key. */
const MESSAGE_KEY_LENGTH_MAX = 128;

/**
 * Returns the destinations of an email by the recipients of its envelope. It is a reply if In-Reply-To,
 * References (from the right) or the reply address names a notification of the account that owns the
 * recipient's address or domain; on the service's own mail domain, of any account, because the fallback
 * sender is there. An email replies to a notification only once.
 */
export async function routeMail(
  deps: MailDependencies,
  mail: InboundMail,
  recipients: readonly string[],
  nowMs: number,
): Promise<{ destinations: Destination[]; cut: string[] }> {
  const inboxes = uniqueAddresses(recipients);
  const answered = await findAnswered(deps, mail);
  const routed = await mapAtMost(RECIPIENTS_AT_ONCE, inboxes.slice(0, RECIPIENTS_MAX), (inbox) =>
    routeTo(deps, inbox, answered, nowMs),
  );
  const found = new Map<string, Destination>();
  for (const destination of routed) {
    if (!destination) continue;
    const isReply = destination.kind === 'reply';
    const key = isReply ? `reply ${destination.head.trackingId}` : destination.inbox;
    if (!found.has(key)) found.set(key, destination);
  }
  return { destinations: [...found.values()], cut: inboxes.length > RECIPIENTS_MAX ? ['recipients'] : [] };
}

function uniqueAddresses(recipients: readonly string[]): string[] {
  const named = recipients.map((each) => toAsciiAddress(each.trim()).toLowerCase());
  return [...new Set(named)].filter((each) => each.includes('@') && each.length <= 254);
}

async function routeTo(
  deps: MailDependencies,
  inbox: string,
  answered: StoredLogHead | undefined,
  nowMs: number,
): Promise<Destination | undefined> {
  const mailDomain = findMailDomain();
  if (isSignedAddress(inbox, mailDomain)) return undefined;
  const replyTo = findReplyTo(inbox, mailDomain);
  const named = answered ?? (replyTo && (await deps.logs.findHead(replyTo.trackingId, ENDED_TOO)));
  const domain = domainOf(inbox);
  const holder = await findHolder(deps, inbox);
  const accountId = holder?.accountId ?? (domain ? await deps.domains.findHolder(domain) : undefined);
  const mayAnswer = accountId === undefined ? domain === mailDomain : named?.accountId === accountId;
  const isClosed = named && (isErasedHead(named) || named.expiresAtSeconds * 1000 <= nowMs);
  if (named && mayAnswer && !isClosed) return { kind: 'reply', inbox, head: named };
  // A log that was erased, or has ended, accepts no message: the email gets a log of its own. So it does when the log is gone.
  const replied = mayAnswer ? named : undefined;
  const ownerId = accountId ?? replied?.accountId ?? replyTo?.accountId;
  if (ownerId === undefined) return undefined;
  const environmentId =
    holder?.environmentId ??
    replied?.environmentId ??
    (await deps.accounts.find(ownerId))?.defaultEnvironmentId;
  if (environmentId === undefined) return undefined;
  return { kind: 'new', inbox, accountId: ownerId, environmentId, resolutionType: holder?.type ?? 'inbound' };
}

/** Addresses here have no `+`: the sender's own tag follows it (RFC 5233). */
async function findHolder(
  { addresses }: MailDependencies,
  inbox: string,
): Promise<AddressHolder | undefined> {
  return addresses.findByAddress(inbox.replace(/^([^+]*)\+.*@/, '$1@'));
}

/** Finds logs whose retention has ended as well, as long as they are stored. */
export const ENDED_TOO = 0;

/** The notification that the email replies to, by its headers. */
async function findAnswered(
  deps: MailDependencies,
  { answers }: InboundMail,
): Promise<StoredLogHead | undefined> {
  for (const key of new Set(answers.map(messageKeyOf))) {
    const head = await findHead(deps, key, ENDED_TOO);
    if (head) return head;
  }
  return undefined;
}

const TRACKING_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The notification of a message key: one in this service's format is a tracking ID, any other SES's message
 * ID.
 */
export async function findHead(
  { logs, messageIds }: MailDependencies,
  key: string,
  nowMs: number,
): Promise<StoredLogHead | undefined> {
  if (key === '' || key.length > MESSAGE_KEY_LENGTH_MAX) return undefined;
  const trackingId = TRACKING_ID.test(key)
    ? key.toLowerCase()
    : await messageIds.findTrackingId('ses', key, nowMs);
  return trackingId === undefined ? undefined : logs.findHead(trackingId, nowMs);
}
