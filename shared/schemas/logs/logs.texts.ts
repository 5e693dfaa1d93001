import { CHANNELS, LOG_PREFIX } from '../channel.ts';
import { describeFields } from '../fields/field-texts.ts';
import { InboundMessage } from './inbound-message.ts';
import { LogRecord } from './log-record.ts';
import { MadeCall, WebhookAttempt } from './webhook.ts';
import { WEBHOOK_DATA, WebhookEnvelope } from './webhook-body.ts';

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

const GENERAL = {
  truncated: 'Names of the fields whose text was cut to keep the response under 5 MB.',
  received_at: 'Time the request was received.',
  type: 'The notification type.',
  envId: 'The environment that it belongs to.',
  clientId: 'The environment of the credential that sent it.',
  agent: 'The user agent of the request.',
  ip: 'The IP address of the request.',
  request: "The request's body as JSON.",
  metadata: 'The metadata of the request.',
  accepted_webhook_res: "The webhook's response to the event of the acceptance.",
  test: 'True if it was a test email.',
  processed_at: 'Time the schedule or the digest was due and processed.',
  scheduled_for: 'Scheduled time.',
  user_id: 'The user.',
  user_email: "The user's email address when the notification was accepted.",
  user_number: "The user's phone number when the notification was accepted.",
  ignored: 'Why the whole notification is ignored.',
  failed_at: 'Time the whole notification failed.',
  failed_code: 'Why the whole notification failed.',
  failed_internal: 'Details for diagnostics.',
  schedule_updated_at: 'Time the schedule was changed.',
  schedule_updated_to: 'The new time of the schedule.',
  schedule_deleted_at: 'Time the scheduled notification was cancelled.',
  topic: 'The topic that it was sent to.',
  topic_tracking_id: 'The tracking ID of the topic notification that it belongs to.',
  topic_state: 'The state of sending to the members of the topic.',
  topic_members: 'The number of members of the topic.',
  topic_accepted: 'The number of members for whom a notification was accepted.',
  topic_ignored: 'The number of members for whom nothing is sent.',
  topic_fanned_out_at: 'Time the last member was notified.',
  trackingId: 'The ID of the notification.',
  accountId: 'The account that it belongs to.',
} as const;

/** The meaning of a delivery log field, by its name after the channel's prefix. */
const STAGES: Readonly<Record<string, string>> = {
  preview: 'The rendered message',
  template: 'The ID of the chosen template',
  locale: "The language of the template's variant",
  routing: 'The routing decision',
  routing_reason: 'Why the channel is ignored',
  sent_at: 'Time the provider accepted the message',
  sent_after:
    'Milliseconds from received_at (processed_at when scheduled or batched, its due time for a later step) to sent_at',
  sent_provider: 'The provider that sent the message',
  attempts: 'The providers that did not accept the message, with their reasons, as JSON',
  sent_message_id: "The provider's ID of the message",
  sent_messageId: "The provider's ID of the message",
  sent_from: 'The number that the message was sent from',
  sent_to: 'The number that the message was sent to',
  sent_carrier: "The recipient's carrier",
  sent_line_type: 'The line type of the number',
  sent_encoding: 'The encoding of the text, GSM-7 or UCS-2',
  sent_segments: 'The number of segments of the text',
  sent_parts: 'The number of messages into which the text was split',
  sent_country: 'The country of the number, ISO 3166-1 alpha-2',
  sent_cost: 'The price in USD',
  sent_mms: 'True if it was sent as MMS',
  sent_token: 'The token or subscription that it was sent to',
  next_try_at: 'Time of the next attempt, while the message waits for one',
  delivered_at: 'Time the message was delivered',
  delivered_after:
    'Milliseconds from received_at (processed_at when scheduled or batched, its due time for a later step) to delivered_at',
  delivered_recipients: 'The addresses that it was delivered to, separated by commas',
  delivered_token: 'The token or subscription that it was delivered to',
  answered_by: 'Who answered the call, with options.call.machineDetection',
  delivered_code: 'Result of the call',
  delivered_cost: 'The price in USD',
  failed_at: 'Time the message failed',
  failed_code: 'Why the message failed',
  failed_recipient: 'The address that it failed for',
  failed_token: 'The token or subscription that it failed for',
  failed_diagnostic_code: "The receiving server's diagnostic text",
  opened_at: 'Time the email was first opened',
  opened_user_agent: 'The user agent that opened the email',
  opened_ip: 'The IP address that opened the email',
  opened_machine:
    'True if a machine opened the email: a scanner, or a mail program that loads images in advance',
  opened_machine_at: 'Time a machine first opened the email',
  clicked_machine: 'True if a machine followed a link, such as a scanner',
  clicked_machine_at: 'Time a machine first followed a link',
  clicked_at: 'Time a link was first clicked',
  clicked_user_agent: 'The user agent that clicked the link',
  clicked_ip: 'The IP address that clicked the link',
  clicked_link: 'The URL of the clicked link',
  clicked_link_tags: 'The tags of the clicked link, as JSON',
  replied_at: 'Time the automatic reply was sent',
  replied_to: 'The number that the automatic reply was sent to',
  replied_text: 'The text of the automatic reply',
  replied_segments: 'The number of segments of the automatic reply',
  replied_encoding: 'The encoding of the automatic reply',
  inbound_at: 'Time the inbound message was received',
  inbound_from: 'The sender of the inbound message',
  inbound_from_name: 'The display name of the sender of the inbound message',
  inbound_to: 'The recipients of the inbound message, separated by commas',
  inbound_cc: 'The addresses in Cc of the inbound message, separated by commas',
  inbound_bcc: 'The addresses in Bcc of the inbound message, separated by commas',
  inbound_reply_to: 'The Reply-To of the inbound message',
  inbound_inbox: 'The address of the account that received the inbound message',
  inbound_subject: 'The subject of the inbound message',
  inbound_text: 'The text of the inbound message',
  inbound_body_text: 'The text of the inbound message',
  inbound_body_html: 'The HTML of the inbound message',
  inbound_message_id: 'The Message-ID of the inbound message',
  inbound_in_reply_to: 'The Message-ID that the inbound message replies to',
  inbound_references: 'The References of the inbound message',
  inbound_media: 'The media of the inbound MMS, as JSON',
  inbound_has_attachments: 'True if the inbound message has attachments',
  inbound_attachment_count: 'The number of attachments of the inbound message',
  inbound_resolution_type: 'How the recipient of the inbound message was found',
  missing:
    'Variables of the content that had no value, of a type without a parametersSchema: at most 20 names, separated by commas',
  missing_count: 'The number of variables without a value',
  due_at: 'Due time of the step',
  held_until: 'Time until which quiet hours hold the message',
  skipped_at: 'Time the step was skipped',
  skipped_reason: 'Why the step was skipped',
};

