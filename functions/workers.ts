import type { Worker, WorkerRow } from '../shared/http/rows/worker.ts';
import { workers as accounts } from './workers/accounts/workers.ts';
import { workers as delivery } from './workers/delivery/workers.ts';
import { workers as digest } from './workers/digest/workers.ts';
import { workers as dispatch } from './workers/dispatch/workers.ts';
import { workers as domains } from './workers/domains/workers.ts';
import { workers as due } from './workers/due/workers.ts';
import { workers as inbound } from './workers/inbound/workers.ts';
import { workers as receipts } from './workers/receipts/workers.ts';
import { workers as redrive } from './workers/redrive/workers.ts';
import { workers as webhooks } from './workers/webhooks/workers.ts';
import { workers as websocket } from './workers/websocket/workers.ts';

/** The rows by concern, which is the folder of their handlers. */
const BY_CONCERN: Record<string, readonly WorkerRow[]> = {
  accounts,
  dispatch,
  delivery,
  digest,
  domains,
  due,
  inbound,
  receipts,
  redrive,
  webhooks,
  websocket,
};

/** The worker table: every function that runs without an HTTP request. */
export const WORKERS: readonly Worker[] = Object.entries(BY_CONCERN).flatMap(([concern, rows]) =>
  rows.map((row) => ({ concern, ...row })),
);
