import { BATCHING_TEXTS, DELIVERY_OPTION_TEXTS } from '../delivery/delivery-options.texts.ts';
import { describeFields } from '../fields/field-texts.ts';
import { EMAIL_SETTING_TEXTS } from '../sending/email-settings.texts.ts';
import { CALL_SETTING_TEXTS, SMS_SETTING_TEXTS } from '../sending/phone-settings.texts.ts';
import {
  ChannelOptions,
  Deduplication,
  InappOptions,
  NotificationType,
  Throttling,
  TypeOptions,
} from './notification-type.ts';
import { NewNotificationType } from './notification-type-change.ts';

export const TRANSLATION_TEXTS = [
  'The title and category in other languages, by language tag.',
  { title: 'The title in the language.', category: 'The category in the language.' },
] as const;

describeFields(ChannelOptions, DELIVERY_OPTION_TEXTS);

describeFields(Deduplication, {
  duration: 'The length of the window in seconds; 0 means indefinitely.',
});

describeFields(InappOptions, {
  defaultDeliveryOption: 'The delivery option of users without a preference.',
  off: 'Sends nothing.',
  instant: 'Sends each item immediately.',
  ...BATCHING_TEXTS,
});

describeFields(
  NotificationType,
  {
    translations: TRANSLATION_TEXTS,
    templates: [
      'The templates by channel.',
      {
        channel: 'The channel of the templates.',
        templateIds: 'IDs of templates.',
      },
    ],
  },
  NewNotificationType,
);

describeFields(Throttling, {
  max: 'The maximum number of notifications in any period, or in all without a period.',
  period: 'The length of the rolling window, in units; at most two years.',
  unit: 'The unit of the period.',
  forever: 'True if the limit applies indefinitely.',
  scope: 'Fields that the limit groups by.',
});

describeFields(TypeOptions, {
  EMAIL: 'The delivery options on EMAIL.',
  INAPP_WEB: 'The delivery options on INAPP_WEB.',
  SMS: 'The delivery options on SMS.',
  CALL: 'The delivery options on CALL.',
  PUSH: 'The delivery options on PUSH.',
  WEB_PUSH: 'The delivery options on WEB_PUSH.',
  CHAT: 'The delivery options on CHAT.',
  email: ['Settings of its emails, which a request may change.', EMAIL_SETTING_TEXTS],
  sms: ['Settings of its text messages, which a request may change.', SMS_SETTING_TEXTS],
  call: ['Settings of its calls, which a request may change.', CALL_SETTING_TEXTS],
});
