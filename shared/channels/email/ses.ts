import {
  type SESv2Client,
  type SESv2ClientConfig,
  SendEmailCommand,
  type SendEmailCommandInput,
} from '@aws-sdk/client-sesv2';
import { createConnectedAgents } from '../../http-client/connected-agents.ts';
import type { FairClient } from '../../http-client/fair-client.ts';
import { defined } from '../../runtime/defined.ts';
import { CONNECT_MS, requestLimits } from '../../runtime/request-limits.ts';
import type { ChannelProvider, EmailDelivery } from '../channel.ts';
import { encodedSubject, formatAddress, mailboxIn, toAsciiAddress, withoutControls } from './address.ts';
import { type FetchedAttachment, fetchInTime, omittedField } from './attachments.ts';
import { findRefusal, findSizeRefusal, findUnicodeRefusal } from './delivery-check.ts';
import { findSesFailure } from './ses-failure.ts';

/**
 * Options of email over SES. `attachmentBytesMax` is the total of a message's attachments, by default 25 MB.
 */
export type SesOptions = {
  client: SESv2Client;
  /** Fetches attachments. */
  guarded: FairClient;
  /** Its event destination brings the receipts. */
  configurationSetName?: string;
  /** Replaces it for messages whose opens are reported. */
  trackedSetName?: string;
  attachmentBytesMax?: number;
  random: () => number;
};

type Header = { Name: string; Value: string };

const CHARSET = 'UTF-8';
const HEADERS_MAX = 15;
const HEADER_NAME = /^[!-9;-~]{1,126}$/;
const HEADER_VALUE = /^[ -~]{1,870}$/;
const HEADER_LENGTH_MAX = 870;
const TAG_LENGTH_MAX = 256;

const { connectionTimeout, requestTimeout } = requestLimits();
const CALL_MS_MAX = connectionTimeout + requestTimeout;

/**
 * Settings of the SES client. One attempt per call: the queue retries, and the client cannot know whether a
 * message without a response was sent.
 */
export function sesClientOptions(config: { region?: string; endpoint?: string } = {}): SESv2ClientConfig {
  return {
    ...config,
    maxAttempts: 1,
    requestHandler: { ...requestLimits(), ...createConnectedAgents(CONNECT_MS) },
  };
}

/**
 * Email over SES v2. The message has the tags `trackingId`, `accountId` and `envId`, which every event
 * returns: `parseSesEvent` reads them.
 */
export function createSesProvider(options: SesOptions): ChannelProvider<'EMAIL'> {
  const { client, guarded, configurationSetName, trackedSetName, attachmentBytesMax, random } = options;
  const limits = defined({ sizeBytesMax: attachmentBytesMax });
  return {
    name: 'ses',
    async deliver(request) {
      const delivery = (await request.forSes?.()) ?? request;
      const refusal = findRefusal(delivery) ?? findUnicodeRefusal(delivery);
      if (refusal) return refusal;
      const fetched = await fetchInTime(guarded, delivery, CALL_MS_MAX, limits);
      if (!fetched.ok) return fetched.failure;
      const tooLarge = findSizeRefusal(delivery, fetched.attachments);
      if (tooLarge) return tooLarge;
      try {
        const set = (delivery.tracking?.opens && trackedSetName) || configurationSetName;
        const message = await buildSesMessage(delivery, fetched.attachments, set);
        const { MessageId } = await client.send(new SendEmailCommand(message));
        const fields = omittedField(fetched.omitted);
        return { kind: 'sent', fields: MessageId ? { ...fields, email_sent_message_id: MessageId } : fields };
      } catch (error) {
        const failure = findSesFailure(error, delivery.attempt, random, delivery.from.address);
        if (!failure) throw error;
        return failure;
      }
    },
  };
}

