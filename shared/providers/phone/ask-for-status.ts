import type { CallDelivery, SmsDelivery } from '../../channels/channel.ts';
import { messageBody, sendOrThrow } from '../../messaging/message-body.ts';
import { FOLLOW_UP_QUEUE } from '../../messaging/queue-names.ts';
import { queues } from '../../messaging/queues.ts';
import type { FollowUp } from '../../receipts/follow-up.ts';
import { clock, resolve } from '../../runtime/dependency.ts';
import { log } from '../../runtime/logger.ts';
import { defined } from '../../runtime/values/defined.ts';
import type { ProviderEntry } from '../order/provider-order.ts';

/** Callbacks have arrived by then; no message of a queue waits longer. */
export const FIRST_STATUS_AFTER_SECONDS = 900;

/**
 * Asks later for the status of a text message or call that Twilio has accepted: its callbacks may be lost. The message is
 * sent, so that a failure here must change nothing.
 */
export async function askForStatus(
  { name, text }: ProviderEntry,
  channel: 'SMS' | 'CALL',
  providerMessageId: string,
  { trackingId, accountId, environmentId }: SmsDelivery | CallDelivery,
): Promise<void> {
  const question = {
    followUp: 'status',
    ...{ channel, providerMessageId, trackingId, accountId, environmentId },
    sentAtMs: resolve(clock).now(),
    ...defined({ provider: name === undefined ? undefined : text }),
  } satisfies FollowUp;
  const message = { body: messageBody(question), delaySeconds: FIRST_STATUS_AFTER_SECONDS };
  try {
    await sendOrThrow(resolve(queues), { queue: FOLLOW_UP_QUEUE, message });
  } catch (error) {
    log.error('the status of a message will not be asked for', { trackingId, channel }, error);
  }
}
