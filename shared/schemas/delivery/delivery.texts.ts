import { describeFields } from '../fields/field-texts.ts';
import { Steps } from './steps.ts';

/** The descriptions of a channel's delivery options. */
export const DELIVERY_OPTION_TEXTS = {
  defaultDeliveryOption: 'The delivery option of users without a preference.',
  off: ['Sends nothing.', { enabled: 'True if users may choose it.' }],
  instant: 'Sends each item immediately.',
  hourly: 'Collects items until the full hour.',
  daily: [
    'Collects items until the hour, every day.',
    { enabled: 'True if users may choose it.', hour: 'A time of day such as 8, 08:00 or 8:00 am.' },
  ],
  weekly: [
    'Collects items until the day and hour, every week.',
    {
      enabled: 'True if users may choose it.',
      hour: 'A time of day such as 8, 08:00 or 8:00 am.',
      day: 'An English weekday, or 0 to 6 with 0 = Sunday.',
    },
  ],
  monthly: [
    'Collects items until the first or last day of the month.',
    {
      enabled: 'True if users may choose it.',
      hour: 'A time of day such as 8, 08:00 or 8:00 am.',
      date: 'first or last: the day of the month.',
    },
  ],
} as const;

/** The descriptions of how in-app items are grouped. */
export const BATCHING_TEXTS = {
  batching: 'True if the browser groups items.',
  batchingKey: 'A Liquid path such as parameters.comment_id; items with the same value form a group.',
  batchingWindow: 'Minutes that a group stays open.',
} as const;

describeFields(Steps, {
  channels: 'The channels of this step.',
  after: 'Delay after the previous step, as an ISO 8601 duration.',
  when: 'What starts the step: unseen (nothing was seen, the default), undelivered (nothing was delivered), or always.',
});
