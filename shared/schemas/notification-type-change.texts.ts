import { describeFields } from './field-texts.ts';
import { NewNotificationType, NotificationTypeChange } from './notification-type-change.ts';

describeFields(NewNotificationType, {
  notificationId: 'The ID of the notification type.',
  title: 'The name that users see.',
  channels: 'The channels on which it is sent.',
  enabled: 'Whether notifications of the type are sent.',
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
      forever: 'Whether the limit applies indefinitely.',
      scope: 'The attributes by which the limit counts: userId and notificationId.',
    },
  ],
  retention: 'How many days logs of this type are kept.',
  options: [
    'Which delivery options each channel offers.',
    {
      EMAIL: [
        'The delivery options on EMAIL.',
        {
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
          batching: 'Whether the browser groups items.',
          batchingKey: 'A Liquid path such as parameters.comment_id; items with the same value form a group.',
          batchingWindow: 'How long a group stays open, in minutes.',
        },
      ],
      INAPP_WEB: [
        'The delivery options on INAPP_WEB.',
        {
          defaultDeliveryOption: 'The delivery option of users without a preference.',
          off: 'Sends nothing.',
          instant: 'Sends each item immediately.',
          batching: 'Whether the browser groups items.',
          batchingKey: 'A Liquid path such as parameters.comment_id; items with the same value form a group.',
          batchingWindow: 'How long a group stays open, in minutes.',
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
    },
  ],
  steps: 'The order in which channels are tried.',
  urgent: 'Whether it ignores quiet hours and pauses.',
});

describeFields(NotificationTypeChange, {}, NewNotificationType);
