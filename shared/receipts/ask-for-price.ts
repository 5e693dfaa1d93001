import { messageBody, sendOrThrow } from '../messaging/message-body.ts';
import { FOLLOW_UP_QUEUE } from '../messaging/queue-names.ts';
import type { Queues } from '../messaging/queues-port.ts';
import type { FollowUp, PriceQuestion } from './follow-up.ts';

/** Twilio has a price soon after the end, but not immediately. */
const ASK_AFTER_SECONDS = 60;

/** Asks for the price of a text message or call that has ended; throws if the question is not accepted. */
export async function askForPrice(queues: Queues, question: PriceQuestion): Promise<void> {
  const body = messageBody({ followUp: 'price', ...question } satisfies FollowUp);
  const message = { body, delaySeconds: ASK_AFTER_SECONDS };
  await sendOrThrow(queues, { queue: FOLLOW_UP_QUEUE, message });
}
