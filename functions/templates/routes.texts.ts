import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { TEXT_FACTS_TEXTS } from '../../shared/schemas/sending/phone-settings.texts.ts';
import {
  deleteTemplateDraftRoute,
  deleteTemplateRoute,
  getTemplateRoute,
  getTemplateVersionRoute,
  listTemplatesRoute,
  listTemplateVersionsRoute,
  previewTemplateRoute,
} from './routes.ts';

describeFields(listTemplatesRoute.pathParameters, {
  notificationId: 'The ID of the notification type.',
  channel: 'The channel.',
});

describeFields(listTemplatesRoute.answer.body, {
  templates: 'The templates of the channel, without their content.',
});

describeFields(previewTemplateRoute.answer.body, {
  content: 'The content as it would be sent.',
  missing: 'Variables in the content that have no value; _items[].name for a field that items lack.',
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

describeFields(listTemplateVersionsRoute.answer.body, {
  versions: 'The version that sends, then earlier ones, newest first.',
});

describeFields(getTemplateVersionRoute.pathParameters, {
  notificationId: 'The ID of the notification type.',
  channel: 'The channel.',
  templateId: 'The ID of the template.',
  version: 'The number of the version.',
});

describeFields(deleteTemplateDraftRoute.answer.body, {
  message: 'A message that states the result.',
});
