import type { ListedLanguage } from '../../shared/database/entities/content/translations.ts';
import { datesOf } from '../../shared/database/items/edition.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import type { TranslationLanguage } from '../../shared/schemas/content/translations.ts';

export function languageResponse({ locale, keyCount, ...dates }: ListedLanguage): TranslationLanguage {
  return { locale, keyCount, ...datesOf(dates), updatedAt: isoOf(dates.updatedAtMs) };
}

export function noTranslations(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', {
    message: 'The environment has no translations in this language.',
    fix: 'GET /translations lists the languages; PUT /translations/{locale} adds one.',
  });
}