async function buildSesMessage(
  delivery: EmailDelivery,
  attachments: readonly FetchedAttachment[],
  configurationSetName: string | undefined,
): Promise<SendEmailCommandInput> {
  const headers = toHeaders(delivery.headers);
  return {
    FromEmailAddress: formatAddress(delivery.from),
    Destination: {
      ToAddresses: [toAsciiAddress(delivery.to)],
      CcAddresses: delivery.ccAddresses.map(formatMailbox),
      BccAddresses: delivery.bccAddresses.map(formatMailbox),
    },
    ReplyToAddresses: delivery.replyToAddresses.map(formatMailbox),
    EmailTags: [
      { Name: 'trackingId', Value: toTagValue(delivery.trackingId) },
      { Name: 'accountId', Value: toTagValue(delivery.accountId) },
      { Name: 'envId', Value: toTagValue(delivery.environmentId) },
      // Parts of the Feedback-ID by which Gmail groups complaints.
      { Name: 'ses:feedback-id-a', Value: toTagValue(delivery.notificationId) },
      { Name: 'ses:feedback-id-b', Value: toTagValue(delivery.accountId) },
    ],
    ...defined({ ConfigurationSetName: configurationSetName }),
    Content: (await findRaw(delivery, attachments)) ?? {
      Simple: {
        Subject: { Data: subjectOf(withoutControls(delivery.subject)), Charset: CHARSET },
        Body: {
          Html: { Data: delivery.html, Charset: CHARSET },
          ...defined({ Text: delivery.text.trim() ? { Data: delivery.text, Charset: CHARSET } : undefined }),
        },
        ...defined({
          Headers: headers.length > 0 ? headers : undefined,
          Attachments: attachments.length > 0 ? attachments.map(toSesAttachment) : undefined,
        }),
      },
    },
  };
}

/** An invitation is an alternative to the text, which SES cannot compose. */
async function findRaw(delivery: EmailDelivery, attachments: readonly FetchedAttachment[]) {
  if (!attachments.some(({ contentType }) => contentType.startsWith('text/calendar'))) return undefined;
  const [{ default: MailComposer }, { buildMessage }] = await Promise.all([
    import('nodemailer/lib/mail-composer'),
    import('./smtp.ts'),
  ]);
  const { bcc: _, ...message } = buildMessage(delivery, attachments);
  return { Raw: { Data: await new MailComposer(message).compile().build() } };
}

const subjectOf = (text: string) => encodedSubject(text)?.join(' ') ?? text;

const formatMailbox = (text: string) => formatAddress(mailboxIn(text));

function toSesAttachment({ filename, contentType, content, contentId }: FetchedAttachment) {
  return {
    FileName: filename,
    RawContent: content,
    ContentType: contentType,
    ContentDisposition: contentId ? ('INLINE' as const) : ('ATTACHMENT' as const),
    ...defined({ ContentId: contentId }),
    ContentTransferEncoding: 'BASE64' as const,
  };
}

const isExtra = ({ Name }: Header) =>
  /^(?:x-(?!tracking-id$|auto-response)|importance$|priority$|sensitivity$)/i.test(Name);

// A single header that SES rejects would fail the whole message.
function toHeaders(headers: EmailDelivery['headers']): Header[] {
  const accepted = headers
    .map(({ name, value }) => ({ Name: name, Value: shorten(name, withoutControls(value)) }))
    .filter(({ Name, Value }) => HEADER_NAME.test(Name) && HEADER_VALUE.test(Value))
    // The service's own go first: SES takes fifteen.
    .toSorted((left, right) => Number(isExtra(left)) - Number(isExtra(right)))
    .slice(0, HEADERS_MAX);
  // One click belongs to the address in List-Unsubscribe (RFC 8058).
  const isListed = accepted.some(({ Name }) => Name.toLowerCase() === 'list-unsubscribe');
  return accepted.filter(({ Name }) => isListed || Name.toLowerCase() !== 'list-unsubscribe-post');
}

// A long conversation's References keep their end, which names the nearest messages (RFC 5322 §3.6.4).
function shorten(name: string, value: string): string {
  if (name.toLowerCase() !== 'references' || value.length <= HEADER_LENGTH_MAX) return value;
  const ids = value.split(/\s+/);
  while (ids.length > 1 && ids.join(' ').length > HEADER_LENGTH_MAX) ids.shift();
  return ids.join(' ');
}

function toTagValue(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, TAG_LENGTH_MAX) || '_';
}
