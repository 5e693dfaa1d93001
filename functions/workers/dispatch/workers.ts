import { LOG_PK_PREFIX } from '../../../shared/database/keys/key.ts';
import { DIGEST_PREFIX } from '../../../shared/database/keys/log.ts';
import type { WorkerRow } from '../../../shared/http/rows/worker.ts';
import {
  CHANNEL_QUEUES,
  COLLECT_QUEUE,
  DISPATCH_FAILURES_QUEUE,
  DUE_QUEUE,
  EVENTS_QUEUE,
  TEXT_ANSWER_QUEUE,
  WEBHOOK_QUEUE,
} from '../../../shared/messaging/queue-names.ts';
import { ORDERED_CHANNELS } from '../../../shared/providers/order/provider-order.ts';
import { ORDER_SETTINGS } from '../../../shared/providers/settings/setting-names.ts';

/** The longest that Lambda allows: the end of each window with records costs an invocation. */
const STREAM_WINDOW_SECONDS = 900;

export const workers: readonly WorkerRow[] = [
  {
    name: 'dispatch',
    summary:
      'Reads the stream: puts one message per channel of an accepted notification, and one per event for a webhook, on its queue; counts usage.',
    trigger: {
      kind: 'stream',
      prefixes: [LOG_PK_PREFIX, DIGEST_PREFIX],
      batchSize: 100,
      windowSeconds: STREAM_WINDOW_SECONDS,
    },
    timeoutSeconds: 60,
    memoryMb: 1769,
    grants: {
      table: ['get', 'put', 'query', 'update'],
      sendsTo: [
        ...Object.values(CHANNEL_QUEUES),
        COLLECT_QUEUE,
        DISPATCH_FAILURES_QUEUE,
        DUE_QUEUE,
        EVENTS_QUEUE,
        TEXT_ANSWER_QUEUE,
        WEBHOOK_QUEUE,
      ],
      counts: ORDERED_CHANNELS.map((channel) => CHANNEL_QUEUES[channel]),
    },
    settings: [
      'CHANNELS_OFF',
      'EVENT_BUS',
      ...ORDER_SETTINGS,
      'EMAIL_PER_SECOND',
      'SMS_PER_SECOND',
      'CALL_PER_SECOND',
    ],
  },
];
