import { describeFields, type FieldTexts } from '../fields/field-texts.ts';
import { DirectEmail, DirectSms, TestEmail } from './direct-send.ts';
import { Attachment, SendOptions, SendRequest } from './send-request.ts';
import { Waiting, WaitingEntry } from './waiting.ts';

describeFields(DirectEmail, {
  type: 'The ID of the notification type; an unknown one is created.',
  to: 'The recipient: an address or number, or a user.',
  subject: 'The subject of the email.',
  html: 'The HTML, as Liquid.',
  fromAddress: "The sender's address, on a verified domain of the account.",
  previewText: 'The text after the subject in inboxes.',
  replyToAddresses: 'Addresses that receive replies, at most 50.',
  ccAddresses: 'Addresses that get a copy, at most 50.',
  bccAddresses: 'Addresses that get a blind copy, at most 50.',
  attachments: 'Files sent with the message.',
  schedule: "Time to send: ISO 8601, in the user's timezone unless it has an offset; at most one year ahead.",
  metadata: 'Your own references, as in POST /send.',
});

describeFields(DirectSms, {
  type: 'The ID of the notification type; an unknown one is created.',
  to: 'The recipient: an address or number, or a user.',
  message: 'The text of the message.',
  mediaUrls: 'https URLs of media that carriers fetch, at most 10.',
  from: "The sending number, one of the account's.",
  autoReply: [
    'The automatic reply to the first reply; sensitive notifications send none.',
    {
      message: 'The text of the automatic reply.',
    },
  ],
  schedule: "Time to send: ISO 8601, in the user's timezone unless it has an offset; at most one year ahead.",
  metadata: 'Your own references, as in POST /send.',
});

describeFields(
  TestEmail,
  {
    notificationId: 'The ID of a notification type.',
    parameters: "Values for the content; the samples of the type's default email template without it.",
  },
  DirectEmail,
);

/** The meaning of the settings that requests and types have of emails. */
export const EMAIL_SETTING_TEXTS: FieldTexts = {
  retryHours:
    'Hours of retries after temporary failures, 0 to 72; 24 unless set. Less for what is soon worthless, such as login codes.',
  tracking: [
    'Whether opens and clicks are tracked; EMAIL_TRACKING unless set, and off where the type cannot be turned off.',
    {
      opens: 'Adds a pixel that reports opens.',
      clicks: 'Rewrites links so that clicks are reported.',
    },
  ],
  thread:
    'Emails to a user with the same text are one conversation in mail programs, such as an order number; at most 255 characters.',
  headers: 'Further headers, at most ten: X-…, Importance, Priority, Sensitivity.',
};

/** The meaning of the settings that requests and types have of text messages. */
export const SMS_SETTING_TEXTS = {
  validitySeconds:
    'Seconds after which the text message is no longer sent or delivered, such as 300 for a login code.',
  messageType:
    'transactional or promotional; promotional on types with purpose marketing unless set. AWS only.',
  maxPrice: 'The highest price of one part, in USD: a more expensive one is not sent. AWS only.',
};

/** The same of calls. */
export const CALL_SETTING_TEXTS = {
  timeoutSeconds: 'Seconds that the phone rings. Twilio and Telnyx.',
  maxMinutes: 'Minutes after which the provider ends the call. Twilio and Telnyx.',
};

/** What dry runs and previews show of text messages. */
export const TEXT_FACTS_TEXTS = {
  encoding: 'Of a text message: GSM-7, or UCS-2 if a character is outside of it.',
  characters: 'Of a text message: the number of its characters.',
  segments: 'Of a text message: the parts that carriers bill.',
  estimatedPrice: 'Of a text message: its price in USD, at the PHONE_PRICE_ESTIMATE_CENTS of the deployment.',
  ucs2Character: 'Of a text message: the first character that made it UCS-2.',
};

describeFields(Attachment, {
  filename: "The file's name, as the recipient sees it.",
  contentId: 'Shows the file in the HTML, as <img src="cid:…"> with this ID.',
  url: 'Public https URL that the file is fetched from when the email is sent.',
});

