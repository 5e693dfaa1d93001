import { TABLE } from '../../../shared/database/table.ts';
import type { Worker } from '../../../shared/http/rows/worker.ts';
import {
  CHANNEL_QUEUES,
  DUE_QUEUE,
  FOLLOW_UP_QUEUE,
  TEXT_ANSWER_QUEUE,
  WEBHOOK_QUEUE,
} from '../../../shared/messaging/queue-names.ts';
import {
  ORDERED_CHANNELS,
  type OrderedChannel,
  PROVIDER_CHOICES,
  REPORTING_PROVIDERS,
} from '../../../shared/providers/order/provider-order.ts';
import type { MetricName } from '../../../shared/runtime/metrics.ts';
import { CHANNELS, type Channel } from '../../../shared/schemas/channel.ts';
import type { Platform } from '../platform.ts';
import type { DeadLetterQueue } from '../triggers/connection.ts';
import { type QueueRow, queueNameOf, queuesOf } from '../triggers/queue-address.ts';
import { channelsOf } from '../triggers/used-sources.ts';
import { type MetricRow, type MetricRows, metricRowsOf } from './metric-rows.ts';

/** One alarm as data: it fires when its value reaches the threshold in each of the last periods. */
export type AlarmRow = {
  /** Kebab-case; part of the alarm's name. */
  name: string;
  summary: string;
  runbook: string;
  /** The metric, or the metrics in `expression`. */
  metrics: Readonly<Record<string, MetricRow>>;
  expression?: string;
  periodSeconds: number;
  periods: number;
  threshold: number;
  /** Fires at or below the threshold; a single metric also when it has no values. */
  isFloor?: true;
};

export type Watched = {
  platform: Platform;
  workers: readonly Worker[];
  deadLetters: readonly DeadLetterQueue[];
};

const AGE_SECONDS = 900;
/** Two minutes: what harms every message must not wait. */
const SOON = { periodSeconds: 60, periods: 2 } as const;
const CROWDED_QUEUES: readonly string[] = [
  ...Object.values(CHANNEL_QUEUES),
  DUE_QUEUE,
  FOLLOW_UP_QUEUE,
  WEBHOOK_QUEUE,
];
/** Five sixths of what SQS allows. */
const IN_FLIGHT_MAX = 100_000;
/**
 * Workers that postpone a message for up to an hour, because a provider or a receiver must be called again.
 */
const PATIENT_QUEUES: readonly string[] = [
  ...Object.values(CHANNEL_QUEUES),
  FOLLOW_UP_QUEUE,
  TEXT_ANSWER_QUEUE,
  WEBHOOK_QUEUE,
];
const PATIENT_AGE_SECONDS = 5400;
/** Four fifths of where SES puts an account under review (5 % and 0.1 %). */
const BOUNCE_RATE = 0.04;
const COMPLAINT_RATE = 0.0008;

type Rest = Pick<AlarmRow, 'metrics' | 'periods' | 'threshold'> & Partial<AlarmRow>;

/** An alarm over five-minute periods whose section of the runbook has its name, unless `rest` says otherwise. */
const alarm = (name: string, summary: string, rest: Rest): AlarmRow => ({
  ...{ name, summary, runbook: name, periodSeconds: 300 },
  ...rest,
});

export function alarmsOf({ platform, workers, deadLetters }: Watched): AlarmRow[] {
  const rows = metricRowsOf(platform);
  const dead = new Set(deadLetters.map(({ queueName }) => queueName));
  const queues = [...queuesOf(workers).values()].filter((queue) => !dead.has(queueNameOf(platform, queue)));
  return [
    ...deadLetters.map((each) => deadLetterAlarm(rows, each)),
    ...queues.map((queue) => ageAlarm(rows, queue, queueNameOf(platform, queue))),
    ...workers.flatMap((worker) => workerAlarms(rows, worker)),
    ...CHANNELS.flatMap((channel) => channelAlarms(rows, channel)),
    ...ORDERED_CHANNELS.map((channel) => breakerAlarm(rows, channel)),
    ...receiptAlarms(rows, platform),
    ...inFlightAlarms(rows, queues, platform),
    messageFaultAlarm(rows),
    ...serviceAlarms(rows),
    tableAlarm(rows),
    ...accountAlarms(rows),
  ];
}

