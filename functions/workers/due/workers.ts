import { LIFE_FOLDERS, LOG_FOLDERS } from '../../../shared/blobs/blob-folders.ts';
import { FREE_PLAN_SETTINGS } from '../../../shared/domain/costs/usage-caps.ts';
import type { WorkerRow } from '../../../shared/http/rows/worker.ts';
import {
  CHANNEL_QUEUES,
  COLLECT_QUEUE,
  DUE_QUEUE,
  EVENTS_QUEUE,
  WEBHOOK_QUEUE,
} from '../../../shared/messaging/queue-names.ts';
import { RECEIVES_MAX } from '../../../shared/messaging/receives.ts';
import { ORDER_SETTINGS } from '../../../shared/providers/settings/setting-names.ts';

export const workers: readonly WorkerRow[] = [
  {
    name: 'sweep',
    summary: 'Each minute: puts work that is due within two minutes on the due queue, delayed to its second.',
    trigger: { kind: 'schedule', everyMinutes: 1 },
    timeoutSeconds: 55,
    memoryMb: 1024,
    grants: { table: ['get', 'query', 'update'], indexes: ['due'], sendsTo: [DUE_QUEUE] },
  },
  {
    name: 'make-ready',
    summary:
      'Evaluates scheduled notifications when they are due, notifies members of topics, flushes digests, enqueues due webhook calls, returns snoozed in-app items, evaluates held messages again when the settings of their user change, erases deleted users from logs, exports what is stored about a person, and removes environments.',
    trigger: {
      kind: 'queue',
      queue: DUE_QUEUE,
      batchSize: 10,
      concurrencyMax: 200,
      fifo: false,
      visibilityTimeoutSeconds: 360,
      receiveCountMax: RECEIVES_MAX,
    },
    timeoutSeconds: 60,
    memoryMb: 512,
    grants: {
      table: ['get', 'batchGet', 'query', 'put', 'update', 'delete', 'check', 'scan'],
      indexes: ['due', 'feed'],
      keyring: ['encrypt', 'decrypt'],
      blobs: {
        read: [...LOG_FOLDERS, 'attachments'],
        write: [...LOG_FOLDERS, 'exports'],
        delete: [...LIFE_FOLDERS, 'exports'],
        list: LOG_FOLDERS,
      },
      sendsTo: [...Object.values(CHANNEL_QUEUES), COLLECT_QUEUE, DUE_QUEUE, EVENTS_QUEUE, WEBHOOK_QUEUE],
      counts: Object.values(CHANNEL_QUEUES),
      services: ['websocket', 'websocket-close'],
    },
    returns: [
      {
        by: [],
        end: "A wait is passed on until its time; a turn is postponed only while the channel's queue is full.",
      },
    ],
    settings: [
      ...FREE_PLAN_SETTINGS,
      'EVENT_BUS',
      'CHANNELS_OFF',
      'RESTORED_UNTIL',
      'WEBSOCKET_ENDPOINT',
      ...ORDER_SETTINGS,
      'EMAIL_PER_SECOND',
      'SMS_PER_SECOND',
      'CALL_PER_SECOND',
    ],
  },
];
