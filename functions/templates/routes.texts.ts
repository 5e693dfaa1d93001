import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { TEXT_FACTS_TEXTS } from '../../shared/schemas/sending/phone-settings.texts.ts';
import {
  getTemplateVersionRoute,
  listTemplatesRoute,
  listTemplateVersionsRoute,
  previewTemplateRoute,
} from './routes.ts';

describeFields(listTemplatesRoute.response.body, {
  templates: 'The templates of the channel, without their content.',
});

describeFields(previewTemplateRoute.response.body, {
  content: 'The content as it would be sent.',
  missing: 'Variables in the content that have no value; _items[].name for a field that items lack.',
  missingTranslations: 'Translations that the language lacks.',
  ...TEXT_FACTS_TEXTS,
  notes: 'Content that was omitted, such as links that the account does not allow.',
});

describeFields(listTemplateVersionsRoute.response.body, {
  versions: 'The version that sends, then earlier ones, newest first.',
});

describeFields(getTemplateVersionRoute.pathParameters, {
  version: 'The number of the version.',
});
