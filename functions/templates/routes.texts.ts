import { describeFields } from '../../shared/schemas/field-texts.ts';
import { TEXT_FACTS_TEXTS } from '../../shared/schemas/phone-settings.texts.ts';
import { deleteTemplateRoute, getTemplateRoute, listTemplatesRoute, previewTemplateRoute } from './routes.ts';

describeFields(listTemplatesRoute.pathParameters, {
  notificationId: 'The ID of the notification type.',
  channel: 'The channel.',
});

describeFields(listTemplatesRoute.answer.body, {
  templates: 'The templates of the channel, without their content.',
});

describeFields(previewTemplateRoute.answer.body, {
  content: 'The content as it would be sent.',
  missing: 'Variables in the content for which there is no value.',
  missingTranslations: 'Translations that the language lacks.',
  ...TEXT_FACTS_TEXTS,
  notes: 'Content that was omitted, such as links that the account does not allow.',
});

describeFields(getTemplateRoute.pathParameters, {
  notificationId: 'The ID of the notification type.',
  channel: 'The channel.',
  templateId: 'The ID of the template.',
});

describeFields(deleteTemplateRoute.answer.body, {
  message: 'A message that states the result.',
});
