import { LOG_FOLDERS } from '../../../shared/blobs/blob-folders.ts';
import type { WorkerRow } from '../../../shared/http/rows/worker.ts';
import {
  CHANNEL_QUEUES,
  COLLECT_QUEUE,
  DUE_QUEUE,
  TEXT_ANSWER_QUEUE,
  WEBHOOK_QUEUE,
} from '../../../shared/messaging/queue-names.ts';
import { ACCEPT_GRANTS, ACCEPT_SETTINGS } from '../../sending/routes.ts';

/** Invoked manually by an operator. */
export const workers: readonly WorkerRow[] = [
  {
    name: 'redrive',
    summary: 'Requeues what was accepted or became ready in a time range and has no outcome.',
    trigger: { kind: 'manual' },
    timeoutSeconds: 120,
    memoryMb: 512,
    grants: {
      table: ['get', 'query'],
      indexes: ['feed', 'due'],
      keyring: ['decrypt'],
      blobs: { read: LOG_FOLDERS },
      sendsTo: [...Object.values(CHANNEL_QUEUES), COLLECT_QUEUE, DUE_QUEUE, TEXT_ANSWER_QUEUE, WEBHOOK_QUEUE],
    },
  },
  {
    name: 'resend-failed',
    summary: 'Sends again what failed in an account and a time range, each failed message once.',
    trigger: { kind: 'manual' },
    timeoutSeconds: 120,
    memoryMb: 1769,
    grants: { ...ACCEPT_GRANTS, indexes: ['feed'] },
    settings: [...ACCEPT_SETTINGS, 'SMS_VALIDITY_SECONDS'],
  },
  {
    name: 'explain',
    summary: "Counts what became of an account's notifications of a time range, by minute.",
    trigger: { kind: 'manual' },
    timeoutSeconds: 120,
    memoryMb: 1769,
    grants: {
      table: ['get', 'query'],
      indexes: ['feed'],
      blobs: { read: LOG_FOLDERS },
    },
  },
  {
    name: 'recount-usage',
    summary: 'Adds to the usage of a past day what was sent and not counted.',
    trigger: { kind: 'manual' },
    timeoutSeconds: 120,
    memoryMb: 512,
    grants: {
      table: ['get', 'query', 'put'],
      indexes: ['feed', 'due'],
      blobs: { read: LOG_FOLDERS },
    },
  },
];
