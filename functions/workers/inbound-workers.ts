import type { Worker } from '../../shared/worker.ts';
import { INBOUND_PREFIX } from './inbound/mail-notices.ts';

/** What comes in by mail. */
export const workers: readonly Worker[] = [
  {
    name: 'ingest-mail',
    summary:
      'Reads mail that was received, and takes it into the log of the notification it answers or a new one.',
    trigger: { kind: 'objects', prefix: INBOUND_PREFIX },
    timeoutSeconds: 60,
    memoryMb: 1024,
    grants: { table: ['get', 'batchGet', 'put', 'transact'], blobs: ['read', 'write'] },
    settings: ['MAIL_DOMAIN'],
  },
];
