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

/** Headers that say that no person wrote the message, so that no program answers it. */
export const AUTOMATIC_MARKS = [
  { name: 'Auto-Submitted', value: 'auto-generated' },
  { name: 'X-Auto-Response-Suppress', value: 'OOF, AutoReply' },
];

const REPLY = /^r\+([0-9a-f-]{36})(?:-((?:[0-9a-f]{2})+))?$/;

/**
 * An address on the service's own mail domain, `r+<tracking ID>-<account ID in hexadecimal>`: servers may change letter case.
 * All email to it is a reply to the notification. When the log is gone, it belongs to the account.
 */
export function replyAddressOf(
  { trackingId, accountId }: { trackingId: string; accountId: string },
  mailDomain: string,
): string {
  return `r+${trackingId}-${Buffer.from(accountId, 'base64url').toString('hex')}@${mailDomain}`;
}

/** What a reply address names; undefined for any other address. Those of earlier releases name no account. */
export function findReplyTo(
  address: string,
  mailDomain: string | undefined,
): { trackingId: string; accountId: string | undefined } | undefined {
  const at = address.lastIndexOf('@');
  const [, trackingId, account] = REPLY.exec(address.slice(0, at)) ?? [];
  if (trackingId === undefined || mailDomain === undefined || address.slice(at + 1) !== mailDomain)
    return undefined;
  return { trackingId, accountId: account && Buffer.from(account, 'hex').toString('base64url') };
}
