/** Characters that JSON leaves as they are and that SQS rejects with the whole message. */
const REJECTED = /[\ufffe\uffff]/g;

/** The body of a queue message: JSON text with every character escaped that a queue does not accept. */
export function messageBody(value: unknown): string {
  return JSON.stringify(value).replace(REJECTED, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}

/** Whether a queue accepts the text: the characters of XML 1.0, as SQS does. */
export function isMessageText(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that SQS rejects
  return text.isWellFormed() && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text);
}
