import {
  type SESv2Client,
  type SESv2ClientConfig,
  SendEmailCommand,
  type SendEmailCommandInput,
} from '@aws-sdk/client-sesv2';
import { createConnectedAgents } from '../../../http-client/connected-agents.ts';
import type { FairClient } from '../../../http-client/fair-client.ts';
import { CONNECT_MS, requestLimits } from '../../../runtime/request-limits.ts';
import { defined } from '../../../runtime/values/defined.ts';
import type { ChannelProvider, EmailDelivery } from '../../channel.ts';
import {
  encodedSubject,
  formatAddress,
  HEADER_LENGTH_MAX,
  mailboxIn,
  toAsciiAddress,
  withoutControls,
} from '../address.ts';
import { type FetchedAttachment, fetchInTime, omittedField } from '../content/attachments.ts';
import { findRefusal, findSizeRefusal, findUnicodeRefusal } from '../delivery-check.ts';
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

type Headers = EmailDelivery['headers'];

const CHARSET = 'UTF-8';
const HEADERS_MAX = 15;
const HEADER_NAME = /^[!-9;-~]{1,126}$/;
const HEADER_VALUE = new RegExp(`^[ -~]{1,${HEADER_LENGTH_MAX}}$`);
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
 * returns: `parseSesEvents` reads them.
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
  const headers = acceptedHeaders(delivery.headers);
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
      // Gmail groups complaints by these parts of the Feedback-ID.
      { Name: 'ses:feedback-id-a', Value: toTagValue(delivery.notificationId) },
      { Name: 'ses:feedback-id-b', Value: toTagValue(delivery.accountId) },
    ],
    ...defined({ ConfigurationSetName: configurationSetName }),
    Content: (await findRaw({ ...delivery, headers }, attachments)) ?? {
      Simple: {
        Subject: { Data: subjectOf(withoutControls(delivery.subject)), Charset: CHARSET },
        Body: {
          Html: { Data: delivery.html, Charset: CHARSET },
          ...defined({ Text: delivery.text.trim() ? { Data: delivery.text, Charset: CHARSET } : undefined }),
        },
        ...defined({
          Headers: headers.length > 0 ? headers.map(toSesHeader) : undefined,
          Attachments: attachments.length > 0 ? attachments.map(toSesAttachment) : undefined,
        }),
      },
    },
  };
}

/** An invitation is an alternative to the text, and a message in a message is not encoded: SES composes neither, nor many headers. */
async function findRaw(delivery: EmailDelivery, attachments: readonly FetchedAttachment[]) {
  const isSimple = !attachments.some(({ contentType }) => /^(?:text\/calendar|message\/)/.test(contentType));
  if (isSimple && delivery.headers.length <= HEADERS_MAX) return undefined;
  const [{ default: MailComposer }, { buildMessage }] = await Promise.all([
    import('nodemailer/lib/mail-composer'),
    import('../smtp/smtp.ts'),
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

const toSesHeader = ({ name, value }: Headers[number]) => ({ Name: name, Value: value });

// A single header that SES rejects would fail the whole message.
function acceptedHeaders(headers: Headers): Headers {
  const accepted = headers
    .map(({ name, value }) => ({ name, value: shorten(name, withoutControls(value)) }))
    .filter(({ name, value }) => HEADER_NAME.test(name) && HEADER_VALUE.test(value));
  // One click belongs to the address in List-Unsubscribe (RFC 8058).
  const isListed = accepted.some(({ name }) => name.toLowerCase() === 'list-unsubscribe');
  return accepted.filter(({ name }) => isListed || name.toLowerCase() !== 'list-unsubscribe-post');
}

// A long conversation's References keep their end, where the nearest messages are (RFC 5322 §3.6.4).
function shorten(name: string, value: string): string {
  if (name.toLowerCase() !== 'references' || value.length <= HEADER_LENGTH_MAX) return value;
  const ids = value.split(/\s+/);
  while (ids.length > 1 && ids.join(' ').length > HEADER_LENGTH_MAX) ids.shift();
  return ids.join(' ');
}

function toTagValue(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, TAG_LENGTH_MAX) || '_';
}
