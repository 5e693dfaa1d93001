import { describeFields } from '../fields/field-texts.ts';
import { AccountChangeBody, AccountMetadata, AccountResponse } from './account.ts';
import { ApiKey } from './api-key.ts';
import { EnvironmentResponse } from './environment.ts';
import { MemberResponse } from './member.ts';
import { BillingRequest, CurrentUsage, Organization, UsageItem, UsageMonth } from './organization.ts';
import { SmsAnswer } from './sms-answers.ts';

describeFields(AccountResponse, {
  accountId: 'The ID of the account.',
  name: 'The name, shown on pages for recipients.',
  defaultEnvironmentId: 'The environment of callers that specify none.',
  logo: 'The URL of the logo, shown on pages for recipients.',
  retentionInDays:
    'Number of days that delivery logs are kept. A longer one applies to notifications accepted from now on, a shorter one to all: what is past it is no longer shown, and is removed within a day.',
  contentDays:
    'Number of days that the content in delivery logs is kept (requests, previews, inbound messages): 0 up to the retention, which is the default. It is removed once each channel has its outcome.',
  timezone: 'The timezone of users without one (IANA, such as Europe/Berlin).',
  locale: 'The language of users who have none: a language tag (BCP 47), such as de or pt-BR.',
  defaultSender: [
    'The sender of emails that specify none.',
    {
      address: 'The email address, on a verified domain.',
      name: 'The display name.',
    },
  ],
  defaultLayout:
    'The component with {{ content }} that embeds emails of templates without a layout. An environment without it uses no layout.',
  linkSchemes:
    'Schemes of your apps (such as myapp) that links of in-app and web push notifications may have, in addition to http, https and relative addresses.',
  quietHours:
    'One window or a list of at most ten: the quiet hours of users without their own; with floor, of all users.',
  postalAddress:
    'The postal address of the sender. An email of a type with purpose marketing is sent only with it and {{ unsubscribe_url }}.',
  trackingNeedsConsent:
    'True if opens and clicks of email are tracked only for users with a recorded consent to the type, or to marketing if it is that.',
  smsAnswers:
    'Replies to STOP, START and HELP, by language tag. The name of the account is put before a text that does not contain it.',
  phoneNumbers: [
    'The sender of text messages without sms.from: the first entry for the country of the recipient. If there is none, the first entry without countries, and without that the default of the provider. At most 50 entries.',
    {
      number: 'A number of the account in E.164, a short code or a sender ID.',
      countries: 'The countries (ISO 3166-1 alpha-2) that it sends to; all, if absent.',
    },
  ],
  createdAt: 'Time the account was created.',
  updatedAt: 'Time of the last change of these settings.',
});

describeFields(
  AccountChangeBody,
  {
    defaultSender: [
      'The sender of emails that specify none.',
      {
        address: 'The email address, on a verified domain.',
        name: 'The display name.',
      },
    ],
  },
  AccountResponse,
);

describeFields(AccountMetadata, {
  logo: 'The URL of the logo.',
  environmentVapidPublicKey: 'The public key that browsers subscribe with.',
  hasWebPushEnabled: 'True if any notification type uses WEB_PUSH.',
});

describeFields(SmsAnswer, {
  stop: 'The confirmation of an opt-out; at most 320 characters.',
  start: 'The confirmation of an opt-in; at most 320 characters.',
  help: 'The reply to HELP; at most 320 characters.',
});

describeFields(ApiKey, {
  id: 'The ID of the key, as in DELETE /keys/{keyId}.',
  key: 'The key itself: treat it as a secret.',
  keyType: 'Kind of key: secret for servers, public for browsers and apps.',
  environmentId: 'The environment that the key is bound to; absent if it is not bound.',
  accountId: 'The account.',
  name: "The key's name, such as its purpose.",
  revoked: 'True if the key no longer works.',
  scopes:
    'What the key may do; all three unless specified. send: endpoints that send. read: endpoints that only read. manage: all others, keys included.',
  issuedBy: 'The member who issued the key.',
  revokedAt: 'When the key was revoked.',
  revokedBy: 'The member who revoked it.',
  lastUsedAt: 'Time the key was last used, to about five minutes.',
});

describeFields(EnvironmentResponse, {
  clientSecret: 'The secret for computing user hashes.',
  title: 'The name of the environment.',
  disableSending: 'Channels that the environment does not send on.',
  secureMode: "True if public keys also need the user's hash.",
  onlyTo: 'The only email addresses, domains and numbers that the environment sends to; empty: to everybody.',
  expiresAt: 'Time at which the environment is removed.',
  createTypes: 'False if a send with an unknown notification type is rejected instead of creating it.',
});

describeFields(MemberResponse, {
  userId: 'The ID of the member.',
  email: "The member's email address.",
  role: 'admin or member.',
  status: 'invited until the invitation is accepted, then active.',
  pendingEmail: 'The address that is not confirmed yet.',
});

const CAP_TEXTS = {
  messagesCap: 'The maximum number of messages per billing period, on all message channels.',
  smsCap: 'The maximum number of SMS per billing period.',
  callCap: 'The maximum number of calls per billing period.',
  costCap: 'The maximum amount in USD for SMS and CALL per billing period.',
  allowOverage: 'True if sending continues beyond the caps.',
};

describeFields(BillingRequest, {
  budgetPriceId: 'The price to start a checkout for.',
  successUrl: 'The page to open after payment.',
  cancelUrl: 'The page to open if checkout is cancelled.',
});

describeFields(CurrentUsage, {
  yearMonth: 'The month, YYYY-MM.',
  counts: [
    'Messages by channel.',
    {
      EMAIL: 'Messages on EMAIL.',
      INAPP_WEB: 'Messages on INAPP_WEB.',
      SMS: 'Messages on SMS.',
      CALL: 'Messages on CALL.',
      PUSH: 'Messages on PUSH.',
      WEB_PUSH: 'Messages on WEB_PUSH.',
      CHAT: 'Messages on CHAT.',
    },
  ],
  costUsd: 'The cost of SMS and CALL in USD.',
  billingPeriod: [
    'Usage since the last monthly reset.',
    {
      startDate: 'The first day, YYYY-MM-DD.',
      endDate: 'The day of the next reset, YYYY-MM-DD.',
      counts: 'Messages by channel.',
      costUsd: 'The cost of SMS and CALL in USD.',
    },
  ],
  caps: ['The limits per billing period.', CAP_TEXTS],
});

describeFields(Organization, {
  ...CAP_TEXTS,
  organizationId: "The ID of the organization, equal to the account's ID.",
  organizationType: 'free or paid.',
  creator: 'The member who created it.',
  name: 'The name of the organization.',
  billingVersion: 'The version of the billing terms: 1 or 3.',
  anniversaryDate: 'The day of the next monthly reset.',
  sessionId: 'The ID of the checkout.',
  url: 'The address of the checkout page, when one was created.',
});

describeFields(UsageItem, {
  yearMonth: 'The month, YYYY-MM.',
  counts: 'Messages by channel.',
});

describeFields(
  UsageMonth,
  {
    days: [
      'Days of the month when messages were sent.',
      { date: 'The day in UTC, YYYY-MM-DD.', counts: 'Messages by channel.' },
    ],
  },
  UsageItem,
);
