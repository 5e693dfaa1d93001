import { findSetting } from './config.ts';
import { clock, type Dependency, dependency, resolve } from './dependency.ts';

/** Every metric of the service with its unit, in CloudWatch's words. */
export const METRICS = {
  /**
   * Channels of notifications that were accepted, or made ready at their due time: to be sent or collected.
   */
  Accepted: 'Count',
  Sent: 'Count',
  Delivered: 'Count',
  Failed: 'Count',
  /** Final reports of a provider about a message that it had accepted. */
  Receipt: 'Count',
  /**
   * One value per attempt: 1 if the provider failed it, 0 if it responded. The average is the failure rate.
   */
  ProviderFailure: 'Count',
  /** Messages that a provider certainly did not accept, so that the next in the order was tried. */
  ProviderSkipped: 'Count',
  /** Times that a provider was skipped after consecutive failures. */
  BreakerOpened: 'Count',
  /** From accepted, or made ready, to the provider's acceptance. */
  SendLatency: 'Milliseconds',
  /** From the due time of scheduled work until it was made ready. */
  DueLag: 'Milliseconds',
  /** Times that a webhook began to rest, because its calls went unanswered. */
  WebhookRest: 'Count',
  /** Messages and records of a worker that failed because of a fault of this service. Lambda counts none of them as an error. */
  MessageFault: 'Count',
  /** Requests that an endpoint responded to with 500, which Lambda does not count as errors. */
  EndpointFault: 'Count',
  /** Accounts whose sending was stopped, because the day costs far more than the usual. */
  CostStop: 'Count',
  /** Loops found of a webhook and the sends that it causes. */
  WebhookLoop: 'Count',
  /** Dollars that carriers reported as the price of text messages and calls. */
  PhoneCost: 'None',
} as const;
export type MetricName = keyof typeof METRICS;

/** Metrics of which alarms need the provider, too. Each provider in use costs one more of each. */
const PER_PROVIDER: readonly MetricName[] = ['Sent', 'Receipt'];

/** The possible fields of a metrics line in addition to its values: no recipient and no content. */
export type MetricLabels = {
  /** A dimension: each name is paid for once per channel. */
  channel?: string;
  /** Of faults, which are also counted per worker or endpoint. */
  operation?: string;
  /** A dimension of `PER_PROVIDER`; otherwise, like the code, a property for searching the log, which costs nothing. */
  provider?: string;
  code?: string;
};

/** Receives a line of metrics: the function's standard output, which CloudWatch reads. */
export const metricsOutput: Dependency<(line: string) => void> = dependency('metricsOutput', () => (line) => {
  process.stdout.write(`${line}\n`);
});

/**
 * Writes values in CloudWatch's embedded metric format: one log line, no call. Does nothing without `METRICS_NAMESPACE`,
 * as in the local run.
 */
export function recordMetrics(
  values: Partial<Record<MetricName, number>>,
  { channel, operation, provider, code }: MetricLabels = {},
): void {
  const namespace = findSetting('METRICS_NAMESPACE');
  const names = Object.keys(METRICS).filter((name): name is MetricName => Object.hasOwn(values, name));
  if (!namespace || names.length === 0) return;
  const directive = (Dimensions: string[][], list: readonly MetricName[]) => ({
    Namespace: namespace,
    Dimensions,
    Metrics: list.map((name) => ({ Name: name, Unit: METRICS[name] })),
  });
  const line = {
    _aws: {
      Timestamp: resolve(clock).now(),
      CloudWatchMetrics: [
        directive(
          operation ? [[], ['operation']] : [channel ? ['channel'] : []],
          names.filter((name) => name !== 'Receipt'),
        ),
        directive(
          [['channel', 'provider']],
          names.filter((name) => provider && PER_PROVIDER.includes(name)),
        ),
      ].filter(({ Metrics }) => Metrics.length > 0),
    },
    channel,
    operation,
    provider,
    code,
    ...values,
  };
  resolve(metricsOutput)(JSON.stringify(line));
}
