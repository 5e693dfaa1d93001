import * as v from 'valibot';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { getStatusRoute } from '../../../../functions/health/routes.ts';
import { deliverMeasured } from '../../../../functions/workers/delivery/measured.ts';
import { WORKERS } from '../../../../functions/workers.ts';
import { buildApp } from '../../../../infra/aws/build-app.ts';
import { type AlarmRow, alarmsOf } from '../../../../infra/aws/observability/alarms.ts';
import type { StoredLogHead } from '../../../../shared/database/entities/log-head.ts';
import { endpoint } from '../../../../shared/http/endpoint.ts';
import { queueWorker } from '../../../../shared/http/queue-worker.ts';
import { clock, replace } from '../../../../shared/runtime/dependency.ts';
import { type MetricName, metricsOutput, recordMetrics } from '../../../../shared/runtime/metrics.ts';
import { sqsEvent } from '../../../support/workers.ts';

const MINUTE_MS = 60_000;
const startMs = 1_790_000_000_000 - (1_790_000_000_000 % (15 * MINUTE_MS));
let nowMs: number;
let rows: AlarmRow[];
let values: { name: string; atMs: number; channel?: string; value: number }[];

beforeAll(() => {
  process.env.METRICS_NAMESPACE = 'notifications/prod';
  const context = { stage: 'prod', alarmAddress: 'oncall@example.com' };
  const { platform } = buildApp({ routes: [], workers: [], context, codeFolderOf: () => '' });
  rows = alarmsOf({ platform, workers: WORKERS, deadLetters: [] });
});
beforeEach(() => {
  nowMs = startMs;
  values = [];
  replace(clock, () => ({ now: () => nowMs }));
  // As CloudWatch reads the lines: each metric of each line, by channel.
  replace(metricsOutput, () => (line) => {
    const { _aws, channel, ...rest } = JSON.parse(line);
    const byChannel = _aws.CloudWatchMetrics[0].Dimensions[0].includes('channel') ? { channel } : {};
    for (const { Name: name } of _aws.CloudWatchMetrics[0].Metrics)
      values.push({ name, atMs: _aws.Timestamp, value: rest[name], ...byChannel });
  });
});

const FUNCTIONS = {
  IF: (condition: boolean, yes: number, no: number) => (condition ? yes : no),
  FILL: (value: number | undefined, nothing: number) => value ?? nothing,
  MAX: (list: number[]) => Math.max(...list),
  SERVICE_QUOTA: () => 1000,
};

/** The value of an alarm in a period; undefined without data. Of AWS's metrics, only the requests are known. */
function measuredIn({ metrics, expression, periodSeconds }: AlarmRow, endMs: number): number | undefined {
  const read = Object.entries(metrics).map(([id, { metric, dimensions, statistic }]) => {
    const channel = dimensions.channel;
    const inPeriod = values.filter(
      (each) =>
        each.name === (metric === 'Count' ? 'Requests' : metric) &&
        each.channel === channel &&
        each.atMs > endMs - periodSeconds * 1000 &&
        each.atMs <= endMs,
    );
    if (inPeriod.length === 0) return [id, undefined] as const;
    if (statistic === 'SampleCount') return [id, inPeriod.length] as const;
    return [id, inPeriod.reduce((sum, { value }) => sum + value, 0)] as const;
  });
  const known = Object.fromEntries(read);
  if (!expression) return read[0]?.[1];
  const compute = new Function(...Object.keys(FUNCTIONS), ...Object.keys(known), `return ${expression}`);
  const value = compute(...Object.values(FUNCTIONS), ...Object.values(known));
  return Number.isFinite(value) ? value : undefined;
}

/** The minutes after which each alarm on the functions' own metrics fires, while `minute` repeats. */
async function firing(minute: () => Promise<void>, minutes = 6): Promise<Record<string, number>> {
  const fired: Record<string, number> = {};
  const own = rows.filter(({ metrics }) =>
    Object.values(metrics).some(({ namespace }) => namespace === 'notifications/prod'),
  );
  for (let count = 1; count <= minutes; count += 1) {
    nowMs = startMs + count * MINUTE_MS - 1000;
    await minute();
    nowMs = startMs + count * MINUTE_MS;
    for (const row of own.filter(({ name }) => fired[name] === undefined)) {
      const ends = Array.from(
        { length: row.periods },
        (_, index) => nowMs - index * row.periodSeconds * 1000,
      );
      const isOver = ends.every((endMs) => {
        const value = measuredIn(row, endMs);
        if (value === undefined) return false;
        return row.isFloor ? value <= row.threshold : value >= row.threshold;
      });
      if (isOver) fired[row.name] = count;
    }
  }
  return fired;
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
    values.push({ name: 'Requests', atMs: nowMs, value: PER_MINUTE });
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
