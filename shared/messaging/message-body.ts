/** JSON does not escape these characters, but SQS rejects a message that contains them. */
const REJECTED = /[\ufffe\uffff]/g;

/** The body of a queue message: JSON text with every character escaped that a queue does not accept. */
export function messageBody(value: unknown): string {
  return JSON.stringify(value).replace(REJECTED, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}
