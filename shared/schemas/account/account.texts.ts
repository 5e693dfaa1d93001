import { describeFields } from '../fields/field-texts.ts';
import { AccountChangeBody, AccountMetadata, AccountResponse } from './account.ts';
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