function deadLetterAlarm(rows: MetricRows, { name, queueName }: DeadLetterQueue): AlarmRow {
  return alarm(`${name}-dead-letters`, `Messages of ${name} failed after the last retry.`, {
    runbook: 'dead-letters',
    metrics: { dead: rows.queue('ApproximateNumberOfMessagesVisible', 'Maximum', queueName) },
    periods: 1,
    threshold: 1,
  });
}

function ageAlarm(rows: MetricRows, { name }: QueueRow, queueName: string): AlarmRow {
  return alarm(`${name}-oldest-message`, `Messages of ${name} are late.`, {
    runbook: 'oldest-message',
    metrics: { age: rows.queue('ApproximateAgeOfOldestMessage', 'Maximum', queueName) },
    periods: 2,
    threshold: PATIENT_QUEUES.includes(name) ? PATIENT_AGE_SECONDS : AGE_SECONDS,
  });
}

/**
 * Failures of single messages are returned, not thrown: errors of a worker are faults. Manual workers report
 * to their caller.
 */
function workerAlarms(rows: MetricRows, { name, trigger }: Worker): AlarmRow[] {
  if (trigger.kind === 'manual') return [];
  const errors = alarm(`${name}-errors`, `${name} fails with errors.`, {
    runbook: 'worker-errors',
    metrics: { errors: rows.lambda('Errors', 'Sum', name) },
    periods: 1,
    threshold: 3,
  });
  const behind = alarm(
    `${name}-stream-age`,
    `${name} is behind the table's stream, which keeps records for 24 hours.`,
    {
      runbook: 'stream-age',
      metrics: { ageMs: rows.lambda('IteratorAge', 'Maximum', name) },
      periodSeconds: 60,
      periods: 5,
      threshold: 60_000,
    },
  );
  const stopped = alarm(`${name}-stopped`, `${name} has not run for five minutes.`, {
    runbook: 'sweep-stopped',
    metrics: { runs: rows.lambda('Invocations', 'Sum', name) },
    periods: 1,
    threshold: 0,
    isFloor: true,
  });
  return [
    errors,
    ...(trigger.kind === 'stream' ? [behind] : []),
    ...(trigger.kind !== 'stream' && name === 'sweep' ? [stopped] : []),
  ];
}

function channelAlarms(rows: MetricRows, channel: Channel): AlarmRow[] {
  const name = CHANNEL_QUEUES[channel];
  return [
    // At least 20 % of the attempts, and at least five of them.
    alarm(`${name}-provider-failures`, `The provider of ${channel} fails or rejects messages.`, {
      runbook: 'provider-failures',
      metrics: {
        failures: rows.own('ProviderFailure', 'Sum', channel),
        attempts: rows.own('ProviderFailure', 'SampleCount', channel),
      },
      expression: '100 * failures / IF(attempts > 25, attempts, 25)',
      ...SOON,
      threshold: 20,
    }),
    // At least a fifth of what was accepted in each of two minutes, and at least five.
    alarm(`${name}-failed`, `Many messages of ${channel} fail, for any reason.`, {
      runbook: 'failed',
      metrics: { failed: rows.own('Failed', 'Sum', channel), accepted: rows.own('Accepted', 'Sum', channel) },
      expression: '100 * failed / IF(FILL(accepted, 0) > 25, accepted, 25)',
      ...SOON,
      threshold: 20,
    }),
    alarm(
      `${name}-latency`,
      `One of a hundred messages of ${channel} reaches its provider after more than five minutes.`,
      {
        runbook: 'latency',
        metrics: { latencyMs: rows.own('SendLatency', 'p99', channel) },
        periods: 3,
        threshold: 300_000,
      },
    ),
  ];
}

