import type { QueueMessage, Queues } from './queues-port.ts';

/** JSON does not escape these characters, but SQS rejects a message that contains them. */
const REJECTED = /[\ufffe\uffff]/g;

/** The body of a queue message: JSON text with every character escaped that a queue does not accept. */
export function messageBody(value: unknown): string {
  return JSON.stringify(value).replace(REJECTED, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}

/** Sends a message; throws if its queue does not accept it. */
export async function sendOrThrow(
  queues: Pick<Queues, 'send'>,
  { queue, message }: { queue: string; message: QueueMessage },
): Promise<void> {
  const refused = await queues.send(queue, [message]);
  if (refused.length > 0) throw new Error(`the queue ${queue} did not accept a message`);
}
