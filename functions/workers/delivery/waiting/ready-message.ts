import { messageBody } from '../../../../shared/messaging/message-body.ts';
import { CHANNEL_QUEUES, COLLECT_QUEUE } from '../../../../shared/messaging/queue-names.ts';
import type { QueueMessage } from '../../../../shared/messaging/queues-port.ts';
import { defined } from '../../../../shared/runtime/values/defined.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import type { Postponed } from './postponed.ts';
import type { Started } from './started.ts';

/** A ready channel of a notification: to be sent now, to be collected for a digest, or only to be rendered for its log. */
export type ReadyChannel = {
  trackingId: string;
  channel: Channel;
  routing: 'SEND' | 'BATCH' | 'IGNORE';
  /** The decision for a channel that waited, made when its step or hold ended. */
  started?: Started | undefined;
  /** True if quiet hours and a pause do not hold it: a caller chose its time. */
  isReleased?: boolean | undefined;
  accountId?: string | undefined;
  isUrgent?: boolean | undefined;
};

/**
 * The message of a ready channel, and its queue. Group and deduplication ID are the notification's channel: deliveries from any
 * worker are never concurrent (ADR 3). A postponed delivery is a new message.
 */
export function readyMessage({
  trackingId,
  channel,
  routing,
  started,
  isReleased,
  postponed,
}: ReadyChannel & { postponed?: Postponed | undefined }): {
  queue: string;
  message: QueueMessage;
} {
  const id = `${trackingId}-${channel}`;
  return {
    queue: routing === 'BATCH' ? COLLECT_QUEUE : CHANNEL_QUEUES[channel],
    message: {
      body: messageBody({
        trackingId,
        channel,
        ...defined({ started, isReleased, postponed }),
      }),
      groupId: id,
      deduplicationId: [id, routing, ...(postponed ? [postponed.sinceMs, postponed.times] : [])].join('-'),
    },
  };
}
