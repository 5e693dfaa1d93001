import { TABLE } from '../../../shared/database/table.ts';
import type { Worker } from '../../../shared/http/rows/worker.ts';
import type { Platform } from '../platform.ts';
import { queueNameOf, queuesOf } from '../triggers/queue-address.ts';
import { usesSes } from '../triggers/used-sources.ts';
import { type Line, type MetricRow, type MetricRows, metricRowsOf } from './metric-rows.ts';

/** List prices of us-east-1 in dollars per million, or per million GB-seconds. */
const PRICE = {
  httpRequest: 1,
  invocation: 0.2,
  gbSecond: 13.33,
  writeUnit: 0.625,
  readUnit: 0.125,
  queueRequest: 0.5,
  email: 100,
} as const;
const MILLION = 1_000_000;
/** Sent, received, deleted. */
const REQUESTS_PER_MESSAGE = 3;

/** The cost of the deployment, from AWS metrics; storage, logs and external providers are not included. */
export function costsOf(platform: Platform, workers: readonly Worker[]): Line[] {
  const rows = metricRowsOf(platform);
  return [
    priced(
      'API',
      { requests: rows.http('Count', 'Sum') },
      `requests * ${decimal(PRICE.httpRequest / MILLION)}`,
    ),
    functions(platform, rows, workers),
    table(rows),
    queues(platform, rows, workers),
    ...(!usesSes(platform.parameters)
      ? []
      : [
          priced(
            'SES',
            { emails: rows.own('Sent', 'Sum', 'EMAIL') },
            `emails * ${decimal(PRICE.email / MILLION)}`,
          ),
        ]),
    priced(
      'SMS and calls',
      { texts: rows.own('PhoneCost', 'Sum', 'SMS'), calls: rows.own('PhoneCost', 'Sum', 'CALL') },
      'FILL(texts, 0) + FILL(calls, 0)',
    ),
  ];
}

function priced(label: string, over: Readonly<Record<string, MetricRow>>, expression: string): Line {
  return { label, expression, over };
}

/** The workers and `send`, which do nearly all of the work. */
function functions(platform: Platform, rows: MetricRows, workers: readonly Worker[]): Line {
  const { apiMemoryMb, memoryMb } = platform.parameters;
  const measured = [
    { id: 'send', memory: memoryMb.send ?? apiMemoryMb },
    ...workers.map((worker) => ({ id: worker.name, memory: memoryMb[worker.name] ?? worker.memoryMb })),
  ];
  const over: Record<string, MetricRow> = {};
  const terms = measured.map(({ id, memory }, index) => {
    over[`runs${index}`] = rows.lambda('Invocations', 'Sum', id);
    over[`time${index}`] = rows.lambda('Duration', 'Sum', id);
    const perMs = (memory / 1024 / 1000) * (PRICE.gbSecond / MILLION);
    const perRun = PRICE.invocation / MILLION;
    return `FILL(runs${index}, 0) * ${decimal(perRun)} + FILL(time${index}, 0) * ${decimal(perMs)}`;
  });
  return priced('Functions', over, terms.join(' + '));
}

function table(rows: MetricRows): Line {
  const over: Record<string, MetricRow> = {};
  const terms = [undefined, ...Object.keys(TABLE.indexes)].map((index) => {
    const [writes, reads] = [`writes${index ?? ''}`, `reads${index ?? ''}`];
    over[writes] = rows.table('ConsumedWriteCapacityUnits', 'Sum', index);
    over[reads] = rows.table('ConsumedReadCapacityUnits', 'Sum', index);
    const [perWrite, perRead] = [PRICE.writeUnit / MILLION, PRICE.readUnit / MILLION];
    return `FILL(${writes}, 0) * ${decimal(perWrite)} + FILL(${reads}, 0) * ${decimal(perRead)}`;
  });
  return priced('Table', over, terms.join(' + '));
}

function queues(platform: Platform, rows: MetricRows, workers: readonly Worker[]): Line {
  const over: Record<string, MetricRow> = {};
  const terms = [...queuesOf(workers).values()].map((queue, index) => {
    over[`sent${index}`] = rows.queue('NumberOfMessagesSent', 'Sum', queueNameOf(platform, queue));
    return `FILL(sent${index}, 0)`;
  });
  const perMessage = (REQUESTS_PER_MESSAGE * PRICE.queueRequest) / MILLION;
  return priced('Queues', over, `(${terms.join(' + ')}) * ${decimal(perMessage)}`);
}

/** Expressions do not support exponents. */
const decimal = (value: number) => value.toFixed(15).replace(/(?<!0)0+$/, '');
