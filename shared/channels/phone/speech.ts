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

/** The call script that speaks `text`; Twilio's TwiML and Telnyx's TeXML both read it. */
export function buildSpeechXml(text: string): string {
  return `<Response><Say>${escapeXml(text)}</Say></Response>`;
}

/** The response to an inbound message callback: nothing, or a message that replies to it. */
export function buildReplyXml(text?: string): string {
  return text ? `<Response><Message>${escapeXml(text)}</Message></Response>` : '<Response/>';
}
