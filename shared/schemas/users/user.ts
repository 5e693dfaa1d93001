import * as v from 'valibot';
import { secret } from '../account/secret.ts';
import { clearable } from '../fields/clearable.ts';
import { openObject } from '../fields/open.ts';
import { EmailAddress, FreeForm, HttpsUrl, Id, textUpTo } from '../fields/text.ts';
import { IsoTime } from '../fields/time.ts';
import { Locale } from './locale.ts';
import { QuietHours } from './quiet-hours.ts';

const text = textUpTo(4096);
const deviceText = v.optional(text);
/** Other systems state what is absent as null, such as the team of an installation for a whole organization. */
const optionalText = v.nullish(text);
const secretText = v.nullish(secret(text));

/** An app without one sends the text `undefined`. */
const PUSH_ENVIRONMENTS = ['sandbox', 'production', 'undefined'];

export const PushToken = v.object({
  type: v.picklist(['FCM', 'APN']),
  token: v.pipe(text, v.minLength(1, 'must not be empty')),
  device: v.optional(
    openObject({
      app_id: deviceText,
      ad_id: deviceText,
      device_id: deviceText,
      platform: deviceText,
      manufacturer: deviceText,
      model: deviceText,
    }),
  ),
  environment: v.optional(
    v.pipe(
      text,
      v.check((value) => PUSH_ENVIRONMENTS.includes(value), 'must be sandbox or production'),
    ),
  ),
});
export type PushToken = v.InferOutput<typeof PushToken>;

/** Web push entry: the browser's subscription in its standard serialized form. */
export const WebPushToken = v.object({
  sub: openObject({
    endpoint: HttpsUrl,
    keys: secret(openObject({ p256dh: v.pipe(text, v.minLength(1)), auth: v.pipe(text, v.minLength(1)) })),
  }),
});
export type WebPushToken = v.InferOutput<typeof WebPushToken>;

const optionalNumber = v.nullish(v.number());
const texts = v.nullish(v.array(text));

export const ChatToken = openObject({
  provider: optionalText,
  webhookUrl: secretText,
  access_token: secretText,
  app_id: optionalText,
  authed_user: v.nullish(
    openObject({
      access_token: secretText,
      expires_in: optionalNumber,
      id: optionalText,
      refresh_token: secretText,
      scope: optionalText,
      token_type: optionalText,
    }),
  ),
  bot_user_id: optionalText,
  enterprise: v.nullish(openObject({ id: optionalText, name: optionalText })),
  error: optionalText,
  expires_in: optionalNumber,
  incoming_webhook: v.nullish(
    openObject({
      channel: optionalText,
      channel_id: optionalText,
      configuration_url: secretText,
      url: secretText,
    }),
  ),
  is_enterprise_install: v.nullish(v.boolean()),
  needed: optionalText,
  ok: v.optional(v.boolean()),
  provided: optionalText,
  refresh_token: secretText,
  scope: optionalText,
  team: v.nullish(openObject({ id: optionalText, name: optionalText })),
  token_type: optionalText,
  warning: optionalText,
  response_metadata: v.nullish(
    openObject({
      warnings: texts,
      next_cursor: optionalText,
      scopes: texts,
      acceptedScopes: texts,
      retryAfter: optionalNumber,
      messages: texts,
    }),
  ),
});
export type ChatToken = v.InferOutput<typeof ChatToken>;

/** Why a user's email is suppressed. */
export const EmailSuppressionStatus = v.object({
  reason: v.picklist(['Bounce', 'Complaint']),
  details: v.record(v.string(), v.unknown()),
});
export type EmailSuppressionStatus = v.InferOutput<typeof EmailSuppressionStatus>;

/** Maximum UTF-8 bytes of a user's attributes as JSON: what a request brings, and what is stored. */
const ATTRIBUTES_BYTES_MAX = 8 * 1024;
/** Levels of a user's attributes: the object itself is the first. */
const ATTRIBUTES_LEVELS_MAX = 5;
/** The message for attributes over the limit. */
export const ATTRIBUTES_TOO_LARGE = 'must be at most 8,192 bytes as JSON';

/** True if a user's attributes are within the limit. */
export function isAttributesSize(attributes: FreeForm): boolean {
  return new TextEncoder().encode(JSON.stringify(attributes)).length <= ATTRIBUTES_BYTES_MAX;
}