describeFields(SendOptions, {
  email: [
    'Options of the email.',
    {
      replyToAddresses: 'Addresses that receive replies, at most 50.',
      ccAddresses: 'Addresses that get a copy, at most 50.',
      bccAddresses: 'Addresses that get a blind copy, at most 50.',
      fromAddress: "The sender's address, on a verified domain of the account.",
      attachments: 'Files sent with the message.',
      ...EMAIL_SETTING_TEXTS,
      condition: 'Liquid; the email is not sent if it renders as empty, false, 0 or no.',
    },
  ],
  apn: [
    'Options of Apple push notifications.',
    {
      expiry: 'Expiry time of the message, in seconds since 1970.',
      priority: '10 delivers immediately, 5 saves power.',
      collapseId: 'Messages with the same ID replace each other, at most 64 characters.',
      threadId: 'Groups notifications on the device.',
      badge: "The number on the app's icon.",
      sound: 'The sound to play.',
      contentAvailable:
        'True if the app is woken in the background; without title and message, nothing is shown.',
      mutableContent: 'True if an extension of the app changes the notification before it is shown.',
      category: 'The category whose actions are shown.',
      interruptionLevel: 'How much the notification interrupts: passive, active, time-sensitive or critical.',
    },
  ],
  fcm: [
    'Options of Firebase Cloud Messaging.',
    {
      android: [
        'Options for Android devices.',
        {
          collapseKey: 'Messages with the same key replace each other.',
          priority: 'high shows the message immediately; normal saves power.',
          ttl: 'Seconds that the message is kept for the device.',
          restrictedPackageName: 'The package that may receive the message.',
          channelId: "The app's notification channel.",
          sound: 'The sound to play.',
          icon: "The name of the app's icon for the notification.",
        },
      ],
    },
  ],
  push: [
    'Options of both push services.',
    {
      customData: 'At most three text key-value pairs for the app.',
    },
  ],
  web_push: [
    'Options of web push.',
    {
      topic: 'A message that waits for the browser is replaced by a newer one with the same topic.',
      urgency:
        'very-low, low, normal or high. The default is high for urgent notifications and normal for others.',
      ttl: 'Seconds that the message is kept for the browser; a day by default.',
    },
  ],
  sms: ["Options of text messages, which replace the type's options.", SMS_SETTING_TEXTS],
  call: [
    "Options of calls, which replace the type's options.",
    {
      ...CALL_SETTING_TEXTS,
      machineDetection:
        'Whether the provider reports that a machine answered. Then the call counts as undelivered for steps.',
    },
  ],
  steps: 'The order of the channels.',
});

