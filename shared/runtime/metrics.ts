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
  /** Requests to which an endpoint responded with 500, which is no error of Lambda's either. */
  EndpointFault: 'Count',
  /** Accounts whose sending was stopped, because the day costs far more than the usual. */
  CostStop: 'Count',
  /** Loops found of a webhook and the sends that it causes. */
  WebhookLoop: 'Count',
  /** Dollars that carriers reported as the price of text messages and calls. */
  PhoneCost: 'None',
} as const;
export type MetricName = keyof typeof METRICS;

/** The possible fields of a metrics line in addition to its values: no recipient and no content. */
export type MetricLabels = {
  /** A dimension: each name is paid for once per channel. */
  channel?: string;
  /** Of faults, which are also counted per worker or endpoint. */
  operation?: string;
  /** Properties, to be searched for in the log: free, however many values there are. */
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
  const line = {
    _aws: {
      Timestamp: resolve(clock).now(),
      CloudWatchMetrics: [
        {
          Namespace: namespace,
          Dimensions: operation ? [[], ['operation']] : [channel ? ['channel'] : []],
          Metrics: names.map((name) => ({ Name: name, Unit: METRICS[name] })),
        },
      ],
    },
    channel,
    operation,
    provider,
    code,
    ...values,
  };
  resolve(metricsOutput)(JSON.stringify(line));
}
