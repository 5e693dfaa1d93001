import type { Profile } from '../../domain/profile.ts';
import {
  ANY_LANGUAGE,
  type Language,
  translationKeysIn,
  usesTranslations,
} from '../../rendering/language.ts';
import type { Channel } from '../../schemas/channel.ts';
import type { Translations } from './translations.ts';

/** The user whose content is rendered, and its request. */
export type LanguageInput = {
  environmentId: string;
  user: Partial<Profile>;
  account: { locale?: string | undefined } | undefined;
  /** Timezone that times are shown in. */
  zone: string;
  /** The content is inline: its author chose the reader's language. */
  isInline: boolean;
  /** Of the template's variant. */
  variant: string | undefined;
  /** Everything that is rendered. */
  sources: readonly unknown[];
};

/**
 * Returns what the reader's language determines for a content: that of the user, or else the account's.
 * Translations are read only for content that uses them.
 */
export async function readLanguage(
  { translations }: { translations: Pick<Translations, 'load'> },
  { environmentId, user, account, zone, isInline, variant, sources }: LanguageInput,
): Promise<Language> {
  const locales = [user.locale, account?.locale].filter((each) => each !== undefined);
  const reader = user.locale ?? account?.locale;
  const catalogs = sources.some(usesTranslations)
    ? await translations.load(environmentId, locales, wantedKeys(sources))
    : undefined;
  const written = isInline ? reader : (variant ?? catalogs?.[0]?.locale ?? account?.locale);
  return {
    locale: formatLocale(written ?? ANY_LANGUAGE.locale, reader),
    zone,
    catalogs,
    htmlLocale: written,
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
