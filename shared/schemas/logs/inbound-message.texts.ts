import { describeFields } from '../fields/field-texts.ts';
import { InboundMessage } from './inbound-message.ts';

describeFields(InboundMessage, {
  trackingId: "The tracking ID; for a reply, the original notification's.",
  eventType: 'outbound for a notification, inbound for an email, sms_inbound for a text message.',
  timestamp: 'Time of the event.',
  epochMs: 'The same time in milliseconds since 1970.',
  inbox: 'The address of the account that received the email.',
  from: 'The address or number of the sender.',
  subject: 'The subject of the email.',
  to: 'The addresses or numbers of the recipients.',
  cc: 'The addresses in Cc.',
  bcc: 'The addresses in Bcc.',
  replyTo: 'The Reply-To of the email.',
  bodyText: 'The text of the message.',
  strippedText: 'What its author wrote: the text without quotes and signature.',
  bodyHtml: 'The HTML of the email.',
  attachments: [
    'Files sent with the message.',
    {
      index: 'Its place in GET /logs/{trackingId}/attachments/{index}.',
      filename: "The file's name.",
      contentType: 'The media type.',
      size: 'The size in bytes.',
      contentId: 'The Content-ID of an inline attachment.',
    },
  ],
  media: [
    'Media of an MMS.',
    {
      url: 'The URL of the file.',
      contentType: 'The media type.',
    },
  ],
  cut: 'The parts of the inbound message that were cut.',
  truncated: 'True if the text or the HTML was cut; GET /logs/{trackingId}/original has the whole email.',
  automatic: 'True for an automatic reply, such as an absence, and mail of lists: it raises no event.',
  verdicts: [
    'What the receiving server found out, in lower case (pass, fail, gray, …); absent where it found out nothing.',
    {
      spam: 'Whether it is spam; mail that fails raises no event.',
      virus: 'Whether it has a virus; mail that fails is dropped.',
      spf: 'Whether the sending host may send for the domain of the return path.',
      dkim: 'Whether a signature is valid.',
      dmarc: 'Whether one of the two is of the domain in From.',
    },
  ],
  messageId: 'The Message-ID of the email.',
  inReplyTo: 'The Message-ID that the email replies to.',
  references: 'The References of the email.',
  resolutionType: 'How the notification or inbox was found: reply, builtin, custom or inbound.',
});