/** For channels whose providers have an order, the deployment's or an account's own. */
function breakerAlarm(rows: MetricRows, channel: OrderedChannel): AlarmRow {
  const summary = `A provider of ${channel} gets no messages: the next in the order has taken over.`;
  return alarm(`${CHANNEL_QUEUES[channel]}-breaker-opened`, summary, {
    runbook: 'breaker-opened',
    metrics: { opened: rows.own('BreakerOpened', 'Sum', channel) },
    periods: 1,
    threshold: 1,
  });
}

/** For each provider that reports, since accounts may use any of them. Sandboxes need no alarm. */
function receiptAlarms(rows: MetricRows, { parameters }: Platform): AlarmRow[] {
  const reporting = REPORTING_PROVIDERS.filter(
    (provider) => provider !== 'sandbox' && (provider !== 'ses' || parameters.emailReceipts === 'all'),
  );
  const on = channelsOf(parameters);
  return ORDERED_CHANNELS.filter((channel) => on.includes(channel)).flatMap((channel) => {
    const choices: readonly string[] = PROVIDER_CHOICES[channel];
    return reporting
      .filter((provider) => choices.includes(provider))
      .map((provider) => receiptAlarm(rows, channel, provider));
  });
}

/** Less than a twentieth of at least a hundred: they arrive within minutes. */
function receiptAlarm(rows: MetricRows, channel: OrderedChannel, provider: string): AlarmRow {
  const own = (metric: MetricName) => rows.own(metric, 'Sum', channel, provider);
  const summary = `Receipts of ${provider} for ${channel} have stopped arriving.`;
  return alarm(`${CHANNEL_QUEUES[channel]}-${provider}-receipts`, summary, {
    runbook: 'receipts',
    metrics: { receipts: own('Receipt'), sent: own('Sent') },
    expression: 'IF(sent > 100, 100 * FILL(receipts, 0) / sent, 100)',
    periodSeconds: 900,
    periods: 2,
    threshold: 5,
    isFloor: true,
  });
}

/** At least 2 % of what was accepted in each of two minutes, and at least two. */
function messageFaultAlarm(rows: MetricRows): AlarmRow {
  const accepted = CHANNELS.map(
    (channel) => [channel.toLowerCase(), rows.own('Accepted', 'Sum', channel)] as const,
  );
  const sum = accepted.map(([id]) => `FILL(${id}, 0)`).join(' + ');
  return alarm('message-faults', 'Workers fail on messages.', {
    metrics: { faults: rows.own('MessageFault', 'Sum'), ...Object.fromEntries(accepted) },
    expression: `100 * faults / IF(${sum} > 100, ${sum}, 100)`,
    ...SOON,
    threshold: 2,
  });
}

/** An alarm reads ten metrics: the queues that hold most messages for longest. */
function inFlightAlarms(rows: MetricRows, queues: readonly QueueRow[], platform: Platform): AlarmRow[] {
  const watched = queues.filter(({ name }) => CROWDED_QUEUES.includes(name));
  const metrics = watched.map(
    (queue) =>
      [
        camelOf(queue.name),
        rows.queue('ApproximateNumberOfMessagesNotVisible', 'Maximum', queueNameOf(platform, queue)),
      ] as const,
  );
  if (metrics.length === 0) return [];
  return [
    alarm('in-flight', 'A queue has almost as many messages in flight as SQS allows.', {
      metrics: Object.fromEntries(metrics),
      expression: `MAX([${metrics.map(([id]) => id).join(', ')}])`,
      periods: 1,
      threshold: IN_FLIGHT_MAX,
    }),
  ];
}

const camelOf = (name: string) => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

