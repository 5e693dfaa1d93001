import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { WORKERS } from '../../../../functions/workers.ts';
import { buildApp } from '../../../../infra/aws/build-app.ts';
import { type AlarmRow, alarmsOf } from '../../../../infra/aws/observability/alarms.ts';
import { dashboardBody, graphsOf } from '../../../../infra/aws/observability/dashboard.ts';
import { queuesOf } from '../../../../infra/aws/triggers/queue-address.ts';
import { retryDelaySeconds, TRIES_MAX } from '../../../../shared/domain/timing/retry.ts';
import { CHANNEL_QUEUES } from '../../../../shared/messaging/queue-names.ts';
import { METRICS } from '../../../../shared/runtime/metrics.ts';
import { CHANNELS, type Channel } from '../../../../shared/schemas/channel.ts';
import { type Resource, type Synthesized, synthesize, textOf } from '../synthesized.ts';

const RUNBOOK = readFileSync(resolve(import.meta.dirname, '../../../../docs/runbook.md'), 'utf8');
const NAMESPACE = 'notifications/prod';

let all: Synthesized;
let alarms: Resource[];
let rows: AlarmRow[];
let widgets: Widget[];

beforeAll(() => {
  const context = { stage: 'prod', alarmAddress: 'oncall@example.com' };
  const few = { routes: [], workers: [], context };
  all = synthesize(few);
  alarms = all.ofType('AWS::CloudWatch::Alarm');
  const { platform } = buildApp({ ...few, codeFolderOf: () => '' });
  const watched = {
    platform,
    workers: WORKERS,
    deadLetters: [...queuesOf(WORKERS).keys()].map((name) => ({ name, queueName: `${name}-dead` })),
  };
  rows = alarmsOf(watched);
  widgets = JSON.parse(JSON.stringify(dashboardBody(graphsOf(watched), 'eu-central-1'))).widgets;
});

type Widget = {
  x: number;
  y: number;
  properties: { title: string; metrics: (string | { id?: string; expression?: string })[][] };
};

const watching = (name: string) =>
  rows.filter(({ metrics }) => Object.values(metrics).some(({ metric }) => metric === name));
/** The subjects of the alarms on a metric, such as the names of queues. */
const watchedBy = (name: string) =>
  watching(name).map(({ metrics }) => Object.values(Object.values(metrics)[0]?.dimensions ?? {})[0]);

