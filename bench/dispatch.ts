import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKERS } from '../functions/workers.ts';
import { LAMBDA_NODE_FLAGS } from '../infra/bundle/node-flags.ts';
import type { LocalStreamEvent } from '../infra/local/database/stream/stream-event.ts';
import type { HandlerCpu } from './cpu.ts';
import { CALL_WAIT_SECONDS, cpuPerCallOf } from './dollars.ts';
import type { Figure } from './report.ts';

/** Cost of a batch of the stream in `dispatch`: its own CPU, and its calls, with the calls that wait for others. */
export type BatchCost = { cpuMs: number; calls: number; waits: number };

const PART = 'The stream, per shard';
const CHILD = join(import.meta.dirname, 'dispatch-child.ts');
const MB_PER_VCPU = 1769;
/** Records of an email: accepted, sent, delivered. */
const RECORDS_PER_EMAIL = 3;

/**
 * Records per second of consecutive invocations: the recorded events of a burst in full batches, without a network. The CPU of
 * calls is taken from `send`, as in the dollars.
 */
export async function measureDispatch(
  folder: string,
  streamEvents: readonly LocalStreamEvent[],
  handlers: readonly HandlerCpu[],
  rounds: number,
): Promise<Figure[]> {
  const dispatch = WORKERS.find(({ name }) => name === 'dispatch');
  const send = handlers.find(({ id }) => id === 'send');
  if (dispatch?.trigger.kind !== 'stream' || !send) throw new Error('there is no stream consumer to measure');
  const { batchSize } = dispatch.trigger;
  const events = join(folder, 'stream-events.json');
  writeFileSync(events, JSON.stringify(streamEvents));
  const runs = Array.from(
    { length: rounds },
    (): BatchCost =>
      JSON.parse(
        execFileSync(process.execPath, [...LAMBDA_NODE_FLAGS, CHILD, events, String(batchSize)], {
          encoding: 'utf8',
          maxBuffer: 1e8,
        }),
      ),
  );
  const best = runs.reduce((least, run) => (run.cpuMs < least.cpuMs ? run : least));
  const batchSeconds = (memoryMb: number) =>
    ((best.cpuMs / 1000 + best.calls * cpuPerCallOf(send)) * MB_PER_VCPU) / Math.min(memoryMb, MB_PER_VCPU) +
    best.waits * CALL_WAIT_SECONDS;
  return [dispatch.memoryMb, 512].map((memoryMb) => {
    const perSecond = batchSize / batchSeconds(memoryMb);
    return {
      part: PART,
      name: `dispatch at ${memoryMb} MB`,
      value: perSecond,
      unit: 'records/s',
      note: `${(perSecond / RECORDS_PER_EMAIL).toFixed(0)} emails/s; per batch of ${batchSize} ${best.cpuMs.toFixed(1)} ms of CPU and ${best.calls.toFixed(1)} calls, ${best.waits} one after the other`,
    };
  });
}
