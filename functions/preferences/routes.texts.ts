import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { getPreferencesRoute, listConsentsRoute, saveConsentRoute, savePreferencesRoute } from './routes.ts';

describeFields(getPreferencesRoute.query, {
  locale: 'The language of titles and categories, such as de or pt-BR.',
});

describeFields(getPreferencesRoute.response.body, {
  preferences: [
    "The user's preferences.",
    {
      delivery: 'The delivery option.',
    },
  ],
  notifications: [
    'The types that the user can choose for.',
    {
      title: 'The name that users see.',
      category: 'The heading under which the type is shown.',
      required: 'True if users cannot turn it off on any channel.',
      channels: 'The channels of the type.',
      options: 'Which delivery options each channel offers.',
    },
  ],
});

describeFields(savePreferencesRoute.body, {
  subNotificationId: 'With it, the choice is for that sub-notification, otherwise for the whole type.',
  delivery: 'off, instant, hourly, daily, weekly or monthly.',
});

const CONSENT_TEXTS = {
  purpose: 'The purpose: marketing, for every type of it.',
  notificationId: 'The ID of the notification type.',
  subNotificationId: 'The sub-notification of the type.',
  channel: 'The channel.',
  source: 'How it was stated: link, email, page, complaint, api, or your name for it.',
};

describeFields(listConsentsRoute.query, {
  limit: 'The maximum number of requests per page, 1 to 100.',
});

describeFields(listConsentsRoute.response.body, {
  consents: [
    'The changes, newest first.',
    {
      ...CONSENT_TEXTS,
      state: 'given, withdrawn, or reset to the default.',
      delivery: 'The delivery option that was chosen.',
      actor: 'person, or the key or member that made the change.',
      createdAt: 'The time of the change.',
    },
  ],
  nextCursor: 'Continues the list.',
});

describeFields(saveConsentRoute.body, {
  ...CONSENT_TEXTS,
  state: 'given or withdrawn.',
});