describe('the runbook', () => {
  const sections = [...RUNBOOK.matchAll(/^## ([a-z-]+)$/gm)].map(([, name]) => name);

  it('keeps one section per alarm and no others', () => {
    expect([...sections].sort()).toEqual([...new Set(rows.map(({ runbook }) => runbook))].sort());
  });

  it('names the trigger, causes, checks and fixes of each alarm', () => {
    for (const name of sections) {
      const text = RUNBOOK.split(`\n## ${name}\n`)[1]?.split('\n## ')[0] ?? '';
      for (const part of ['Trigger', 'Likely causes', 'Check', 'Fix'])
        expect(text, name).toContain(`**${part}**`);
    }
  });

  it('names each alarm as the trigger of its section', () => {
    for (const { name, runbook } of rows) {
      const text = RUNBOOK.split(`\n## ${runbook}\n`)[1] ?? '';
      const pattern = /\*\*Trigger\*\*: `([^`]+)`/.exec(text)?.[1] ?? '';
      expect(name, runbook).toMatch(new RegExp(`^${pattern.replaceAll(/<[^>]+>/g, '.+')}$`));
    }
  });

  it('states the cost of the alarms, rounded up', () => {
    const dollars = rows.reduce((sum, { metrics }) => sum + Object.keys(metrics).length, 0) * 0.1;
    const stated = Number(/All alarms cost less than \$(\d+) per month/.exec(RUNBOOK)?.[1]);
    expect(stated).toBeGreaterThanOrEqual(dollars);
    expect(stated).toBeLessThan(1.3 * dollars);
  });
});

describe('alarms', () => {
  it('watch the age of the oldest message of every queue', () => {
    const queues = [...queuesOf(WORKERS).values()].map(
      ({ name, isFifo }) => `notifications-prod-${name}${isFifo ? '.fifo' : ''}`,
    );
    expect(watchedBy('ApproximateAgeOfOldestMessage').sort()).toEqual(queues.sort());
  });

  it('wait longer than the retries where messages are postponed for a retry', () => {
    const triesSeconds = (channel: Channel) =>
      Array.from({ length: TRIES_MAX[channel] - 1 }, (_, index) =>
        retryDelaySeconds(index + 1, undefined, 1),
      ).reduce((sum, seconds) => sum + seconds, 0);
    const thresholdOf = (queue: string) =>
      rows.find(({ name }) => name === `${queue}-oldest-message`)?.threshold;
    for (const channel of CHANNELS)
      expect(thresholdOf(CHANNEL_QUEUES[channel]), channel).toBeGreaterThan(triesSeconds(channel));
    expect(thresholdOf('make-ready')).toBe(900);
  });

  it('watch the errors of every worker that is not invoked manually', () => {
    const workers = WORKERS.filter(({ trigger }) => trigger.kind !== 'manual').map(
      ({ name }) => `notifications-prod-${name}`,
    );
    expect(watchedBy('Errors').sort()).toEqual(workers.sort());
  });

  it('watch the failure rate of every channel’s provider', () => {
    expect(watchedBy('ProviderFailure').sort()).toEqual([...CHANNELS].sort());
  });

  it.each(['IteratorAge', '5xx', 'Throttles', 'DueLag', 'WriteThrottleEvents'])('watch %s', (name) => {
    expect(watching(name)).toHaveLength(1);
  });

  it('fire before SES puts the account under review', () => {
    const thresholds = ['Reputation.BounceRate', 'Reputation.ComplaintRate'].map(
      (name) => watching(name)[0]?.threshold,
    );
    expect(thresholds[0]).toBeLessThan(0.05);
    expect(thresholds[1]).toBeLessThan(0.001);
  });

  it('fire when the sweeper does not run at all', () => {
    expect(watching('Invocations')).toMatchObject([{ isFloor: true, threshold: 0 }]);
  });

  it('fire without values for the sweeper only: a quiet night is no failure', () => {
    const silent = rows.filter(({ isFloor, expression }) => isFloor && expression === undefined);
    expect(silent.map(({ name }) => name)).toEqual(['sweep-stopped']);
    // These templates have no workers.
    const breaching = alarms.filter(({ properties }) => properties.TreatMissingData !== 'notBreaching');
    expect(breaching.map(({ properties }) => properties.AlarmName)).toEqual([]);
  });

  it('read only metrics that the functions write', () => {
    const own = rows.flatMap(({ metrics }) =>
      Object.values(metrics).filter(({ namespace }) => namespace === NAMESPACE),
    );
    expect(own.length).toBeGreaterThan(CHANNELS.length);
    for (const { metric } of own) expect(METRICS).toHaveProperty(metric);
  });

  it('name each of their metrics in their expression', () => {
    const computed = rows.filter(({ expression }) => expression !== undefined);
    expect(computed.length).toBeGreaterThan(CHANNELS.length);
    for (const { name, metrics, expression } of computed)
      expect(new Set(expression?.match(/\b[a-z]\w*/g)), name).toEqual(new Set(Object.keys(metrics)));
  });

  it('have one metric when they have no expression', () => {
    for (const { name, metrics, expression } of rows)
      if (expression === undefined) expect(Object.keys(metrics), name).toHaveLength(1);
  });

  it('become CloudWatch alarms that notify when they fire and when they end', () => {
    expect(alarms.length).toBeGreaterThan(CHANNELS.length);
    for (const { id, properties } of alarms) {
      expect(textOf(properties.AlarmActions[0]), id).toMatch(/^<Alarms/);
      expect(properties.OKActions, id).toEqual(properties.AlarmActions);
      expect(properties.AlarmDescription, id).toMatch(/section [a-z-]+\.$/);
    }
    // CloudWatch refuses a percentile as `Statistic`.
    const statistics = ['Average', 'Maximum', 'Minimum', 'SampleCount', 'Sum'];
    for (const { id, properties } of alarms)
      if (!properties.Metrics)
        expect(
          statistics.includes(properties.Statistic) || /^p\d+$/.test(properties.ExtendedStatistic),
          id,
        ).toBe(true);
    const named = (name: string) =>
      alarms.find(({ properties }) => properties.AlarmName === `notifications-prod-${name}`)?.properties;
    expect(named('failed-invocations-dead-letters')).toMatchObject({
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Dimensions: [{ Name: 'QueueName', Value: 'notifications-prod-failed-invocations' }],
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
      Threshold: 1,
    });
    expect(named('deliver-email-provider-failures')?.Metrics).toMatchObject([
      {
        Id: 'failures',
        ReturnData: false,
        MetricStat: {
          Stat: 'Sum',
          Metric: { Namespace: NAMESPACE, Dimensions: [{ Name: 'channel', Value: 'EMAIL' }] },
        },
      },
      { Id: 'attempts', ReturnData: false, MetricStat: { Stat: 'SampleCount' } },
      { ReturnData: true, Expression: expect.stringContaining('failures') },
    ]);
  });
});

describe('the alarm topic', () => {
  it('uses a key that alarms can use, and accepts what alarms of this deployment publish', () => {
    const topic = all.ofType('AWS::SNS::Topic').find(({ template }) => template === 'Observability');
    expect(topic?.properties.KmsMasterKeyId).toBeDefined();
    const statements = all
      .ofType('AWS::SNS::TopicPolicy')
      .filter(({ template }) => template === 'Observability')
      .flatMap(({ properties }) => properties.PolicyDocument.Statement);
    expect(statements).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
      }),
    );
    const key = all.ofType('AWS::KMS::Key')[0];
    expect(key?.properties.KeyPolicy.Statement).toContainEqual(
      expect.objectContaining({
        Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        Principal: { Service: 'cloudwatch.amazonaws.com' },
      }),
    );
  });

  it('sends to the alarm address', () => {
    const found = all.ofType('AWS::SNS::Subscription').find(({ template }) => template === 'Observability');
    expect(found?.properties).toMatchObject({ Protocol: 'email', Endpoint: 'oncall@example.com' });
  });
});

describe('the dashboard', () => {
  it.each(['Accepted', 'Sent', 'Delivered', 'Failed', 'SendLatency'])('shows %s of every channel', (name) => {
    const shown = widgets.flatMap(({ properties }) =>
      properties.metrics.filter(([namespace, metric]) => namespace === NAMESPACE && metric === name),
    );
    expect(new Set(shown.map(([, , , channel]) => channel))).toEqual(new Set(CHANNELS));
  });

  it('estimates the cost from counted metrics, and defines every metric of its expressions', () => {
    const graph = widgets.find(({ properties }) => properties.title.startsWith('Cost per hour'));
    const options = (graph?.properties.metrics ?? []).map(
      (each) => each.at(-1) as { id: string; expression?: string },
    );
    const ids = new Set(options.map(({ id }) => id));
    expect(ids.size).toBe(options.length);
    const expressions = options.flatMap(({ expression }) => (expression ? [expression] : []));
    expect(expressions.length).toBeGreaterThan(4);
    for (const expression of expressions) {
      expect(expression).not.toMatch(/\de-\d/);
      for (const [name] of expression.matchAll(/\b[a-z]\w*/g)) expect(ids).toContain(name);
    }
  });

  it('keeps its graphs from overlapping', () => {
    const places = widgets.map(({ x, y }) => `${x} ${y}`);
    expect(new Set(places).size).toBe(places.length);
  });

  it('comes with the alarms, except in a development stage', () => {
    expect(all.ofType('AWS::CloudWatch::Dashboard')).toHaveLength(1);
    const { platform } = buildApp({ routes: [], workers: [], codeFolderOf: () => '' });
    expect(platform.parameters).toMatchObject({ hasAlarms: false, hasDashboard: false });
  });
});
