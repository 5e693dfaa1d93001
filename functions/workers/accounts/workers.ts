import { BLOB_FOLDERS, LIFE_FOLDERS, LOG_FOLDERS } from '../../../shared/blobs/blob-folders.ts';
import type { WorkerRow } from '../../../shared/http/rows/worker.ts';
import { IDENTITY_SETTINGS } from '../../../shared/providers/settings/setting-names.ts';

/** Run manually by the operator of a deployment, with IAM only, and what watches the costs of all accounts. */
export const workers: readonly WorkerRow[] = [
  {
    name: 'administer-accounts',
    summary:
      'Creates, lists, disables, enables and deletes accounts, issues a key when all are lost, and rotates the signing secret.',
    trigger: { kind: 'manual' },
    timeoutSeconds: 60,
    memoryMb: 512,
    grants: {
      table: ['get', 'query', 'put', 'update', 'delete', 'check', 'scan'],
      blobs: { delete: BLOB_FOLDERS, list: [...LIFE_FOLDERS, 'media', 'exports'] },
      keyring: ['encrypt', 'decrypt'],
      services: ['user-pool-create', 'user-pool-read'],
    },
    settings: IDENTITY_SETTINGS,
  },
  {
    name: 'watch-costs',
    summary:
      'Stops the sending of accounts whose day costs far more than the usual, and names loops of a webhook and sends.',
    trigger: { kind: 'schedule', everyMinutes: 5 },
    timeoutSeconds: 300,
    memoryMb: 512,
    grants: {
      table: ['get', 'query', 'put', 'update'],
      indexes: ['feed'],
      keyring: ['decrypt'],
      blobs: { read: LOG_FOLDERS },
    },
    settings: ['DAY_COST_FACTOR', 'DAY_COST_FLOOR_USD'],
  },
];
