// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
const REJECTED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * The text with every character that SQS rejects replaced by U+FFFD, including lone surrogates. For
 * strangers' texts: one such character would block everything behind it.
 */
export function toStorable(text: string): string {
  return text.toWellFormed().replace(REJECTED, '\ufffd');
}
