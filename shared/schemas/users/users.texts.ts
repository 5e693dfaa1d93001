import { describeFields } from '../fields/field-texts.ts';
import { InappMarks } from './inapp.ts';
import { QuietHours, QuietWindow } from './quiet-hours.ts';
import { Topic, TopicUser, UserTopic } from './topic.ts';
import {
  ChatToken,
  EmailSuppressionStatus,
  PushToken,
  Recipient,
  SendRecipient,
  User,
  UserChange,
  WebPushToken,
} from './user.ts';

describeFields(InappMarks, {
  trackingIds: 'The items to mark: up to 100 tracking IDs.',
  opened: 'Time it was opened; true for now, null to clear.',
  clicked: 'Time it was clicked; true for now, null to clear.',
  archived: 'Time it was archived; true for now, null to clear.',
  actioned1: 'Time its first action was used; true for now, null to clear.',
  actioned2: 'Time its second action was used; true for now, null to clear.',
  reply: [
    "The user's reply.",
    {
      message: 'The text of the reply.',
      date: 'Time of the reply.',
    },
  ],
  snoozedUntil:
    'Time until which the item is hidden from the list and the count, at most one year ahead. It then returns unread, at the top, with that time as its date. null returns it now, unchanged; archiving it ends the snooze.',
});

describeFields(QuietHours, {
  from: "Start time in the user's timezone, such as 22:00 or 10:00 pm.",
  to: "End time in the user's timezone; a time not after from is on the next day.",
  days: 'Weekdays when quiet hours begin; every day if absent.',
  channels: 'The channels that they apply to; without it, all but INAPP_WEB, which is never held.',
  mode: 'hold sends when they end, drop never sends.',
});

describeFields(
  QuietWindow,
  {
    floor: "True if it overrides the user's settings, for example for hours that the law sets.",
    timezone:
      "recipient: the timezone of the number's country for users without one; of its most westerly and easterly timezones, the stricter. Without it, the account's.",
  },
  QuietHours,
);

describeFields(Topic, {
  members: 'Number of users in the topic.',
});

describeFields(TopicUser, {
  addedAt: 'Time the user was added.',
});

describeFields(UserTopic, {
  addedAt: 'Time the user was added.',
});

describeFields(ChatToken, {
  provider: 'The chat product: slack, discord or teams; slack if absent.',
  webhookUrl: 'The incoming webhook of discord, or of a workflow of teams.',
  access_token: 'The access token.',
  app_id: 'The ID of the app.',
  authed_user: [
    'The user who authorized the app.',
    {
      access_token: 'The access token.',
      expires_in: 'Seconds until the token expires.',
      id: 'Its ID at the chat provider.',
      refresh_token: 'The refresh token.',
      scope: 'The scopes of the token, separated by commas.',
      token_type: 'The type of the token.',
    },
  ],
  bot_user_id: "The ID of the app's bot.",
  enterprise: [
    'The enterprise of the workspace.',
    {
      id: 'Its ID at the chat provider.',
      name: 'Its name at the chat provider.',
    },
  ],
  error: "The chat provider's error code.",
  expires_in: 'Seconds until the token expires.',
  incoming_webhook: [
    'The incoming webhook of the app.',
    {
      channel: 'The name of the chat channel.',
      channel_id: 'The ID of the chat channel.',
      configuration_url: "The URL of the webhook's configuration page.",
      url: 'The URL that messages to the webhook are posted to.',
    },
  ],
  is_enterprise_install: 'True if the app is installed for the enterprise.',
  needed: 'The scope that was needed.',
  ok: 'True if the chat provider accepted the request.',
  provided: 'The scope that was provided.',
  refresh_token: 'The refresh token.',
  scope: 'The scopes of the token, separated by commas.',
  team: [
    'The workspace.',
    {
      id: 'Its ID at the chat provider.',
      name: 'Its name at the chat provider.',
    },
  ],
  token_type: 'The type of the token.',
  warning: 'A warning of the chat provider.',
  response_metadata: [
    "Metadata of the chat provider's response.",
    {
      warnings: 'Warnings of the chat provider.',
      next_cursor: "The chat provider's cursor.",
      scopes: 'Scopes of the token.',
      acceptedScopes: 'Scopes that would have been accepted.',
      retryAfter: 'Seconds to wait.',
      messages: 'Messages of the chat provider.',
    },
  ],
});

describeFields(EmailSuppressionStatus, {
  reason: 'Bounce or Complaint.',
  details: 'Details reported by the provider.',
});

describeFields(PushToken, {
  type: 'FCM for Firebase Cloud Messaging, APN for Apple.',
  token: 'The token of the device.',
  device: [
    'The device that the token belongs to; other fields are accepted and dropped.',
    {
      app_id: 'The ID of the app.',
      ad_id: 'The advertising ID of the device.',
      device_id: 'The ID of the device.',
      platform: 'The platform of the device.',
      manufacturer: 'The manufacturer of the device.',
      model: 'The model of the device.',
    },
  ],
  environment: 'Of an APN token: sandbox for development builds, production for all others.',
});

describeFields(Recipient, {
  id: 'The ID of the user; without it, the email address or number is the ID.',
  email: "The user's email address.",
  number: "The user's phone number, stored in E.164.",
  pushTokens: "Push tokens of the user's devices, at most 100; merged by token.",
  webPushTokens: "The user's web push subscriptions, at most 100; merged by endpoint.",
  timezone: 'An IANA timezone, such as Europe/Berlin.',
  locale: "The user's language: a language tag (BCP 47), such as de or pt-BR.",
  chatChannel: 'The chat channel or user that messages are sent to.',
  chatToken: "The chat provider's token, in its own format.",
  attributes:
    'Any data about the user, at most 8 KB and 5 levels. Top-level names are merged, and null removes one. Templates and conditions read user.attributes.<name>.',
});

describeFields(
  SendRecipient,
  {
    topic: 'A topic, in place of a user: every member gets the notification.',
    exclude: 'IDs of at most 100 users who do not get it, such as the author of a comment. Only with topic.',
  },
  Recipient,
);

describeFields(
  User,
  {
    id: 'The ID of the user.',
    quietHours: 'Hours during which notifications do not interrupt the user.',
    pausedUntil: 'The time until which no message is sent to the user.',
    lastSeenTime: 'Time the user was last seen.',
    emailSuppressionStatus: "Why the user's email address is suppressed; absent when it is not.",
  },
  Recipient,
);

describeFields(UserChange, {}, User);

describeFields(WebPushToken, {
  sub: [
    "The browser's push subscription, as it serializes it.",
    {
      endpoint: "The push service's URL of the subscription.",
      keys: [
        'The keys that messages to it are encrypted with.',
        {
          p256dh: 'The public key of the subscription.',
          auth: 'The authentication secret of the subscription.',
        },
      ],
    },
  ],
});
