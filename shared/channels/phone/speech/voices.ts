/** Voices of Amazon Polly, which all providers have, by the language that each speaks; of several regions, the first is the usual one. */
const VOICES: Readonly<Record<string, string>> = {
  'en-US': 'Joanna',
  'en-GB': 'Amy',
  'en-AU': 'Nicole',
  'en-IN': 'Raveena',
  arb: 'Zeina',
  'cmn-CN': 'Zhiyu',
  'cy-GB': 'Gwyneth',
  'da-DK': 'Naja',
  'de-DE': 'Vicki',
  'es-ES': 'Lucia',
  'es-MX': 'Mia',
  'es-US': 'Lupe',
  'fr-FR': 'Lea',
  'fr-CA': 'Chantal',
  'is-IS': 'Dora',
  'it-IT': 'Bianca',
  'ja-JP': 'Mizuki',
  'ko-KR': 'Seoyeon',
  'nb-NO': 'Liv',
  'nl-NL': 'Lotte',
  'pl-PL': 'Ewa',
  'pt-BR': 'Camila',
  'pt-PT': 'Ines',
  'ro-RO': 'Carmen',
  'ru-RU': 'Tatyana',
  'sv-SE': 'Astrid',
  'tr-TR': 'Filiz',
};

/** Names of languages in these voices that differ from those in language tags. */
const OTHER_NAMES: Readonly<Record<string, string>> = { ar: 'arb', zh: 'cmn', no: 'nb', nn: 'nb' };

/** Where a language has another usual voice abroad. */
const OF_OTHER_REGIONS: Readonly<Record<string, string>> = { es: 'es-MX', pt: 'pt-PT' };

export function spokenBy(locale: string): { language: string; polly?: string } {
  const { language, region = '' } = new Intl.Locale(locale).maximize();
  const name = OTHER_NAMES[language] ?? language;
  const spoken = Object.keys(VOICES);
  const code =
    spoken.find((each) => each === `${name}-${region}`) ??
    OF_OTHER_REGIONS[name] ??
    spoken.find((each) => each.split('-')[0] === name);
  const polly = code === undefined ? undefined : VOICES[code];
  return code && polly ? { language: code, polly } : { language: `${language}-${region}` };
}
