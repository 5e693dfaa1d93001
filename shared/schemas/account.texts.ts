import { AccountAnswer, AccountChangeBody, AccountMetadata } from './account.ts';
import { describeFields } from './field-texts.ts';
import { SmsAnswer } from './sms-answers.ts';

describeFields(AccountAnswer, {
  accountId: 'The ID of the account.',
  name: 'The name, shown on pages for recipients.',
  defaultEnvironmentId: 'The environment of callers that specify none.',
  logo: 'The URL of the logo, shown on pages for recipients.',
  retentionInDays: 'Number of days that delivery logs are kept.',
  timezone: 'The timezone of users without one (IANA, such as Europe/Berlin).',
  locale: 'The language of users without one: a language tag (BCP 47), such as de or pt-BR.',
  defaultSender: [
    'The sender of emails that specify none.',
    {
      address: 'The email address, on a verified domain.',
      name: 'The display name.',
    },
  ],
  defaultLayout:
    'The component with {{ content }} in which emails of templates without a layout are shown; an environment without it shows none.',
  linkSchemes: 'App schemes that links may have, in addition to http and https.',
  quietHours:
    'One window or a list of at most ten: the quiet hours of users without their own; with floor, of all users.',
  postalAddress: 'The postal address of the sender, which each marketing email must contain.',
  smsAnswers:
    'Replies to STOP, START and HELP, by language tag. The name of the account is put before a text that does not contain it.',
  createdAt: 'Time the account was created.',
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
  AccountAnswer,
);

describeFields(AccountMetadata, {
  logo: 'The URL of the logo.',
  environmentVapidPublicKey: 'The public key with which browsers subscribe.',
  hasWebPushEnabled: 'True if any notification type uses WEB_PUSH.',
});

describeFields(SmsAnswer, {
  stop: 'The confirmation of an opt-out; at most 320 characters.',
  start: 'The confirmation of an opt-in; at most 320 characters.',
  help: 'The reply to HELP; at most 320 characters.',
});
