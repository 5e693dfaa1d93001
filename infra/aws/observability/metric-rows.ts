import type { MetricName } from '../../../shared/runtime/metrics.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import { metricsNamespaceOf, nameOf, type Platform } from '../platform.ts';

export type MetricRow = {
  namespace: string;
  metric: string;
  dimensions: Readonly<Record<string, string>>;
  /** `Average`, `Sum`, `p95` and so on. */
  statistic: string;
};

/** A line of a graph: a metric, or an expression over others, which are then not shown. */
export type Line = { label: string } & (
  | { row: MetricRow }
  | { expression: string; over: Readonly<Record<string, MetricRow>> }
);

/** Rows of the metrics that alarms and dashboard share, for one deployment. */
export type MetricRows = ReturnType<typeof metricRowsOf>;

export function metricRowsOf(platform: Platform) {
  const row = (
    namespace: string,
    metric: string,
    statistic: string,
    dimensions: Record<string, string>,
  ): MetricRow => ({ namespace, metric, statistic, dimensions });
  const own = metricsNamespaceOf(platform);
  return {
    /** The functions' own metrics; without `channel`, metrics that have no channel. */
    own: (metric: MetricName, statistic: string, channel?: Channel, provider?: string) =>
      row(own, metric, statistic, defined({ channel, provider })),
    /** All queues and functions of the account in this region share its quota of this usage. */
    usage: (resource: string) =>
      row('AWS/Usage', 'ResourceCount', 'Maximum', {
        ...{ Type: 'Resource', Resource: resource, Service: 'Lambda', Class: 'None' },
      }),
    /** `id` is the route's or worker's. */
    lambda: (metric: string, statistic: string, id: string) =>
      row('AWS/Lambda', metric, statistic, { FunctionName: nameOf(platform, id) }),
    /** All functions of the account in this region: they share its concurrency. */
    lambdaAccount: (metric: string, statistic: string) => row('AWS/Lambda', metric, statistic, {}),
    queue: (metric: string, statistic: string, queueName: string) =>
      row('AWS/SQS', metric, statistic, { QueueName: queueName }),
    http: (metric: string, statistic: string) =>
      row('AWS/ApiGateway', metric, statistic, { ApiId: platform.httpApi.id }),
    table: (metric: string, statistic: string, indexName?: string) =>
      row('AWS/DynamoDB', metric, statistic, {
        TableName: platform.table.name,
        ...defined({ GlobalSecondaryIndexName: indexName || undefined }),
      }),
    /** The metrics that SES reviews the account by. */
    ses: (metric: string, statistic: string) => row('AWS/SES', metric, statistic, {}),
  };
}
