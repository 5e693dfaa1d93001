import type { Worker } from '../shared/worker.ts';
import { workers as accounts } from './workers/account-workers.ts';
import { workers as delivery } from './workers/delivery-workers.ts';
import { workers as domains } from './workers/domain-workers.ts';
import { workers as inbound } from './workers/inbound-workers.ts';
import { workers as operations } from './workers/operations-workers.ts';
import { workers as receipts } from './workers/receipt-workers.ts';
import { workers as webhooks } from './workers/webhook-workers.ts';
import { workers as websocket } from './workers/websocket-workers.ts';

/** THE worker table: everything that runs without an HTTP request. */
export const WORKERS: readonly Worker[] = [
  ...accounts,
  ...delivery,
  ...domains,
  ...inbound,
  ...operations,
  ...receipts,
  ...webhooks,
  ...websocket,
];
