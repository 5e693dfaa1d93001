import { TABLE } from '../../../shared/database/table.ts';
import type { Worker } from '../../../shared/http/rows/worker.ts';
import type { MetricName } from '../../../shared/runtime/metrics.ts';
import { CHANNELS } from '../../../shared/schemas/channel.ts';
import type { Platform } from '../platform.ts';
import { queueNameOf, queuesOf } from '../triggers/queue-address.ts';
import type { Watched } from './alarms.ts';
import { costsOf } from './dashboard-costs.ts';
import { type Line, type MetricRow, type MetricRows, metricRowsOf } from './metric-rows.ts';

/** One graph as data. `total`: one number per line for the whole time shown. */
export type Graph = { title: string; periodSeconds: number; lines: readonly Line[]; view?: 'total' };

const PERIOD_SECONDS = 300;
const COLUMNS = 3;
const GRAPH_WIDTH = 8;
const GRAPH_HEIGHT = 6;

/** The graphs in reading order: volume, speed, failures, costs. */
export function graphsOf({ platform, workers, deadLetters }: Watched): Graph[] {
  const rows = metricRowsOf(platform);
  const graph = (title: string, lines: readonly Line[]): Graph => ({
    title,
    lines,
    periodSeconds: PERIOD_SECONDS,
  });
  return [
    graph('Accepted', perChannel(rows, 'Accepted', 'Sum')),
    graph('Sent', perChannel(rows, 'Sent', 'Sum')),
    graph('Delivered', perChannel(rows, 'Delivered', 'Sum')),
    graph('Failed', perChannel(rows, 'Failed', 'Sum')),
    graph('Provider failures (% of attempts)', failureRates(rows)),
    graph('From accepted to sent, 95th percentile (ms)', perChannel(rows, 'SendLatency', 'p95')),
    graph('From accepted to sent, median (ms)', perChannel(rows, 'SendLatency', 'p50')),
    graph('Behind (ms)', [
      { label: 'stream', row: rows.lambda('IteratorAge', 'Maximum', 'dispatch') },
      { label: 'due work', row: rows.own('DueLag', 'Maximum') },
    ]),
    graph('Oldest message (s)', oldestMessages(platform, rows, workers)),
    graph(
      'Dead letters',
      deadLetters.map(({ name, queueName }) => ({
        label: name,
        row: rows.queue('ApproximateNumberOfMessagesVisible', 'Maximum', queueName),
      })),
    ),
    graph('API requests', [
      { label: 'all', row: rows.http('Count', 'Sum') },
      { label: '4xx', row: rows.http('4xx', 'Sum') },
      { label: '5xx', row: rows.http('5xx', 'Sum') },
    ]),
    graph('API latency (ms)', [
      { label: 'median', row: rows.http('Latency', 'p50') },
      { label: '95 of 100 within', row: rows.http('Latency', 'p95') },
    ]),
    graph('Table throttles', tableThrottles(rows)),
    { title: 'Cost per hour (dollars, estimate)', periodSeconds: 3600, lines: costsOf(platform, workers) },
    {
      title: 'Cost in the selected time range (dollars, estimate)',
      periodSeconds: 3600,
      lines: costsOf(platform, workers),
      view: 'total',
    },
  ];
}

function perChannel(rows: MetricRows, name: MetricName, statistic: string): Line[] {
  return CHANNELS.map((channel) => ({ label: channel, row: rows.own(name, statistic, channel) }));
}

function failureRates(rows: MetricRows): Line[] {
  return CHANNELS.map((channel) => {
    const id = `rate${channel}`;
    const over = { [id]: rows.own('ProviderFailure', 'Average', channel) };
    return { label: channel, expression: `100 * ${id}`, over };
  });
}

function oldestMessages(platform: Platform, rows: MetricRows, workers: readonly Worker[]): Line[] {
  return [...queuesOf(workers).values()].map((queue) => ({
    label: queue.name,
    row: rows.queue('ApproximateAgeOfOldestMessage', 'Maximum', queueNameOf(platform, queue)),
  }));
}

function tableThrottles(rows: MetricRows): Line[] {
  return [undefined, ...Object.keys(TABLE.indexes)].flatMap((index) =>
    ['Read', 'Write'].map((kind) => ({
      label: `${index ?? 'table'} ${kind.toLowerCase()}s`,
      row: rows.table(`${kind}ThrottleEvents`, 'Sum', index),
    })),
  );
}

export function dashboardBody(graphs: readonly Graph[], region: string): object {
  return {
    widgets: graphs.map((graph, index) => ({
      type: 'metric',
      x: (index % COLUMNS) * GRAPH_WIDTH,
      y: Math.floor(index / COLUMNS) * GRAPH_HEIGHT,
      width: GRAPH_WIDTH,
      height: GRAPH_HEIGHT,
      properties: {
        title: graph.title,
        region,
        period: graph.periodSeconds,
        metrics: graph.lines.flatMap((line, at) => metricsOf(line, at)),
        ...(graph.view === 'total'
          ? { view: 'singleValue', setPeriodToTimeRange: true }
          : { view: 'timeSeries', stacked: false }),
      },
    })),
  };
}

function metricsOf(line: Line, at: number): unknown[] {
  if ('row' in line) return [metricOf(line.row, { label: line.label })];
  const { label, expression, over } = line;
  const hidden = Object.entries(over).map(([id, row]) => metricOf(row, { id, visible: false }));
  return [[{ expression, label, id: `line${at}` }], ...hidden];
}

function metricOf({ namespace, metric, dimensions, statistic }: MetricRow, options: object): unknown[] {
  return [namespace, metric, ...Object.entries(dimensions).flat(), { stat: statistic, ...options }];
}
