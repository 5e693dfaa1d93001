import { LOG_FOLDERS } from '../../../shared/blobs/blob-folders.ts';
import type { WorkerRow } from '../../../shared/http/rows/worker.ts';
import { COLLECT_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { RECEIVES_MAX } from '../../../shared/messaging/receives.ts';

export const workers: readonly WorkerRow[] = [
  {
    name: 'collect-digest',
    summary: 'Puts notifications that wait for a digest into the bucket of their next flush.',
    trigger: {
      kind: 'queue',
      queue: COLLECT_QUEUE,
      batchSize: 10,
      fifo: true,
      visibilityTimeoutSeconds: 180,
      receiveCountMax: RECEIVES_MAX,
    },
    timeoutSeconds: 30,
    memoryMb: 256,
    grants: {
      table: ['get', 'batchGet', 'query', 'put', 'delete'],
      keyring: ['decrypt'],
      blobs: { read: LOG_FOLDERS },
    },
  },
];
