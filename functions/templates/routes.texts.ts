import { describeFields } from '../../shared/schemas/field-texts.ts';
import { deleteTemplateRoute, getTemplateRoute, listTemplatesRoute, previewTemplateRoute } from './routes.ts';

describeFields(listTemplatesRoute.pathParameters, {
  notificationId: 'The ID of the notification type.',
  channel: 'The channel.',
});

describeFields(listTemplatesRoute.answer.body, {
  templates: 'The templates of the channel, with their content.',
});

describeFields(previewTemplateRoute.answer.body, {
  content: 'The content as it would be sent.',
  missing: 'Variables that the content names and nothing supplies.',
  missingTranslations: 'Translations that the language does not have.',
});

describeFields(getTemplateRoute.pathParameters, {
  notificationId: 'The ID of the notification type.',
  channel: 'The channel.',
  templateId: 'The ID of the template.',
});

describeFields(deleteTemplateRoute.answer.body, {
  message: 'What was done, for people.',
});
