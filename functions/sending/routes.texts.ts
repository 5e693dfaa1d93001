import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { TEXT_FACTS_TEXTS } from '../../shared/schemas/sending/phone-settings.texts.ts';
import { rescheduleRoute, resendLogRoute, sendBulkRoute, sendRoute } from './routes.ts';

describeFields(sendRoute.query, {
  dryRun: 'true: nothing is stored or sent.',
  locale: 'For a dry run: the language to render in, as if the user had it.',
});

describeFields(sendRoute.response.body, {
  trackingId:
    'The ID of the notification, for its delivery log. For a topic, its log counts the notifications of the members, whose topic_tracking_id it is, and DELETE /sender/scheduler/{trackingId} stops the rest.',
  messages: 'The reason for every channel that will not be sent.',
  waiting: 'The channels that are accepted but not sent yet; absent if there are none.',
  topic: [
    'For a dry run to a topic: its members.',
    {
      members: 'Number of users in the topic.',
      sampleUserId: 'The first member, whose routing is shown.',
    },
  ],
  routing: [
    'The decision for each channel, unless it is sent to a topic: each member has their own.',
    {
      routing: 'The decision.',
      reason: 'Why the channel is not sent, as in the delivery log.',
      dueAt: 'Of a dry run: due time of a later step.',
      heldUntil: 'Of a dry run: end of the quiet hours or pause.',
      content: 'Of a dry run: the content as it would be sent.',
      missing: 'Of a dry run: variables in the content that have no value.',
      missingTranslations:
        'Of a dry run: keys that the language lacks, with the language that was used instead.',
      locale: 'Of a dry run: the language of the template variant.',
      ...TEXT_FACTS_TEXTS,
    },
  ],
});

describeFields(resendLogRoute.pathParameters, { trackingId: 'The tracking ID of the notification.' });

describeFields(resendLogRoute.body, { channel: 'Only this channel; without it, every channel that failed.' });

describeFields(resendLogRoute.response.body, {
  resent: [
    'What is sent again, one entry for each failed message.',
    {
      trackingId: 'The ID of the new notification.',
      messages: 'The reason for every channel that will not be sent.',
    },
  ],
});

describeFields(sendBulkRoute.body, {
  notifications:
    '1 to 100 bodies of POST /send. Each has an idempotency key of its own, from the header and its place.',
});

describeFields(sendBulkRoute.response.body, {
  results: [
    'One result for each notification, in the order requested.',
    {
      error: [
        'The error.',
        {
          code: 'Error code, from a fixed list.',
          message: 'A description of the error.',
          fix: 'The suggested next step.',
          docs: 'The address of the code on the page of errors, relative to the address of the API.',
          errors: 'The problems one by one; their paths are within the entry.',
        },
      ],
    },
  ],
});

describeFields(rescheduleRoute.response.body, {
  scheduledFor: 'Time when it will be sent.',
});
