import { createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';
import type { SendMailOptions, SMTPSentMessageInfo, SMTPTransportOptions } from 'nodemailer';
import type { FairClient } from '../../../http-client/fair-client.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { addressIn } from '../../../schemas/fields/text.ts';
import type { ChannelProvider, DeliveryOutcome, EmailDelivery } from '../../channel.ts';
import { encodedSubject, mailboxIn, toAsciiAddress, withoutControls } from '../address.ts';
import { type FetchedAttachment, fetchInTime, omittedField } from '../content/attachments.ts';
import { findRefusal, findSizeRefusal, findUnicodeRefusal } from '../delivery-check.ts';
import { type EmailFailure, proving, reject, retry } from '../email-failure.ts';
import { buildMessageId } from '../message-id.ts';
import { findPartialFailure, findSmtpFailure } from './smtp-failure.ts';
import { parseSmtpUrl, type SmtpServer } from './smtp-url.ts';

/** The address to connect to; undefined if the server has none or connecting is not allowed. */
export type FindAddress = (server: SmtpServer) => Promise<string | undefined>;

export type SmtpOptions = {
  /** `SMTP_URL`, see `parseSmtpUrl`. */
  url: string;
  guarded: FairClient;
  attachmentBytesMax?: number;
  /** Checks a server that a customer configured; absent: the operator configured it. */
  findAddress?: FindAddress;
  /** Time limits of connecting, of silence, and of the whole conversation. */
  timeouts?: { connectMs?: number; silenceMs?: number; totalMs?: number };
};

// The headers that RFC 6376 §5.4.1 recommends signing, the header that RFC 8058 §4 adds, and Gmail's.
const SIGNED_HEADERS = [
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:Content-Transfer-Encoding',
  'In-Reply-To:References:List-Id:List-Unsubscribe:List-Unsubscribe-Post:Feedback-ID',
].join(':');
const UNREACHABLE = 'the mail server has no address that is allowed';
// Larger messages than this would be signed by way of a file.
const SIGNING_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Email over plain SMTP, signed with the domain's own key. It has no receipts: an accepted message counts as
 * delivered. A message that the server accepts only for some recipients is delivered to those, and rejected
 * if the user is not among them. Throws `ConfigError` if the URL names no server.
 */
export function createSmtpProvider(options: SmtpOptions): ChannelProvider<'EMAIL'> {
  const server = parseSmtpUrl(options.url);
  const transport = toTransport(server, options.timeouts);
  const totalMs = options.timeouts?.totalMs ?? 15_000;
  const { attachmentBytesMax } = options;
  const limits = defined({ sizeBytesMax: attachmentBytesMax });
  return {
    name: 'smtp',
    async deliver(request) {
      const delivery = (await request.forPlainSmtp?.()) ?? request;
      const refusal = findRefusal(delivery) ?? findKeyRefusal(delivery);
      if (refusal) return refusal;
      const fetched = await fetchInTime(options.guarded, delivery, totalMs, limits);
      if (!fetched.ok) return fetched.failure;
      const tooLarge = findSizeRefusal(delivery, fetched.attachments);
      if (tooLarge) return tooLarge;
      const message = buildMessage(delivery, fetched.attachments);
      const to = toAsciiAddress(delivery.to);
      const { createTransport } = await import('nodemailer');
      const place = await locate(server, options.findAddress);
      if (!place) return proving(retry('UNDETERMINED_BOUNCE', UNREACHABLE), 'unreachable');
      const unicode = findUnicodeRefusal(delivery, 'the mail server');
      const stage = watchStage(unicode !== undefined);
      try {
        const settings = {
          ...{ ...transport, ...stage.options, ...place },
          tls: { ...transport.tls, ...place.tls },
        };
        const sent = await createTransport(settings).sendMail({
          ...message,
          signal: AbortSignal.any([AbortSignal.timeout(totalMs), stage.lacksUnicode]),
        });
        return findPartialFailure(sent.rejectedErrors ?? [], to) ?? toSent(sent, fetched.omitted);
      } catch (error) {
        if (unicode && stage.lacksUnicode.aborted) return unicode;
        const failure = findSmtpFailure(error, to, {
          dataBegun: stage.dataBegun(),
          attempt: delivery.attempt,
        });
        if (!failure) throw error;
        return failure;
      }
    },
  };
}

/** The address to connect to, with the server's name for the certificate. Undefined if none is allowed. */
async function locate(
  { host, ...server }: SmtpServer,
  findAddress: FindAddress | undefined,
): Promise<{ host?: string; tls?: { servername?: string } } | undefined> {
  if (!findAddress) return {};
  const address = await findAddress({ host, ...server });
  if (!address) return undefined;
  return { host: address, ...defined({ tls: isIP(host) === 0 ? { servername: host } : undefined }) };
}

/**
 * Detects from nodemailer's log of the conversation whether DATA was written, which its errors do not show. Ends the conversation
 * if it writes an address that needs SMTPUTF8 and the server has none.
 */
function watchStage(isUnicode: boolean): {
  options: SMTPTransportOptions;
  dataBegun: () => boolean;
  lacksUnicode: AbortSignal;
} {
  let begun = false;
  const lacking = new AbortController();
  const watch = (entry: unknown, line: unknown) => {
    const isOurs = typeof entry === 'object' && entry !== null && 'tnx' in entry && entry.tnx === 'client';
    if (!isOurs) return;
    if (line === 'DATA') begun = true;
    if (isUnicode && /^MAIL FROM(?!.* SMTPUTF8)/.test(String(line))) lacking.abort();
  };
  const silent = () => {};
  const logger = { trace: silent, info: silent, warn: silent, error: silent, fatal: silent };
  return {
    options: { logger: { ...logger, debug: watch }, transactionLog: true },
    dataBegun: () => begun,
    lacksUnicode: lacking.signal,
  };
}

function toTransport(server: SmtpServer, timeouts: SmtpOptions['timeouts'] = {}): SMTPTransportOptions {
  const { rejectUnauthorized, ...connection } = server;
  return {
    ...connection,
    pool: false,
    connectionTimeout: timeouts.connectMs ?? 3000,
    greetingTimeout: timeouts.connectMs ?? 3000,
    socketTimeout: timeouts.silenceMs ?? 10_000,
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized },
  };
}

