import { CHANNELS, LOG_PREFIX } from './channel.ts';
import { describeFields } from './field-texts.ts';
import { LogRecord } from './log-record.ts';

const GENERAL = {
  truncated: 'Names of the fields whose text was cut to keep the response under 5 MB.',
  received_at: 'When the request was received.',
  type: 'The notification type.',
  envId: 'The environment that it belongs to.',
  clientId: 'The environment of the credential that sent it.',
  agent: 'The user agent of the request.',
  ip: 'The IP address that the request came from.',
  request: "The request's body as JSON.",
  test: 'Whether it was a test email.',
  processed_at: 'When the schedule or the digest was due and processed.',
  scheduled_for: 'When it was scheduled for.',
  user_id: 'The user.',
  user_email: "The user's email address when the notification was accepted.",
  user_number: "The user's phone number when the notification was accepted.",
  ignored: 'Why the whole notification is ignored.',
  failed_at: 'When the whole notification failed.',
  failed_code: 'Why the whole notification failed.',
  failed_internal: 'Details for diagnosis.',
  schedule_updated_at: 'When the schedule was changed.',
  schedule_updated_to: 'The new time of the schedule.',
  schedule_deleted_at: 'When the scheduled notification was cancelled.',
  topic: 'The topic that it was sent to.',
  topic_tracking_id: 'The tracking ID of the notification to the topic that it belongs to.',
  topic_state: 'How far sending to the members of the topic is.',
  topic_members: 'How many members the topic had.',
  topic_accepted: 'For how many members a notification was accepted.',
  topic_ignored: 'For how many members nothing is sent.',
  topic_fanned_out_at: 'When the last member had their notification.',
  trackingId: 'The ID of the notification.',
  accountId: 'The account that it belongs to.',
} as const;

/** What the part after the channel's prefix means, in a delivery log record. */
const STAGES: Readonly<Record<string, string>> = {
  preview: 'The message as it was rendered',
  template: 'The ID of the template that was chosen',
  locale: "The language of the template's variant",
  routing: 'The routing decision',
  routing_reason: 'Why the channel is ignored',
  sent_at: 'When the provider accepted the message',
  sent_after: 'Milliseconds from received_at (processed_at when scheduled or batched) to sent_at',
  sent_message_id: "The provider's ID of the message",
  sent_messageId: "The provider's ID of the message",
  sent_from: 'The number that the message was sent from',
  sent_to: 'The number that the message was sent to',
  sent_carrier: "The recipient's carrier",
  sent_line_type: 'The type of line of the number',
  sent_encoding: 'The encoding of the text, GSM-7 or UCS-2',
  sent_segments: 'How many segments the text has',
  sent_parts: 'How many messages the text was sent in',
  sent_country: 'The country of the number, ISO 3166-1 alpha-2',
  sent_cost: 'The price in USD',
  sent_mms: 'Whether it was sent as MMS',
  sent_token: 'The token or subscription that it was sent to',
  delivered_at: 'When the message was delivered',
  delivered_after: 'Milliseconds from received_at (processed_at when scheduled or batched) to delivered_at',
  delivered_recipients: 'The addresses that it was delivered to, separated by commas',
  delivered_token: 'The token or subscription that it was delivered to',
  delivered_code: 'How the call ended',
  delivered_cost: 'The price in USD',
  failed_at: 'When the message failed',
  failed_code: 'Why the message failed',
  failed_recipient: 'The address that it failed for',
  failed_token: 'The token or subscription that it failed for',
  failed_diagnostic_code: "The receiving server's diagnostic text",
  opened_at: 'When the email was first opened',
  opened_user_agent: 'The user agent that opened the email',
  opened_ip: 'The IP address that opened the email',
  clicked_at: 'When a link was first clicked',
  clicked_user_agent: 'The user agent that clicked the link',
  clicked_ip: 'The IP address that clicked the link',
  clicked_link: 'The URL of the link that was clicked',
  clicked_link_tags: 'The tags of the link that was clicked, as JSON',
  replied_at: 'When the automatic reply was sent',
  replied_to: 'The number that the automatic reply was sent to',
  replied_text: 'The text of the automatic reply',
  replied_segments: 'How many segments the automatic reply has',
  replied_encoding: 'The encoding of the automatic reply',
  inbound_at: 'When the inbound message arrived',
  inbound_from: 'The sender of the inbound message',
  inbound_from_name: 'The display name of the sender of the inbound message',
  inbound_to: 'The recipient of the inbound message',
  inbound_has_attachments: 'Whether the inbound message has attachments',
  inbound_attachment_count: 'How many attachments the inbound message has',
  inbound_resolution_type: 'How the recipient of the inbound message was found',
  due_at: 'When the step is due',
  held_until: 'Until when quiet hours hold the message',
  skipped_at: 'When the step was skipped',
  skipped_reason: 'Why the step was skipped',
};

const FAMILIES: readonly [RegExp, string][] = [
  [/_webhook_res$/, "The webhook's response to this event"],
  [/_webhook_delivered$/, 'Whether the webhook accepted this event'],
  [/_(cost|fee)_internal$|^rate_internal$/, 'A part of the price in USD, for diagnosis'],
  [/_internal$/, 'Details for diagnosis'],
  [/^(un)?subscribe_at$/, 'When the recipient opted in or out'],
  [/^(un)?subscribe_from$/, 'The number that opted in or out'],
  [/^(un)?subscribe_keyword$/, 'The keyword of the opt-in or opt-out'],
];

/** The description of a delivery log field by its name, `email_sent_at`; undefined for others. */
function channelFieldText(name: string): string | undefined {
  const channel = CHANNELS.find((each) => name.startsWith(`${LOG_PREFIX[each]}_`));
  if (!channel) return undefined;
  const stage = name.slice(LOG_PREFIX[channel].length + 1);
  const text =
    (Object.hasOwn(STAGES, stage) ? STAGES[stage] : undefined) ??
    FAMILIES.find(([pattern]) => pattern.test(stage))?.[1] ??
    `${stage.charAt(0).toUpperCase()}${stage.slice(1).replaceAll('_', ' ')}`;
  return `${text} (${channel}).`;
}

const channelFields = Object.keys(LogRecord.entries).flatMap((name) => {
  const text = channelFieldText(name);
  return text === undefined ? [] : [[name, text]];
});

describeFields(LogRecord, { ...Object.fromEntries(channelFields), ...GENERAL });
