import { addressIn, isEmailAddress } from '../../schemas/fields/text.ts';
import type { EmailDelivery } from '../channel.ts';
import type { FetchedAttachment } from './content/attachments.ts';
import { type EmailFailure, reject } from './email-failure.ts';

/** Most recipients of one message, to, cc and bcc together (SES's limit, kept on plain SMTP too). */
const RECIPIENTS_MAX = 50;

/** Most bytes of a message after encoding (SES's limit, kept on plain SMTP too). */
const MESSAGE_BYTES_MAX = 40 * 1024 * 1024;

const STRUCTURE_BYTES = 8 * 1024;

/** Everyone a delivery goes to: the user first, then cc, then bcc. */
function recipientsOf(delivery: EmailDelivery): string[] {
  return [delivery.to, ...[...delivery.ccAddresses, ...delivery.bccAddresses].map(addressIn)];
}

/** The reason not to pass a delivery to the provider; undefined if there is none. */
export function findRefusal(delivery: EmailDelivery): EmailFailure | undefined {
  if (delivery.to.trim() === '') return reject('MISSING_EMAIL_RECIPIENT', 'no recipient');
  if (delivery.subject.trim() === '') return reject('MISSING_EMAIL_SUBJECT', 'no subject');
  if (delivery.html.trim() === '') return reject('MISSING_EMAIL_HTML', 'no html');
  const recipients = recipientsOf(delivery);
  if (recipients.length > RECIPIENTS_MAX) {
    return reject('UNDETERMINED_BOUNCE', `more than ${RECIPIENTS_MAX} recipients`);
  }
  const impossible = recipients.find((address) => !isEmailAddress(address));
  if (impossible === undefined) return undefined;
  return reject('PERMANENT_NO_EMAIL_BOUNCE', 'a recipient is not an email address', {
    email_failed_recipient: impossible,
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is what is asked for
const NOT_ASCII = /[^\u0000-\u007f]/;
const hasUnicodeLocalPart = (address: string) => NOT_ASCII.test(address.slice(0, address.lastIndexOf('@')));

/**
 * The rejection of an address whose part before the @ is not ASCII: SES, and servers without SMTPUTF8, do not send such a
 * message, not even to its other recipients. Undefined if there is none.
 */
export function findUnicodeRefusal(delivery: EmailDelivery, server = 'SES'): EmailFailure | undefined {
  const recipient = recipientsOf(delivery).find(hasUnicodeLocalPart);
  if (recipient !== undefined) {
    const internal = `${server} accepts only ASCII before the @ of a recipient`;
    return reject('PERMANENT_NO_EMAIL_BOUNCE', internal, { email_failed_recipient: recipient });
  }
  const isSender = [delivery.from.address, ...delivery.replyToAddresses.map(addressIn)].some(
    hasUnicodeLocalPart,
  );
  return isSender
    ? reject('UNDETERMINED_BOUNCE', `${server} accepts only ASCII before the @ of a sender`)
    : undefined;
}

/** The rejection of a message over `MESSAGE_BYTES_MAX`; undefined if it fits. */
export function findSizeRefusal(
  delivery: EmailDelivery,
  attachments: readonly FetchedAttachment[],
): EmailFailure | undefined {
  const sizeBytes = sizeOf(delivery, attachments);
  if (sizeBytes <= MESSAGE_BYTES_MAX) return undefined;
  return reject(
    'TRANSIENT_MESSAGE_TOO_LARGE_BOUNCE',
    `about ${sizeBytes} bytes, ${MESSAGE_BYTES_MAX} at most`,
  );
}

// Upper estimate: base64 of everything, in lines of 76 characters and a line break.
function sizeOf(delivery: EmailDelivery, attachments: readonly FetchedAttachment[]): number {
  const texts = [delivery.subject, delivery.html, delivery.text];
  const headers = delivery.headers.flatMap(({ name, value }) => [name, value]);
  const textBytes = [...texts, ...headers].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const fileBytes = attachments.reduce((sum, { content }) => sum + content.length, 0);
  return Math.ceil(((textBytes + fileBytes) / 3) * 4 * (78 / 76)) + STRUCTURE_BYTES;
}