describeFields(SendRequest, {
  notificationId: 'Earlier name of type.',
  user: 'Earlier name of to.',
  mergeTags: 'Earlier name of parameters.',
  replace: 'Literal replacements, applied after rendering.',
  type: 'The ID of the notification type; an unknown one is created.',
  to: 'The recipient: id, email or number identifies the user. Contact data updates the stored user.',
  forceChannels: "Channels that replace the type's; preferences still apply. An empty list counts as absent.",
  parameters: 'Values for the templates; any JSON.',
  secondaryId: 'Earlier name of subNotificationId.',
  templateId: "The template to use instead of the channel's default.",
  options: 'Options of this request, by channel.',
  schedule: "Time to send: ISO 8601, in the user's timezone unless it has an offset; at most one year ahead.",
  urgent: 'True if it ignores quiet hours and pauses.',
  metadata:
    'Your own references: at most 20 pairs of strings, 1 KB. In the log and every event, never in content.',
  sensitive: 'True if the content, such as a login code, is shown nowhere and removed after sending.',
  email: [
    'Inline content of EMAIL.',
    {
      subject: 'The subject, as Liquid.',
      html: 'The HTML, as Liquid.',
      text: 'The plain-text part, as Liquid; made from the HTML if absent.',
      previewText: 'The text after the subject in inboxes.',
      senderEmail: "The sender's address, on a verified domain of the account.",
    },
  ],
  locale:
    'The language of the inline content, such as de or pt-BR; without it, an email states none, and its direction follows its text.',
  inapp: [
    'Inline content of INAPP_WEB.',
    {
      title: 'The text of the item, as Liquid.',
      body: 'More text below the title, as Liquid; plain text.',
      url: 'The URL that a click opens.',
      image: 'The URL of the image.',
      actions: [
        'Up to two buttons; using one sets the mark actioned1 or actioned2.',
        { label: 'The text of the button, as Liquid.', url: 'The URL that it opens.' },
      ],
    },
  ],
  sms: [
    'Inline content of SMS.',
    {
      message: 'The text, as Liquid.',
      mediaUrls: 'https URLs of media that carriers fetch, at most 10.',
      autoReply: [
        'The automatic reply to the first reply; sensitive notifications send none.',
        {
          message: 'The text of the automatic reply.',
        },
      ],
      from: "The sending number, one of the account's.",
    },
  ],
  call: [
    'Inline content of CALL.',
    {
      message: 'The text that is spoken, as Liquid; SSML if it is <speak>…</speak>.',
      language: 'The language of the text, BCP 47; by default the language of the chosen text.',
      voice:
        "A voice of Amazon Polly, such as Lea, or a voice in the provider's spelling; one of the language by default.",
      repeat: 'How often the text is spoken: 1, 2 or 3.',
    },
  ],
  web_push: [
    'Inline content of WEB_PUSH.',
    {
      title: 'The title, as Liquid.',
      message: 'The text, as Liquid.',
      icon: 'The URL of the icon.',
      url: 'The URL that a click opens.',
      image: 'The URL of a large image.',
      badge: 'The URL of a small icon of one color.',
      tag: 'A newer message with the same tag replaces one that is shown; the tracking ID by default.',
      actions: [
        'Buttons, at most three.',
        {
          action: 'The ID of the action.',
          title: 'The label, as Liquid.',
          url: 'The URL that it opens.',
        },
      ],
    },
  ],
  mobile_push: [
    'Inline content of PUSH.',
    {
      title: 'The title, as Liquid.',
      message: 'The text, as Liquid.',
      url: 'The link that the app gets as `link`.',
      image: 'The URL of an image.',
    },
  ],
  chat: [
    'Inline content of CHAT.',
    {
      text: 'The text; with blocks, what notifications show.',
      blocks: 'Blocks of the chat message, as the chat provider defines them, at most 50.',
      username: 'The name under which the message is sent.',
      icon: 'An emoji or the URL of an image, in place of the icon of the bot.',
      thread_ts: 'The timestamp of the message whose thread it replies in.',
      reply_broadcast: 'True if a reply in a thread is also shown in the channel.',
      parse: 'Parsing mode of the chat provider.',
      link_names: 'True if names in the text become links.',
      mrkdwn: 'True if the text is formatted.',
      unfurl_links: 'True if links get a preview.',
      unfurl_media: 'True if media links get a preview.',
      metadata: [
        'Metadata of the chat message, as the chat provider defines it.',
        {
          entities: [
            'Entities of the message.',
            {
              entity_type: 'The type of the entity.',
              entity_payload: 'The payload of the entity.',
              external_ref: [
                'The entity in the external system.',
                {
                  id: 'Its ID there.',
                  type: 'The kind of the entity.',
                },
              ],
              url: 'The address of the entity.',
              app_unfurl_url: 'The URL that is unfurled.',
            },
          ],
          event_type: 'The type of the metadata.',
          event_payload: 'The payload of the metadata.',
        },
      ],
    },
  ],
});

describeFields(Waiting, {
  reason:
    'SCHEDULE: the requested time. BATCH: the next digest. QUIET_HOURS, PAUSED: the user. STEP: the time of its step.',
  until: 'The time when it is evaluated again or sent.',
});

describeFields(WaitingEntry, {
  waitingId: 'Names the entry in PUT and DELETE /waiting/{waitingId}.',
  trackingIds: 'The notifications: one, or the items of a digest.',
  type: 'The notification type.',
  userId: 'The user; absent for a topic.',
  topic: 'The topic.',
  delivery: 'How a digest collects.',
  until: 'When the first of its channels is due.',
  channels: [
    'The channels that wait, earliest first; empty for a topic, whose members are decided then.',
    {
      reason:
        'SCHEDULE: the requested time. BATCH: the next digest. QUIET_HOURS, PAUSED: the user. STEP: the time of its step. RETRY: the next attempt of an email.',
      until: 'The time when it is evaluated again or sent.',
      when: 'The condition of its step.',
    },
  ],
});
