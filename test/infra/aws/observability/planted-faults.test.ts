import * as v from 'valibot';
import { beforeEach, expect, it } from 'vitest';
import { getStatusRoute } from '../../../../functions/health/routes.ts';
import { deliverMeasured } from '../../../../functions/workers/delivery/outcome/measured.ts';
import type { StoredLogHead } from '../../../../shared/database/entities/logs/log-head.ts';
import { endpoint } from '../../../../shared/http/endpoint/endpoint.ts';
import { queueWorker } from '../../../../shared/http/workers/queue-worker.ts';
import { clock, replace } from '../../../../shared/runtime/dependency.ts';
import { type MetricName, recordMetrics } from '../../../../shared/runtime/metrics.ts';
import { type Alarms, watchAlarms } from '../../../support/alarms.ts';
import { sqsEvent } from '../../../support/workers.ts';

const MINUTE_MS = 60_000;
const startMs = 1_790_000_000_000 - (1_790_000_000_000 % (15 * MINUTE_MS));
let nowMs: number;
let alarms: Alarms;

beforeEach(() => {
  nowMs = startMs;
  replace(clock, () => ({ now: () => nowMs }));
  alarms = watchAlarms(() => nowMs);
});

/** The minutes after which each alarm fires, while `minute` repeats. */
async function firing(minute: () => Promise<void>, minutes = 6): Promise<Record<string, number>> {
  for (let count = 1; count <= minutes; count += 1) {
    nowMs = startMs + count * MINUTE_MS - 1000;
    await minute();
    nowMs = startMs + count * MINUTE_MS;
    alarms.evaluate();
  }
  return Object.fromEntries(alarms.history.map(({ name, atMs }) => [name, (atMs - startMs) / MINUTE_MS]));
}

const PER_MINUTE = 200;
const numbers = Array.from({ length: PER_MINUTE }, (_, index) => index);

const worker = (failsFor: (index: number) => boolean) =>
  queueWorker(
    { name: 'deliver-email', body: v.object({ index: v.number() }), failed: 'x' },
    {},
    async ({ body }) => {
      if (failsFor(body.index)) throw new Error('planted');
      return 'done';
    },
  );
const sendAll = async (handler: ReturnType<typeof worker>) => {
  recordMetrics({ Accepted: PER_MINUTE }, { channel: 'EMAIL' });
  await handler(sqsEvent(...numbers.map((index) => ({ body: { index } }))));
};

it('fires for nothing while all is well', async () => {
  expect(await firing(() => sendAll(worker(() => false)))).toEqual({});
});

it('fires two minutes after a release that makes a worker throw for 5 % of the messages', async () => {
  const handler = worker((index) => index % 20 === 0);
  expect(await firing(() => sendAll(handler))).toEqual({ 'message-faults': 2 });
});

it('fires two minutes after an endpoint begins to fail for 5 % of the requests, whose responses are handled', async () => {
  let count = 0;
  const handler = endpoint(getStatusRoute, {}, async () => {
    count += 1;
    if (count % 20 === 0) throw new Error('planted');
    return { message: 'ok' };
  });
  const statuses = new Set<number>();
  const fired = await firing(async () => {
    for (const _ of numbers) statuses.add((await handler({})).statusCode);
    alarms.record('Count', PER_MINUTE);
  });
  expect([...statuses].sort()).toEqual([200, 500]);
  expect(fired).toEqual({ 'endpoint-faults': 2 });
});

it.each([
  ['rejects', { kind: 'rejected', code: 'MESSAGE_REJECTED' }],
  ['does not respond', { kind: 'retry', code: 'UNKNOWN' }],
] as const)('fires two minutes after a provider %s a third of the messages', async (_, failure) => {
  const head = { receivedAtMs: nowMs } as StoredLogHead;
  let calls = 0;
  const provider = {
    name: 'ses',
    deliver: async () => {
      calls += 1;
      return calls % 3 === 0 ? { ...failure, internal: 'no' } : { kind: 'sent', fields: {} };
    },
  };
  const deps = { provider, clock: { now: () => nowMs } } as unknown as Parameters<
    typeof deliverMeasured<'EMAIL'>
  >[1];
  const fired = await firing(async () => {
    const sums: Partial<Record<MetricName, number>> = {
      Accepted: PER_MINUTE,
      Sent: 0,
      Failed: 0,
      Delivered: 0,
    };
    for (const _each of numbers) {
      const { kind } = await deliverMeasured('EMAIL', deps, head, {} as never);
      // As dispatch counts the events of the outcomes.
      const name = kind === 'sent' ? 'Sent' : 'Failed';
      if (kind !== 'retry') sums[name] = (sums[name] ?? 0) + 1;
    }
    recordMetrics(sums, { channel: 'EMAIL' });
  });
  const name = failure.kind === 'retry' ? 'deliver-email-provider-failures' : 'deliver-email-failed';
  expect(fired[name]).toBe(2);
});
