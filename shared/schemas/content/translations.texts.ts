import { describeFields } from '../fields/field-texts.ts';
import { MissingTranslation, TranslationLanguage } from './translations.ts';

describeFields(MissingTranslation, {
  key: 'The key of the translation.',
  found: 'The language that was used instead; absent: the key is shown.',
});

describeFields(TranslationLanguage, {
  locale: 'A language tag (BCP 47), such as de or pt-BR.',
  keyCount: 'Number of texts in the language.',
});
