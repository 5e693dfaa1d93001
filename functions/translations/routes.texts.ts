import { describeFields } from '../../shared/schemas/fields/field-texts.ts';
import { getTranslationsRoute, listTranslationsRoute } from './routes.ts';

describeFields(listTranslationsRoute.response.body, {
  translations: 'Languages that have translations.',
});

describeFields(getTranslationsRoute.pathParameters, {
  locale: 'The language: a language tag (BCP 47), such as de or pt-BR.',
});