// nodemailer would send the message unsigned.
function findKeyRefusal({ dkim }: EmailDelivery): EmailFailure | undefined {
  if (!dkim) return undefined;
  try {
    const { asymmetricKeyType } = createPrivateKey(dkim.privateKeyPem);
    return asymmetricKeyType === 'rsa' ? undefined : reject('UNDETERMINED_BOUNCE', 'the DKIM key is not RSA');
  } catch {
    return reject('UNDETERMINED_BOUNCE', 'the DKIM key cannot be read');
  }
}

export function buildMessage(
  delivery: EmailDelivery,
  attachments: readonly FetchedAttachment[],
): SendMailOptions {
  const { from, dkim } = delivery;
  return {
    from: toMailbox(from),
    to: toMailboxes([delivery.to]),
    cc: toMailboxes(delivery.ccAddresses),
    bcc: toMailboxes(delivery.bccAddresses),
    replyTo: toMailboxes(delivery.replyToAddresses),
    ...defined({ envelope: delivery.returnPath ? toEnvelope(delivery, delivery.returnPath) : undefined }),
    messageId: buildMessageId(delivery.trackingId, from.address),
    ...subjectOf(withoutControls(delivery.subject), delivery.headers),
    html: withLineFeeds(delivery.html),
    ...defined({ text: delivery.text.trim() ? withLineFeeds(delivery.text) : undefined }),
    ...withInvitation(attachments),
    ...defined({ dkim: dkim ? toDkim(dkim) : undefined }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** A calendar file with a method is an invitation: mail programs show it if it is an alternative (RFC 6047 2.4). */
function methodOf({ contentType, content }: FetchedAttachment): string | undefined {
  const isCalendar = contentType.startsWith('text/calendar');
  return isCalendar
    ? /^METHOD:([A-Z]{1,20})\s*$/im.exec(content.toString('latin1', 0, 4096))?.[1]
    : undefined;
}

function withInvitation(attachments: readonly FetchedAttachment[]): SendMailOptions {
  const invitation = attachments.find(methodOf);
  const rest = attachments.filter((each) => each !== invitation).map(toAttachment);
  if (!invitation) return { attachments: rest };
  const { filename } = invitation;
  const content = withLineFeeds(invitation.content.toString('utf8'));
  const method = methodOf(invitation)?.toUpperCase();
  return { attachments: rest, icalEvent: { filename, content, ...defined({ method }) } };
}

// A message in a message is never encoded: a server may cut it to seven bits, change its line ends or break its lines.
const UNFIT = /[\x80-\xff]|\r(?!\n)|[^\n]{998}/;

function toAttachment({ contentType, contentId, ...attachment }: FetchedAttachment) {
  const isUnfit = /^message\//i.test(contentType) && UNFIT.test(attachment.content.toString('latin1'));
  const type = isUnfit ? 'application/octet-stream' : contentType;
  const contentDisposition = contentId ? ('inline' as const) : ('attachment' as const);
  return { ...attachment, contentType: type, contentDisposition, ...defined({ cid: contentId }) };
}

function subjectOf(subject: string, headers: EmailDelivery['headers']): SendMailOptions {
  const own = headers.map(({ name, value }) => ({ key: name, value: withoutControls(value) }));
  const words = encodedSubject(subject);
  if (!words) return { subject, headers: own };
  const value = { prepared: true, value: words.join('\r\n ') };
  return { headers: [...own, { key: 'Subject', value }] };
}

/** A lone CR would be signed, and sent as CRLF. */
const withLineFeeds = (text: string) => text.replace(/\r\n?/g, '\n');

function toEnvelope({ to, ccAddresses, bccAddresses }: EmailDelivery, from: string) {
  return { from, to: [to, ...[...ccAddresses, ...bccAddresses].map(addressIn)].map(toAsciiAddress) };
}

function toDkim(dkim: NonNullable<EmailDelivery['dkim']>) {
  return {
    domainName: dkim.domain,
    keySelector: dkim.selector,
    privateKey: dkim.privateKeyPem,
    headerFieldNames: SIGNED_HEADERS,
    cacheTreshold: SIGNING_BYTES_MAX,
  };
}

const toMailboxes = (addresses: string[]) => addresses.map(mailboxIn).map(toMailbox);

// The library encodes a name only if a character is outside ASCII. Mail programs decode what looks encoded, in quotes too.
function toMailbox({ address, name = '' }: { address: string; name?: string }) {
  const text = withoutControls(name);
  return { name: text.includes('=?') ? `${text}\u00a0` : text, address: toAsciiAddress(address) };
}

function toSent(sent: SMTPSentMessageInfo, omitted: readonly string[]): DeliveryOutcome<'EMAIL'> {
  return {
    kind: 'sent',
    fields: { ...omittedField(omitted), email_sent_message_id: sent.messageId.replace(/^<|>$/g, '') },
    delivered: { email_delivered_recipients: sent.accepted.join(',') },
  };
}
