/**
 * Maps a provider's name of an encoding: `GSM-7` or `UCS-2`. AWS uses GSM and Unicode, Telnyx GSM-7 and
 * UTF-16. Undefined for others.
 */
export function toEncoding(word: string | undefined): 'GSM-7' | 'UCS-2' | undefined {
  if (word === undefined) return undefined;
  if (/^gsm/i.test(word)) return 'GSM-7';
  return /^(unicode|ucs|utf)/i.test(word) ? 'UCS-2' : undefined;
}
