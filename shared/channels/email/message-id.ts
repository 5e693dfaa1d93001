import { domainOf } from './address.ts';

/**
 * The Message-ID that the service assigns: `<trackingId@domain of the sender>`. It is the same on every
 * attempt, so a mailbox that receives the message twice can show it once.
 */
export function buildMessageId(trackingId: string, fromAddress: string): string {
  return `<${trackingId.replace(/[^A-Za-z0-9._-]/g, '')}@${domainOf(fromAddress) || 'localhost'}>`;
}

/**
 * The part before the `@` of a Message-ID, with or without angle brackets: SES's message ID, or the tracking
 * ID of a message sent over plain SMTP. In-Reply-To and References of a reply are matched to a notification
 * by it.
 */
export function messageKeyOf(messageId: string): string {
  const bare = messageId.trim().replace(/^<|>$/g, '');
  const at = bare.lastIndexOf('@');
  return at < 0 ? bare : bare.slice(0, at);
}

/**
 * The header that marks the service's own email with its tracking ID: if it returns to one of the service's
 * addresses, it is dropped.
 */
export const OWN_MARK = 'X-Tracking-ID';

/** Prefix of addresses that name the notification they reply to. */
const REPLY_PREFIX = 'r+';

/**
 * An address on the service's own mail domain. Email to it is a reply to the notification, whatever its
 * headers.
 */
export function replyAddressOf(trackingId: string, mailDomain: string): string {
  return `${REPLY_PREFIX}${trackingId}@${mailDomain}`;
}

/** The tracking ID of a reply address; undefined for any other address. */
export function findReplyToken(address: string, mailDomain: string | undefined): string | undefined {
  const at = address.lastIndexOf('@');
  const isOurs =
    mailDomain !== undefined && address.startsWith(REPLY_PREFIX) && address.slice(at + 1) === mailDomain;
  return isOurs ? address.slice(REPLY_PREFIX.length, at) : undefined;
}
