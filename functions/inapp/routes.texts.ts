import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import {
  countUnreadInappRoute,
  listInappRoute,
  markInappRoute,
  markMessagesRoute,
  openAllInappRoute,
} from './routes.ts';

describeFields(listInappRoute.query, {
  userId: 'The user; instead of the header x-user-id.',
  before: 'Only items before this time: milliseconds since 1970, or ISO 8601.',
  count: 'The maximum number of items, at most 100; 50 by default.',
  archived: 'false omits archived items.',
  filter: 'Only items that are unread, archived or snoozed; takes precedence over archived.',
  subNotificationId: 'Only items of this sub-notification.',
});

describeFields(listInappRoute.response.body, {
  notifications: [
    'The items, newest first.',
    {
      id: 'The ID of the item.',
      title: 'The text of the item.',
      body: 'More text below the title; plain text.',
      actions: [
        'Its buttons, at most two.',
        { label: 'The text of the button.', url: 'The URL that it opens.' },
      ],
      redirectURL: 'The URL that the item opens.',
      date: 'Time the item was sent.',
      parameters: 'The parameters of the request that the content or batchingKey names.',
      deliveryOptions: 'The delivery options of the type, for the browser.',
      template: 'The ID of the template.',
      expDate: 'Expiry time of the item, in seconds since 1970.',
      opened: 'Time the item was opened.',
      clicked: 'Time the item was clicked.',
      archived: 'Time the item was archived.',
      actioned1: 'Time its first action was used.',
      actioned2: 'Time its second action was used.',
      reply: [
        "The user's reply.",
        {
          date: 'Time of the reply.',
          message: 'The text of the reply.',
        },
      ],
      snoozedUntil: 'Time until which the item is hidden.',
      version: 'Grows with every change of the item: ignore a copy with a lower one. 1 if absent.',
    },
  ],
});

describeFields(markInappRoute.query, {
  userId: 'The user; instead of the header x-user-id.',
});

describeFields(markInappRoute.response.body, {
  notifications: 'The items as they are now.',
});

describeFields(countUnreadInappRoute.query, {
  userId: 'The user; instead of the header x-user-id.',
  subNotificationId: 'Only notifications of this sub-notification.',
});

describeFields(countUnreadInappRoute.response.body, {
  count: 'Number of unopened items.',
});

describeFields(openAllInappRoute.response.body, {
  count: 'Number of items marked as opened by this request.',
});

describeFields(markMessagesRoute.query, {
  userId: 'The user; instead of the header x-user-id.',
});

describeFields(markMessagesRoute.body, {
  trackingIds: 'The tracking IDs in the payloads; at most 100.',
  channel: 'The channel where the user got them.',
  opened: 'True if the notification was shown to the user.',
  clicked: 'True if the user followed it.',
});

describeFields(markMessagesRoute.response.body, {
  trackingIds: "Those of the user's notifications.",
});
