import * as v from 'valibot';
import { Channel } from '../channel.ts';
import { Steps } from '../delivery/steps.ts';
import { openObject } from '../fields/open.ts';
import { isSsml, isWellFormed } from '../fields/ssml.ts';
import {
  FreeForm,
  HttpsOrLocalUrl,
  HttpsUrl,
  Id,
  isRendered,
  knownUpTo,
  Mailbox,
  textUpTo,
} from '../fields/text.ts';
import { ContentLocale } from '../users/locale.ts';
import { Recipient, SendRecipient } from '../users/user.ts';
import { EMAIL_SETTINGS } from './email-settings.ts';
import { CALL_SETTINGS, SMS_SETTINGS } from './phone-settings.ts';

const text = v.string();

/** Longest text that providers send as one message, in parts. */
export const SMS_LENGTH_MAX = 1600;

/** FCM keeps a message for at most four weeks. */
const FCM_TTL_SECONDS_MAX = 28 * 24 * 60 * 60;
const optionalText = v.optional(text);
const addresses = v.optional(v.pipe(v.array(Mailbox), v.maxLength(50, 'must have at most 50 entries')));

function hasNoUser(value: string): boolean {
  const url = URL.parse(value);
  return !url?.username && !url?.password;
}

/** V8 reads a pattern with letters of all scripts when it loads the function, and few requests have a voice. */
export const VOICE = String.raw`^[\p{L}\d._-]{1,100}$`;
const isVoice = (value: string) => new RegExp(VOICE, 'u').test(value);

/** One email attachment, fetched when the message is sent. */
export const Attachment = v.object({
  filename: v.pipe(
    v.string(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(255, 'must be at most 255 characters'),
  ),
  url: v.pipe(HttpsOrLocalUrl, v.check(hasNoUser, 'must not contain a user or a password')),
  contentId: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^[\w.+-]{1,64}(?:@[\w.-]{1,64})?$/,
        'must be letters, digits, . _ + -, and may have @ and a domain',
      ),
    ),
  ),
});
export type Attachment = v.InferOutput<typeof Attachment>;

/** Keys that FCM and APNs keep for themselves (https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages). */
export const RESERVED_KEY = /^(?:from|message_type|aps|(?:gcm|google)(?:\..*)?)$/;
export const MUST_BE_FREE_KEYS =
  'must have none of the keys that push services reserve: from, message_type, aps, gcm, google, and those that begin with gcm. or google.';

const customData = v.pipe(
  v.record(v.string(), v.string()),
  v.check((value) => !Object.keys(value).some((key) => RESERVED_KEY.test(key)), MUST_BE_FREE_KEYS),
  v.check((value) => Object.keys(value).length <= 3, 'must have at most 3 pairs'),
);

export const SendOptions = v.object({
  email: v.optional(
    v.object({
      replyToAddresses: addresses,
      ccAddresses: addresses,
      bccAddresses: addresses,
      fromAddress: v.optional(Mailbox),
      fromName: v.optional(textUpTo(255)),
      attachments: v.optional(v.pipe(v.array(Attachment), v.maxLength(50, 'must have at most 50 entries'))),
      condition: optionalText,
      ...EMAIL_SETTINGS,
    }),
  ),
  apn: v.optional(
    v.object({
      expiry: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
      priority: v.optional(v.picklist([10, 5])),
      collapseId: v.optional(
        v.pipe(v.string(), v.regex(/^[\x20-\x7e]{1,64}$/, 'must be 1 to 64 ASCII characters on one line')),
      ),
      threadId: optionalText,
      badge: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
      sound: optionalText,
      contentAvailable: v.optional(v.boolean()),
      mutableContent: v.optional(v.boolean()),
      category: optionalText,
      interruptionLevel: v.optional(v.picklist(['passive', 'active', 'time-sensitive', 'critical'])),
    }),
  ),
  fcm: v.optional(
    v.object({
      android: v.optional(
        v.object({
          collapseKey: optionalText,
          priority: v.optional(
            v.pipe(
              v.string(),
              v.check((value) => /^(high|normal)$/i.test(value), 'must be high or normal'),
            ),
          ),
          ttl: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(FCM_TTL_SECONDS_MAX))),
          restrictedPackageName: optionalText,
          channelId: optionalText,
          sound: optionalText,
          icon: optionalText,
        }),
      ),
    }),
  ),
  push: v.optional(v.object({ customData: v.optional(customData) })),
  web_push: v.optional(
    v.object({
      // RFC 8030 §5.4
      topic: v.optional(
        v.pipe(v.string(), v.regex(/^[\w-]{1,32}$/, 'must be 1 to 32 letters, digits, - and _')),
      ),
      urgency: v.optional(v.picklist(['very-low', 'low', 'normal', 'high'])),
      ttl: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(FCM_TTL_SECONDS_MAX))),
    }),
  ),
  sms: v.optional(v.object(SMS_SETTINGS)),
  call: v.optional(v.object({ ...CALL_SETTINGS, machineDetection: v.optional(v.boolean()) })),
  steps: v.optional(Steps),
});
export type SendOptions = v.InferOutput<typeof SendOptions>;

