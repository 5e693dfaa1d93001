import { describeFields } from './field-texts.ts';
import {
  ChannelOptions,
  Deduplication,
  InappOptions,
  NotificationType,
  Throttling,
  TypeOptions,
} from './notification-type.ts';
import { NewNotificationType } from './notification-type-change.ts';

describeFields(ChannelOptions, {
  defaultDeliveryOption: 'The delivery option of users without a preference.',
  off: [
    'Sends nothing.',
    {
      enabled: 'Whether users may choose it.',
    },
  ],
  instant: 'Sends each item immediately.',
  hourly: 'Collects items until the full hour.',
  daily: [
    'Collects items until the hour, every day.',
    {
      enabled: 'Whether users may choose it.',
      hour: 'A time of day such as 8, 08:00 or 8:00 am.',
    },
  ],
  weekly: [
    'Collects items until the day and hour, every week.',
    {
      enabled: 'Whether users may choose it.',
      hour: 'A time of day such as 8, 08:00 or 8:00 am.',
      day: 'An English weekday, or 0 to 6 with 0 = Sunday.',
    },
  ],
  monthly: [
    'Collects items until the first or last day of the month.',
    {
      enabled: 'Whether users may choose it.',
      hour: 'A time of day such as 8, 08:00 or 8:00 am.',
      date: 'first or last: the day of the month.',
    },
  ],
});

describeFields(Deduplication, {
  duration: 'The length of the window in seconds; 0 means indefinitely.',
});

describeFields(InappOptions, {
  defaultDeliveryOption: 'The delivery option of users without a preference.',
  off: 'Sends nothing.',
  instant: 'Sends each item immediately.',
  batching: 'Whether the browser groups items.',
  batchingKey: 'A Liquid path such as parameters.comment_id; items with the same value form a group.',
  batchingWindow: 'How long a group stays open, in minutes.',
});

describeFields(
  NotificationType,
  {
    envId: 'The environment.',
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
  max: 'The maximum number of notifications per period.',
  period: 'The length of the window, in units.',
  unit: 'The unit of the period.',
  forever: 'Whether the limit applies indefinitely.',
  scope: 'The attributes by which the limit counts.',
});

describeFields(TypeOptions, {
  EMAIL: 'The delivery options on EMAIL.',
  INAPP_WEB: 'The delivery options on INAPP_WEB.',
  SMS: 'The delivery options on SMS.',
  CALL: 'The delivery options on CALL.',
  PUSH: 'The delivery options on PUSH.',
  WEB_PUSH: 'The delivery options on WEB_PUSH.',
  CHAT: 'The delivery options on CHAT.',
});
