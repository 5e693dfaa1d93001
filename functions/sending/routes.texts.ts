import { describeFields } from '../../shared/schemas/field-texts.ts';
import { cancelScheduledRoute, rescheduleRoute, sendBulkRoute, sendRoute } from './routes.ts';

describeFields(sendRoute.query, {
  dryRun: 'true: nothing is stored or sent.',
  locale: 'For a dry run: the language to render in.',
});

describeFields(sendRoute.answer.body, {
  trackingId: 'The ID of the notification, for its delivery log.',
  messages: 'The reason for every channel that will not be sent.',
  topic: [
    'For a dry run to a topic: its members.',
    {
      members: 'How many users it has.',
      sampleUserId: 'The member whose routing is shown.',
    },
  ],
  routing: [
    'For a dry run: the decision for each channel.',
    {
      channel: 'The channel.',
      routing: 'The decision.',
      reason: 'Why the channel is ignored.',
      dueAt: 'When it is due.',
      heldUntil: 'When quiet hours or a pause end.',
      content: 'The content as it would be sent.',
      missing: 'Variables in the content for which there is no value.',
      missingTranslations: 'Translations that the language lacks.',
      locale: 'The language in which it is rendered.',
    },
  ],
});

describeFields(sendBulkRoute.body, {
  notifications: '1 to 100 bodies of POST /send.',
});

describeFields(sendBulkRoute.answer.body, {
  results: [
    'One result for each notification, in the order requested.',
    {
      error: [
        'What went wrong.',
        {
          code: 'The error as a code; the list is closed.',
          message: 'What is wrong, as text.',
          fix: 'What to do next.',
        },
      ],
    },
  ],
});

describeFields(rescheduleRoute.pathParameters, {
  trackingId: 'The ID of the notification, for its delivery log.',
});

describeFields(rescheduleRoute.answer.body, {
  message: 'A text that states the result.',
  trackingId: 'The ID of the notification, for its delivery log.',
  scheduledFor: 'When it will be sent.',
});

describeFields(cancelScheduledRoute.answer.body, {
  message: 'A text that states the result.',
});
