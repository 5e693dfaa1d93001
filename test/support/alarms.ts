import { WORKERS } from '../../functions/workers.ts';
import { buildApp } from '../../infra/aws/build-app.ts';
import { type AlarmRow, alarmsOf } from '../../infra/aws/observability/alarms.ts';
import type { MetricRow } from '../../infra/aws/observability/metric-rows.ts';
import { queuesOf } from '../../infra/aws/triggers/queue-address.ts';
import { replace } from '../../shared/runtime/dependency.ts';
import { metricsOutput } from '../../shared/runtime/metrics.ts';

/** A value of a metric; its subject is a channel, a queue or a function. */
type Value = { name: string; atMs: number; subject?: string; value: number };
/** A change of an alarm's state. */
type AlarmChange = { name: string; atMs: number; isFiring: boolean };

/** The alarms of a production stage over simulated time, as CloudWatch evaluates them. */
export type Alarms = {
  rows: readonly AlarmRow[];
  history: AlarmChange[];
  /** The service writes its own metrics itself; AWS's metrics are recorded here. */
  record(name: string, value: number, subject?: string): void;
  /** Evaluates the alarms at the end of a minute. */
  evaluate(): void;
};

/** Longer than the periods of any alarm. */
const KEPT_MS = 7_200_000;
const NAMESPACE = 'notifications/prod';

/** Reads the lines of the functions' metrics from now on. */
export function watchAlarms(now: () => number): Alarms {
  process.env.METRICS_NAMESPACE = NAMESPACE;
  const rows = productionAlarms();
  let values: Value[] = [];
  // What AWS measures and the test does not record is not known here.
  const known = new Set<string>();
  const firing = new Set<string>();
  const alarms: Alarms = {
    rows,
    history: [],
    record(name, value, subject) {
      known.add(name);
      values.push({ name, value, atMs: now(), ...(subject === undefined ? {} : { subject }) });
    },
    evaluate() {
      const atMs = now();
      values = values.filter((each) => each.atMs > atMs - KEPT_MS);
      for (const row of rows) {
        const isKnown = Object.values(row.metrics).some(
          ({ namespace, metric }) => namespace === NAMESPACE || known.has(metric),
        );
        const isFiring = isKnown && isOver(row, values, atMs);
        if (isFiring === firing.has(row.name)) continue;
        firing[isFiring ? 'add' : 'delete'](row.name);
        alarms.history.push({ name: row.name, atMs, isFiring });
      }
    },
  };
  replace(metricsOutput, () => (line) => {
    const { _aws, ...rest } = JSON.parse(line);
    for (const { Dimensions, Metrics } of _aws.CloudWatchMetrics)
      for (const { Name } of Metrics) {
        const subject = Dimensions[0].map((name: string) => rest[name]).join(' ');
        alarms.record(Name, rest[Name], subject || undefined);
      }
  });
  return alarms;
}

let made: AlarmRow[] | undefined;

function productionAlarms(): AlarmRow[] {
  if (made) return made;
  const context = { stage: 'prod', alarmAddress: 'oncall@example.com' };
  const { platform } = buildApp({ routes: [], workers: [], context, codeFolderOf: () => '' });
  const deadLetters = [...queuesOf(WORKERS).keys()].map((name) => ({ name, queueName: `${name}-dead` }));
  made = alarmsOf({ platform, workers: WORKERS, deadLetters });
  return made;
}

function isOver(row: AlarmRow, values: readonly Value[], nowMs: number): boolean {
  return Array.from({ length: row.periods }, (_, index) => nowMs - index * row.periodSeconds * 1000).every(
    (endMs) => {
      const value = measuredIn(row, values, endMs);
      if (value === undefined) return false;
      return row.isFloor ? value <= row.threshold : value >= row.threshold;
    },
  );
}

/** CloudWatch's functions, as far as the alarms use them. */
const FUNCTIONS = {
  IF: (condition: boolean, yes: number, no: number) => (condition ? yes : no),
  FILL: (value: number | undefined, nothing: number) => value ?? nothing,
  // Queues without messages report nothing.
  MAX: (list: (number | undefined)[]) => Math.max(...list.filter((each) => each !== undefined)),
  SERVICE_QUOTA: () => 1000,
};

const STATISTICS: Readonly<Record<string, (list: number[]) => number>> = {
  Sum: (list) => list.reduce((sum, value) => sum + value, 0),
  Maximum: (list) => Math.max(...list),
  SampleCount: (list) => list.length,
  p99: (list) => list.sort((left, right) => left - right)[Math.ceil(0.99 * list.length) - 1] ?? 0,
};

/** There is one API. */
export const subjectOf = ({ namespace, dimensions }: MetricRow): string | undefined =>
  namespace === 'AWS/ApiGateway' ? undefined : Object.values(dimensions).join(' ') || undefined;

/** The value of an alarm in a period; undefined without data. */
function measuredIn(
  { metrics, expression, periodSeconds }: AlarmRow,
  values: readonly Value[],
  endMs: number,
): number | undefined {
  const read = Object.entries(metrics).map(([id, row]) => {
    const { metric, statistic } = row;
    const subject = subjectOf(row);
    const inPeriod = values
      .filter((each) => each.name === metric && each.subject === subject)
      .filter(({ atMs }) => atMs > endMs - periodSeconds * 1000 && atMs <= endMs)
      .map(({ value }) => value);
    return [id, inPeriod.length === 0 ? undefined : STATISTICS[statistic]?.(inPeriod)] as const;
  });
  const known = Object.fromEntries(read);
  if (!expression) return read[0]?.[1];
  const compute = new Function(...Object.keys(FUNCTIONS), ...Object.keys(known), `return ${expression}`);
  const value = compute(...Object.values(FUNCTIONS), ...Object.values(known));
  return Number.isFinite(value) ? value : undefined;
}