const EmailContent = v.object({
  subject: optionalText,
  html: optionalText,
  text: optionalText,
  previewText: optionalText,
  senderName: v.optional(textUpTo(255)),
  senderEmail: v.optional(Mailbox),
});
/** At most two actions of an in-app notification. */
export const InappActions = v.pipe(
  v.array(
    v.object({ label: v.pipe(knownUpTo(100), v.minLength(1, 'must not be empty')), url: optionalText }),
  ),
  v.maxLength(2, 'must have at most 2 entries'),
);
const InappContent = v.object({
  title: optionalText,
  body: optionalText,
  url: optionalText,
  image: optionalText,
  actions: v.optional(InappActions),
});
const SmsContent = v.object({
  message: v.optional(knownUpTo(SMS_LENGTH_MAX)),
  mediaUrls: v.optional(v.pipe(v.array(HttpsUrl), v.maxLength(10, 'must have at most 10 entries'))),
  autoReply: v.optional(
    v.object({ message: v.pipe(knownUpTo(SMS_LENGTH_MAX), v.minLength(1, 'must not be empty')) }),
  ),
  from: v.optional(textUpTo(40)),
});
/** The limit of the XML that providers get for a call's text, less 33 characters of markup. */
export const SPOKEN_LENGTH_MAX = 4000 - 33;
const ESCAPED_LENGTHS: Record<string, number> = { '&': 5, '<': 4, '>': 4, '"': 6, "'": 6 };
/** The length of a text as it is written in XML. */
export const spokenLength = (text: string) =>
  isSsml(text)
    ? text.length
    : [...text].reduce((sum, each) => sum + (ESCAPED_LENGTHS[each] ?? each.length), 0);
const CallContent = v.object({
  message: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (value) => isRendered(value) || spokenLength(value) <= SPOKEN_LENGTH_MAX,
        `must be at most ${SPOKEN_LENGTH_MAX} characters, & < > and quotes counted as written in XML`,
      ),
      v.check(
        (value) => isRendered(value) || !isSsml(value) || isWellFormed(value),
        'must be well-formed SSML: every element closed, & and < written as &amp; and &lt;',
      ),
    ),
  ),
  language: v.optional(ContentLocale),
  voice: v.optional(v.pipe(v.string(), v.check(isVoice, 'must be the name of a voice'))),
  repeat: v.optional(v.picklist([1, 2, 3])),
});
const WebPushContent = v.object({
  title: optionalText,
  message: optionalText,
  icon: optionalText,
  url: optionalText,
  image: optionalText,
  badge: optionalText,
  tag: optionalText,
  actions: v.optional(
    v.pipe(
      v.array(v.object({ action: textUpTo(64), title: v.string(), url: optionalText })),
      v.maxLength(3, 'must have at most 3 entries'),
    ),
  ),
});
const MobilePushContent = v.object({
  title: optionalText,
  message: optionalText,
  url: optionalText,
  image: optionalText,
});

const ChatEntity = openObject({
  entity_type: optionalText,
  entity_payload: v.optional(FreeForm),
  external_ref: v.optional(openObject({ id: optionalText, type: optionalText })),
  url: optionalText,
  app_unfurl_url: optionalText,
});

/** Longest text of a chat message, and of its blocks: https://docs.slack.dev/reference/block-kit/blocks. */
const CHAT_LENGTH_MAX = 40_000;
const BLOCK_LENGTHS_MAX: Readonly<Record<string, number>> = { section: 3000, header: 150, markdown: 12_000 };

const FIELD_LENGTH_MAX = 2000;
const BLOCK_FIELDS_MAX = 10;

