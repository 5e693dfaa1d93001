import { defined } from '../../../runtime/values/defined.ts';
import { innerSsml } from '../../../schemas/fields/ssml.ts';
import type { CallDelivery } from '../../channel.ts';
import { spokenBy } from './voices.ts';

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

// Characters that XML 1.0 cannot contain, not even escaped: control characters, lone surrogates, U+FFFE and U+FFFF.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

/**
 * `text` as the content of an XML element or attribute; characters that XML does not allow become a space.
 */
export function escapeXml(text: string): string {
  return text.replace(NOT_XML, ' ').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** How a text is spoken: its language, a voice of the provider or of Polly, and how often. */
export type Speech = Pick<CallDelivery, 'language' | 'voice' | 'repeat'>;

/**
 * The call script that speaks `text`; Twilio's TwiML and Telnyx's TeXML both read it. `anyLanguage` is the voice for a language
 * that no voice of Polly speaks.
 */
export function buildSpeechXml(text: string, speech: Speech = {}, anyLanguage?: string): string {
  const ssml = innerSsml(text);
  // Only Polly's voices read SSML.
  const locale = speech.language ?? (ssml === undefined ? undefined : 'en-US');
  const { language, polly } = locale === undefined ? {} : spokenBy(locale);
  const usual = polly ? `Polly.${polly}` : language && anyLanguage;
  const attributes = defined({
    voice: speech.voice === undefined ? usual : voiceName(speech.voice),
    language,
    loop: speech.repeat,
  });
  const scriptWithout = (omitted: readonly string[]) => {
    const written = Object.entries(attributes).filter(([name]) => !omitted.includes(name));
    const said = written.map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`);
    return `<Response><Say${said.join('')}>${ssml ?? escapeXml(text)}</Say></Response>`;
  };
  const scripts = OMITTED.map(scriptWithout);
  return (
    scripts.find(({ length }) => length <= SCRIPT_LENGTH_MAX) ?? scriptWithout(['voice', 'language', 'loop'])
  );
}

/** Twilio accepts no longer script. */
const SCRIPT_LENGTH_MAX = 4000;
/** What a long script can do without, the language last. */
const OMITTED = [[], ['loop'], ['loop', 'voice']];

const voiceName = (voice: string) =>
  voice.includes('.') || /^(?:man|woman|alice)$/.test(voice) ? voice : `Polly.${voice}`;

/** The response to an inbound message callback: nothing, or a message that replies to it. */
export function buildReplyXml(text?: string): string {
  return text ? `<Response><Message>${escapeXml(text)}</Message></Response>` : '<Response/>';
}
