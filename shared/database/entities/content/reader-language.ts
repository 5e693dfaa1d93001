import type { Profile } from '../../../domain/users/profile.ts';
import { UNKNOWN_LANGUAGE } from '../../../rendering/language/html-language.ts';
import {
  ANY_LANGUAGE,
  type Language,
  translationKeysIn,
  usesTranslations,
} from '../../../rendering/language/language.ts';
import type { Channel } from '../../../schemas/channel.ts';
import type { Translations } from './translations.ts';

/** The user whose content is rendered, and its request. */
export type LanguageInput = {
  environmentId: string;
  user: Partial<Profile>;
  account: { locale?: string | undefined } | undefined;
  /** Timezone that times are shown in. */
  zone: string;
  /** The content is inline. Its language is the request's, then its translations', then unknown. */
  isInline: boolean;
  stated?: string | undefined;
  /** Of the template's variant. */
  variant: string | undefined;
  /** Everything that is rendered. */
  sources: readonly unknown[];
};

/**
 * Returns what the reader's language determines for a content: the user's language, by default the account's. Translations are
 * read only for content that uses them.
 */
export async function readLanguage(
  { translations }: { translations: Pick<Translations, 'load'> },
  { environmentId, user, account, zone, isInline, stated, variant, sources }: LanguageInput,
): Promise<Language> {
  const locales = [user.locale, account?.locale].filter((each) => each !== undefined);
  const reader = user.locale ?? account?.locale;
  const catalogs = sources.some(usesTranslations)
    ? await translations.load(environmentId, locales, wantedKeys(sources))
    : undefined;
  const translated = catalogs?.[0]?.locale;
  const written = isInline ? (stated ?? translated ?? reader) : (variant ?? translated ?? account?.locale);
  const isUnknown = isInline && written !== undefined && written === reader && !stated && !translated;
  return {
    locale: formatLocale(written ?? ANY_LANGUAGE.locale, reader),
    zone,
    catalogs,
    htmlLocale: isUnknown ? UNKNOWN_LANGUAGE : written,
  };
}

function wantedKeys(sources: readonly unknown[]) {
  const { keys, isComplete } = translationKeysIn(sources);
  return { keys, otherKeys: !isComplete };
}

/** Dates and numbers are in the language of the text, in the reader's regional form of it: an English text has `en-GB`. */
function formatLocale(written: string, reader: string | undefined): string {
  if (reader === undefined) return written;
  const languageOf = (locale: string) => new Intl.Locale(locale).language;
  const isSame = languageOf(written) === languageOf(reader);
  return isSame && written === languageOf(written) ? reader : written;
}

/** True if a channel's own content is inline; of an email, its html decides. */
export function isInlineContent(channel: Channel, inline: object | undefined): boolean {
  if (channel !== 'EMAIL') return inline !== undefined;
  return inline !== undefined && 'html' in inline && inline.html !== undefined;
}