const FAMILIES: readonly [RegExp, string][] = [
  [/_webhook_res$/, "The webhook's response to this event"],
  [/_webhook_delivered$/, 'True if the webhook accepted this event'],
  [/_(cost|fee)_internal$|^rate_internal$/, 'A part of the price in USD, for diagnostics'],
  [/_internal$/, 'Details for diagnostics'],
  [/^(un)?subscribe_at$/, 'Time when the recipient opted in or out'],
  [/^(un)?subscribe_from$/, 'The number that opted in or out'],
  [/^(un)?subscribe_keyword$/, 'The keyword of the opt-in or opt-out'],
];

/** Returns the description of a delivery log field by its name, such as `email_sent_at`; undefined for others. */
function channelFieldText(name: string): string | undefined {
  const channel = CHANNELS.find((each) => name.startsWith(`${LOG_PREFIX[each]}_`));
  if (!channel) return undefined;
  const stage = name.slice(LOG_PREFIX[channel].length + 1);
  const text =
    (Object.hasOwn(STAGES, stage) ? STAGES[stage] : undefined) ??
    FAMILIES.find(([pattern]) => pattern.test(stage))?.[1];
  return text === undefined ? undefined : `${text} (${channel}).`;
}

const channelFields = Object.keys(LogRecord.entries).flatMap((name) => {
  const text = channelFieldText(name);
  return text === undefined ? [] : [[name, text]];
});

describeFields(LogRecord, { ...Object.fromEntries(channelFields), ...GENERAL });

describeFields(WebhookEnvelope, {
  id: 'The ID of the event, the same on every attempt and in the header webhook-id.',
  type: 'The event, the same as eventType.',
  timestamp: 'Time of the event.',
});

const TEXTS: Readonly<Record<string, string>> = {
  eventType: 'The event.',
  channel: 'The channel of the message.',
  userId: 'The user. For an inbound message that is not a reply, the address of its sender.',
  notificationId: 'The notification type. Empty for an inbound message that is not a reply.',
  trackingId:
    'The ID of the notification, for its delivery log; for an inbound message that is not a reply, its own.',
  trackingIds: 'In an event of a digest, the tracking IDs of the notifications in it.',
  metadata: 'The metadata of the request; of a digest, the pairs that all its notifications share.',
  topic: 'The topic that it was sent to; userId is then empty.',
  reason: 'Why the channel is not sent.',
  failureCode: 'Why the message failed.',
  recipient: "The address that the email failed for: the user's, or the address of a copy.",
  clickedLink: 'The URL of the clicked link.',
  machine: 'True if a machine did it, such as a scanner, and no person.',
  clickedLinkTags: 'The tags of the clicked link, as JSON.',
  requestedAt: 'Time of the request.',
  finishedAt: 'Time when the erasure ended.',
  erasedLogs: 'Number of logs erased.',
  person: 'The hash of the receipt in GET /erasures.',
  readyAt: 'Time when GET /users/{userId}/export has the link.',
  expiresAt: 'Time when the link ends.',
  receivedAt: 'Time the message was received.',
};

for (const schema of Object.values(WEBHOOK_DATA)) {
  const own = Object.entries(TEXTS).filter(([name]) => name in schema.entries);
  describeFields(schema, Object.fromEntries(own), InboundMessage);
}

describeFields(MadeCall, {
  callId: 'The ID of the call, for sending it again.',
  eventType: 'The event.',
  trackingId: 'The notification or inbound message that the event is about; absent of other events.',
  at: 'Time of the first attempt.',
  outcome: 'delivered after a 2xx response, waiting for another attempt, or failed.',
  attempts: [
    'The attempts, oldest first.',
    {
      at: 'Time of the attempt.',
      attempt: 'The number of this attempt, from 1; those that somebody asked for begin at 11.',
      status: 'The HTTP status of the response; 0 when there was none.',
      ms: 'Duration of the attempt in milliseconds.',
      error: 'Why there was no response.',
    },
  ],
});

describeFields(WebhookAttempt, {
  eventType: 'The event.',
  at: 'Time of the call.',
  attempt: 'The number of this attempt, from 1.',
  status: 'The HTTP status of the response; 0 when there was none.',
  ms: 'Duration of the call in milliseconds.',
  error: 'Why there was no response.',
});
