import { describeFields } from '../../shared/schemas/field-texts.ts';
import { getPreferencesRoute, resetPreferencesRoute, savePreferencesRoute } from './routes.ts';

describeFields(getPreferencesRoute.pathParameters, {
  userId: 'The ID of the user.',
});

describeFields(getPreferencesRoute.answer.body, {
  preferences: [
    "The user's preferences.",
    {
      notificationId: 'The ID of the notification type.',
      subNotificationId: 'Separates preferences and digests within a type.',
      channel: 'The channel.',
      delivery: 'The delivery option.',
    },
  ],
  notifications: [
    'The types for which the user can choose.',
    {
      notificationId: 'The ID of the notification type.',
      title: 'The name that users see.',
      channels: 'The channels of the type.',
      options: 'Which delivery options each channel offers.',
    },
  ],
});

describeFields(savePreferencesRoute.body, {
  notificationId: 'The ID of the notification type.',
  subNotificationId: 'Separates preferences and digests within a type.',
  channel: 'The channel.',
  delivery: 'off, instant, hourly, daily, weekly or monthly.',
});

describeFields(resetPreferencesRoute.query, {
  notificationId: 'The ID of the notification type.',
  subNotificationId: 'Separates preferences and digests within a type.',
});

describeFields(resetPreferencesRoute.answer.body, {
  message: 'A message that states the result.',
});