function serviceAlarms(rows: MetricRows): AlarmRow[] {
  return [
    // At least 1 % of the requests in each of two minutes, and at least two.
    alarm('endpoint-faults', 'Endpoints respond with 500.', {
      metrics: { faults: rows.own('EndpointFault', 'Sum'), requests: rows.http('Count', 'Sum') },
      expression: '100 * faults / IF(FILL(requests, 0) > 200, requests, 200)',
      ...SOON,
      threshold: 1,
    }),
    // At least 1 % of the requests, and at least five of them.
    alarm('api-errors', 'The API returns 5xx.', {
      metrics: { errors: rows.http('5xx', 'Sum'), requests: rows.http('Count', 'Sum') },
      expression: '100 * errors / IF(requests > 500, requests, 500)',
      periods: 1,
      threshold: 1,
    }),
    alarm('webhook-rests', 'Many webhooks do not respond.', {
      metrics: { rests: rows.own('WebhookRest', 'Sum') },
      periods: 3,
      threshold: 10,
    }),
    // The worker that counts these two has stopped them already.
    alarm('cost-stop', 'The sending of an account was stopped: its day costs far more than the usual.', {
      metrics: { stops: rows.own('CostStop', 'Sum') },
      periods: 1,
      threshold: 1,
    }),
    alarm('webhook-loop', 'A webhook and the sends that it causes are a loop.', {
      metrics: { loops: rows.own('WebhookLoop', 'Sum') },
      periods: 1,
      threshold: 1,
    }),
    alarm('due-lag', 'Scheduled notifications and digests are late.', {
      metrics: { lagMs: rows.own('DueLag', 'Maximum') },
      periods: 2,
      threshold: 120_000,
    }),
  ];
}

/** At least 1 % of the units used: rare collisions in a partition are normal at high rates (docs/scale.md). */
function tableAlarm(rows: MetricRows): AlarmRow {
  const parts = [undefined, ...Object.keys(TABLE.indexes)];
  const throttled = parts.flatMap((index) => [
    [`reads${index ?? ''}`, rows.table('ReadThrottleEvents', 'Sum', index)] as const,
    [`writes${index ?? ''}`, rows.table('WriteThrottleEvents', 'Sum', index)] as const,
  ]);
  const used = {
    readunits: rows.table('ConsumedReadCapacityUnits', 'Sum'),
    writeunits: rows.table('ConsumedWriteCapacityUnits', 'Sum'),
  };
  const sum = Object.keys(used)
    .map((id) => `FILL(${id}, 0)`)
    .join(' + ');
  return alarm('table-throttles', 'The table throttles reads or writes.', {
    metrics: { ...Object.fromEntries(throttled), ...used },
    expression: `100 * (${throttled.map(([id]) => `FILL(${id}, 0)`).join(' + ')}) / IF(${sum} > 1000, ${sum}, 1000)`,
    periods: 2,
    threshold: 1,
  });
}

/** Of the AWS account: its functions, and what SES reviews it by. */
function accountAlarms(rows: MetricRows): AlarmRow[] {
  const hourly = { periodSeconds: 3600, periods: 1 };
  return [
    alarm('concurrency', 'Functions use most of the concurrency of the AWS account.', {
      metrics: { used: rows.usage('ConcurrentExecutions') },
      expression: '100 * used / SERVICE_QUOTA(used)',
      periods: 1,
      threshold: 80,
    }),
    alarm('function-throttles', 'Functions are throttled because too many are running.', {
      metrics: { throttles: rows.lambdaAccount('Throttles', 'Sum') },
      periods: 2,
      threshold: 1,
    }),
    alarm('recursion', 'Lambda dropped messages because it took their way for a loop.', {
      metrics: { dropped: rows.lambdaAccount('RecursiveInvocationsDropped', 'Sum') },
      periods: 1,
      threshold: 1,
    }),
    alarm('bounce-rate', 'Email bounces so often that SES may stop sending.', {
      metrics: { rate: rows.ses('Reputation.BounceRate', 'Maximum') },
      ...hourly,
      threshold: BOUNCE_RATE,
    }),
    alarm('complaint-rate', 'Recipients complain so often that SES may stop sending.', {
      metrics: { rate: rows.ses('Reputation.ComplaintRate', 'Maximum') },
      ...hourly,
      threshold: COMPLAINT_RATE,
    }),
  ];
}
