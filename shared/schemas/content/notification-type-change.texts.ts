import { BATCHING_TEXTS, DELIVERY_OPTION_TEXTS } from '../delivery/delivery-options.texts.ts';
import { describeFields } from '../fields/field-texts.ts';
import { EMAIL_SETTING_TEXTS } from '../sending/email-settings.texts.ts';
import { CALL_SETTING_TEXTS, SMS_SETTING_TEXTS } from '../sending/phone-settings.texts.ts';
import { TRANSLATION_TEXTS } from './notification-type.texts.ts';
import { NewNotificationType, NotificationTypeChange } from './notification-type-change.ts';

describeFields(NewNotificationType, {
  title: 'The name that users see.',
  category: 'The heading under which preferences show the type.',
  translations: TRANSLATION_TEXTS,
  required: 'True if users cannot turn it off on any channel. It overrides off in options.',
  channels: 'The channels that it is sent on.',
  enabled: 'True if notifications of the type are sent.',
  deduplication: [
    'Rejects duplicates within the window.',
    {
      duration: 'The length of the window in seconds; 0 means indefinitely.',
    },
  ],
  throttling: [
    'Limits how many notifications a user gets.',
    {
      max: 'The maximum number of notifications in the window.',
      period: 'The length of the window, in units.',
      unit: 'The unit of the period.',
      forever: 'True if the limit applies indefinitely.',
      scope: 'Fields that the limit groups by: userId and notificationId.',
    },
  ],
  retention: 'Number of days that logs of this type are kept.',
  options: [
    'Which delivery options each channel offers.',
    {
      EMAIL: ['The delivery options on EMAIL.', { ...DELIVERY_OPTION_TEXTS, ...BATCHING_TEXTS }],
      INAPP_WEB: [
        'The delivery options on INAPP_WEB.',
        {
          ...BATCHING_TEXTS,
          defaultDeliveryOption: 'The delivery option of users without a preference.',
          off: 'Sends nothing.',
          instant: 'Sends each item immediately.',
          hourly: 'Collects items until the full hour.',
          daily: 'Collects items until the hour, every day.',
          weekly: 'Collects items until the day and hour, every week.',
          monthly: 'Collects items until the first or last day of the month.',
        },
      ],
      SMS: 'The delivery options on SMS.',
      CALL: 'The delivery options on CALL.',
      PUSH: 'The delivery options on PUSH.',
      WEB_PUSH: 'The delivery options on WEB_PUSH.',
      CHAT: 'The delivery options on CHAT.',
      email: ['Settings of its emails, which a request may change.', EMAIL_SETTING_TEXTS],
      sms: ['Settings of its text messages, which a request may change.', SMS_SETTING_TEXTS],
      call: ['Settings of its calls, which a request may change.', CALL_SETTING_TEXTS],
    },
  ],
  steps: 'The order of the channels.',
  urgent: 'True if it ignores pauses and quiet hours without floor.',
  exemptFromFloor: 'True if urgent notifications of the type ignore quiet hours with floor too.',
  quietHours:
    "Quiet hours for users without their own, instead of the account's; those with floor apply to all users, with the account's.",
  sensitive: 'True if its content, such as a login code, is shown nowhere and removed after sending.',
  parametersSchema:
    'JSON Schema (2020-12) that the parameters of each request must match; at most 16 KB, with references into itself only.',
  purpose: 'transactional (the default) or marketing, which people can always turn off.',
});

describeFields(NotificationTypeChange, {}, NewNotificationType);
