/** Characters that JSON does not escape and because of which SQS rejects the whole message. */
const REJECTED = /[\ufffe\uffff]/g;

/** The body of a queue message: JSON text with every character escaped that a queue does not accept. */
export function messageBody(value: unknown): string {
  return JSON.stringify(value).replace(REJECTED, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}
