import { domainOf } from './address.ts';

/**
 * The Message-ID of a message that we number ourselves: `<trackingId@domain of the sender>`. The same on every try,
 * so that a mailbox that got the message twice can show it once.
 */
export function buildMessageId(trackingId: string, fromAddress: string): string {
  return `<${trackingId.replace(/[^A-Za-z0-9._-]/g, '')}@${domainOf(fromAddress) || 'localhost'}>`;
}

/**
 * What stands before the `@` of a Message-ID, with or without angle brackets: SES's message id, or the tracking ID of
 * a message sent over plain SMTP. In-Reply-To and References of a reply lead to a notification by it.
 */
export function messageKeyOf(messageId: string): string {
  const bare = messageId.trim().replace(/^<|>$/g, '');
  const at = bare.lastIndexOf('@');
  return at < 0 ? bare : bare.slice(0, at);
}

/** The header that marks our own mail with its tracking ID: coming back to an address of ours, it is no mail to take. */
export const OWN_MARK = 'X-Tracking-ID';

/** Starts the local part of addresses that name the notification they answer. */
const REPLY_PREFIX = 'r+';

/** An address on the service's own mail domain whose mail is a reply to the notification, whatever its headers say. */
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
