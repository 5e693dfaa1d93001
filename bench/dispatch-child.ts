import { readFileSync } from 'node:fs';
import { handler } from '../functions/workers/dispatch/dispatch.ts';
import type { LocalStreamEvent } from '../infra/local/database/stream/stream-event.ts';
import { database } from '../shared/database/database.ts';
import { queues } from '../shared/messaging/queues.ts';
import { chunksOf } from '../shared/runtime/async/chunks.ts';
import { replace } from '../shared/runtime/dependency.ts';
import type { BatchCost } from './dispatch.ts';

/**
 * Runs dispatch on recorded stream events, in batches of a size, on a table and queues that only count calls:
 * `node dispatch-child.ts <events file> <batch size>` prints a BatchCost.
 */
const [eventsFile = '', batchSize = ''] = process.argv.slice(2);
const WARM_UP = 200;
const BATCHES = 300;
/** A batch request of SQS has ten messages. The messages of a batch are sent concurrently, then usage is read and written. */
const QUEUE_BATCH = 10;
const WAITS = 3;

let calls = 0;
const counted = <T>(result: T) => {
  calls += 1;
  return Promise.resolve(result);
};
const unused = () => Promise.reject(new Error('dispatch was not expected to call this'));
replace(database, () => ({
  get: () => counted(undefined),
  put: () => counted({ written: true as const, item: undefined }),
  update: () => counted({ written: true as const, item: undefined }),
  query: () => counted({ items: [], lastKey: undefined }),
  queryAll: () => counted([]),
  batchGet: unused,
  batchPut: unused,
  delete: unused,
  transact: unused,
}));
replace(queues, () => ({
  send: async (_, messages) => {
    calls += Math.ceil(messages.length / QUEUE_BATCH);
    return [];
  },
  changeVisibility: unused,
  countWaiting: unused,
}));
// Metrics are lines of text: dropped here, so that standard output has only the result.
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true;

const events: LocalStreamEvent[] = JSON.parse(readFileSync(eventsFile, 'utf8'));
const [first] = events;
const batches = chunksOf(
  events.flatMap(({ Records }) => Records),
  Number(batchSize),
).filter(({ length }) => length === Number(batchSize));
if (!first || batches.length === 0) throw new Error('too few stream events were recorded');

async function run(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const Records = batches[index % batches.length] ?? [];
    const { batchItemFailures } = await handler({ ...first, Records });
    if (batchItemFailures.length > 0) throw new Error('dispatch did not handle a batch');
  }
}

await run(WARM_UP);
calls = 0;
const before = process.cpuUsage();
await run(BATCHES);
const { user, system } = process.cpuUsage(before);
const cost: BatchCost = { cpuMs: (user + system) / 1000 / BATCHES, calls: calls / BATCHES, waits: WAITS };
write(JSON.stringify(cost));
process.exit(0);
