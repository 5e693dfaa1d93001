import type { ListedLanguage } from '../../shared/database/entities/translations.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import type { TranslationLanguage } from '../../shared/schemas/translations.ts';

/** A language as returned. */
export function languageAnswer({ locale, keyCount, updatedAtMs }: ListedLanguage): TranslationLanguage {
  return { locale, keyCount, updatedAt: isoOf(updatedAtMs) };
}

/** The error for a language without translations. */
export function noTranslations(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', {
    message: 'The environment has no translations in this language.',
    fix: 'GET /translations lists the languages; PUT /translations/{locale} adds one.',
  });
}