const textOf = (text: unknown) => {
  const written = typeof text === 'object' && text !== null && 'text' in text ? text.text : text;
  return typeof written === 'string' ? written : '';
};

/** The texts of a block, each with its longest length. */
export const textsOfBlock = ({ type, text, fields }: FreeForm): (readonly [text: string, max: number])[] => [
  [textOf(text), BLOCK_LENGTHS_MAX[String(type)] ?? CHAT_LENGTH_MAX],
  ...(Array.isArray(fields) ? fields : []).map((field) => [textOf(field), FIELD_LENGTH_MAX] as const),
];

const isBlockShort = (block: FreeForm) =>
  (Array.isArray(block.fields) ? block.fields : []).length <= BLOCK_FIELDS_MAX &&
  textsOfBlock(block).every(([text, max]) => isRendered(text) || text.length <= max);

const ChatBlock = v.pipe(
  FreeForm,
  v.check(
    isBlockShort,
    'must have at most 3000 characters of text in a section, 2000 in each of at most 10 fields, 150 in a header',
  ),
);

const ChatContent = v.pipe(
  v.object({
    text: v.optional(knownUpTo(CHAT_LENGTH_MAX)),
    blocks: v.optional(v.pipe(v.array(ChatBlock), v.maxLength(50, 'must have at most 50 entries'))),
    username: optionalText,
    icon: optionalText,
    thread_ts: optionalText,
    reply_broadcast: v.optional(v.boolean()),
    parse: v.optional(v.picklist(['full', 'none'])),
    link_names: v.optional(v.boolean()),
    mrkdwn: v.optional(v.boolean()),
    unfurl_links: v.optional(v.boolean()),
    unfurl_media: v.optional(v.boolean()),
    metadata: v.optional(
      openObject({
        entities: v.optional(v.array(ChatEntity)),
        event_type: optionalText,
        event_payload: v.optional(FreeForm),
      }),
    ),
  }),
  v.forward(
    v.partialCheck(
      [['text'], ['blocks']],
      (chat) => !chat.blocks?.length || Boolean(chat.text),
      'is required when blocks are used',
    ),
    ['text'],
  ),
);

/** Inline content of each channel. */
export const INLINE_CONTENT = {
  EmailContent,
  InappContent,
  SmsContent,
  CallContent,
  WebPushContent,
  MobilePushContent,
  ChatContent,
};

/** The same under their names in the request. */
const contentBlocks = {
  email: v.optional(EmailContent),
  inapp: v.optional(InappContent),
  sms: v.optional(SmsContent),
  call: v.optional(CallContent),
  web_push: v.optional(WebPushContent),
  mobile_push: v.optional(MobilePushContent),
  chat: v.optional(ChatContent),
};

const encoder = new TextEncoder();
const bytesOf = (pairs: Record<string, string>) =>
  encoder.encode(Object.entries(pairs).flat().join('')).length;

/** The caller's own references: shown in the log and in events, never used in content. */
export const Metadata = v.pipe(
  v.record(v.string(), v.string()),
  v.check((value) => Object.keys(value).length <= 20, 'must have at most 20 pairs'),
  v.check((value) => bytesOf(value) <= 1024, 'must be at most 1 KB: 1024 bytes of names and values together'),
);
export type Metadata = v.InferOutput<typeof Metadata>;

/** Body of POST /send and of PUT /sender/scheduler/{trackingId}. */
export const SendRequest = v.object({
  notificationId: v.optional(Id),
  user: v.optional(Recipient),
  mergeTags: v.optional(FreeForm),
  replace: v.optional(v.record(v.string(), v.string())),
  type: v.optional(Id),
  to: v.optional(SendRecipient),
  forceChannels: v.optional(v.array(Channel)),
  parameters: v.optional(FreeForm),
  secondaryId: v.optional(Id),
  templateId: v.optional(Id),
  subNotificationId: v.optional(Id),
  options: v.optional(SendOptions),
  schedule: optionalText,
  urgent: v.optional(v.boolean()),
  sensitive: v.optional(v.boolean()),
  locale: v.optional(ContentLocale),
  metadata: v.optional(Metadata),
  ...contentBlocks,
});
export type SendRequest = v.InferOutput<typeof SendRequest>;

export type ContentBlocks = Pick<SendRequest, keyof typeof contentBlocks>;