function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce<number>((most, each) => Math.max(most, levelsOf(each)), 0);
}

/** Incoming webhooks of each chat product that has no token. Those of Teams are of its Workflows. */
const CHAT_WEBHOOKS: Readonly<Record<string, RegExp>> = {
  discord:
    /^https:\/\/(?:(?:ptb|canary)\.)?discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d+\/[\w-]+\/?(?:\?|$)/,
  teams: /^https:\/\/(?:[\w-]+\.)+(?:logic\.azure\.com|api\.powerplatform\.com)\//,
};

export function isChatWebhook(provider: string, url: string | null | undefined): boolean {
  return CHAT_WEBHOOKS[provider]?.test(URL.parse(url ?? '')?.href ?? '') ?? false;
}

/** A token to be stored: of a chat product that messages are sent to. */
const WritableChatToken = v.pipe(
  ChatToken,
  v.partialCheck(
    [['provider']],
    ({ provider }) => !provider || provider === 'slack' || Object.hasOwn(CHAT_WEBHOOKS, provider),
    'must have the provider slack, discord, teams, or none for slack',
  ),
  v.check(
    ({ provider, webhookUrl }) =>
      !provider || !Object.hasOwn(CHAT_WEBHOOKS, provider) || isChatWebhook(provider, webhookUrl),
    'must have the webhookUrl of an incoming webhook of the provider',
  ),
);

/** Free-form data about a user. A change merges by top-level name, and null removes one. */
export const Attributes = v.pipe(
  FreeForm,
  v.check(isAttributesSize, ATTRIBUTES_TOO_LARGE),
  v.check(
    (value) => levelsOf(value) <= ATTRIBUTES_LEVELS_MAX,
    `must have at most ${ATTRIBUTES_LEVELS_MAX} levels`,
  ),
);

/** Reduces the fields of a contact to the fields that `to`, `user` and POST /users accept, before normalization. */
const contact = {
  email: v.optional(EmailAddress),
  number: v.optional(textUpTo(40)),
  pushTokens: v.optional(v.pipe(v.array(PushToken), v.maxLength(100, 'must have at most 100 entries'))),
  webPushTokens: v.optional(v.pipe(v.array(WebPushToken), v.maxLength(100, 'must have at most 100 entries'))),
  timezone: v.optional(textUpTo(64)),
  locale: v.optional(Locale),
  chatChannel: v.optional(textUpTo(256)),
  chatToken: v.optional(WritableChatToken),
  attributes: v.optional(Attributes),
};

/** Recipient of a send request: `id`, `email` or `number` identifies the user. */
export const Recipient = v.object({ id: v.optional(Id), ...contact });
export type Recipient = v.InferOutput<typeof Recipient>;

/** `to` of a send request: a user, or every member of a topic but some. */
export const SendRecipient = v.object({
  ...Recipient.entries,
  topic: v.optional(Id),
  exclude: v.optional(v.pipe(v.array(Id), v.maxLength(100, 'must have at most 100 entries'))),
});
export type SendRecipient = v.InferOutput<typeof SendRecipient>;

/** Writable fields of POST /users/{userId}; null clears a field. */
export const UserChange = v.object({
  id: v.optional(Id),
  ...clearable(contact),
  quietHours: v.nullish(QuietHours),
  pausedUntil: v.nullish(IsoTime),
});
export type UserChange = v.InferOutput<typeof UserChange>;

export const User = v.object({
  id: v.string(),
  email: v.optional(v.string()),
  number: v.optional(v.string()),
  pushTokens: v.optional(v.array(PushToken)),
  webPushTokens: v.optional(v.array(WebPushToken)),
  timezone: v.optional(v.string()),
  locale: v.optional(v.string()),
  chatChannel: v.optional(v.string()),
  chatToken: v.optional(ChatToken),
  attributes: v.optional(FreeForm),
  quietHours: v.optional(QuietHours),
  pausedUntil: v.optional(v.string()),
  lastSeenTime: v.optional(v.string()),
  updatedAt: v.optional(v.string()),
  createdAt: v.optional(v.string()),
  emailSuppressionStatus: v.optional(EmailSuppressionStatus),
});
export type User = v.InferOutput<typeof User>;
