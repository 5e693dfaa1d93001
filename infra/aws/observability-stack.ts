import { type App, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as sns from 'aws-cdk-lib/aws-sns';
import { type AlarmRow, alarmsOf } from './alarms.ts';
import type { DeadLetterQueue } from './delivery-stack.ts';
import { nameOf, type Platform, pascalOf } from './platform.ts';

/** The alarms, and the topic they speak to. */
export function createObservabilityStack(
  app: App,
  platform: Platform,
  deadLetters: readonly DeadLetterQueue[],
): Stack {
  const { parameters } = platform;
  const stack = new Stack(app, 'Observability', {
    stackName: `${parameters.name}-${parameters.stage}-observability`,
    description: 'Notifications: alarms.',
  });
  const topic = new sns.Topic(stack, 'Alarms', { topicName: nameOf(platform, 'alarms'), enforceSSL: true });
  if (parameters.alarmEmail) {
    new sns.CfnSubscription(stack, 'AlarmEmail', {
      topicArn: topic.topicArn,
      protocol: 'email',
      endpoint: parameters.alarmEmail,
    });
  }
  if (parameters.hasAlarms) for (const row of alarmsOf(deadLetters)) createAlarm(stack, platform, topic, row);
  return stack;
}

function createAlarm(stack: Stack, platform: Platform, topic: sns.Topic, row: AlarmRow): void {
  new cloudwatch.CfnAlarm(stack, pascalOf(row.name), {
    alarmName: nameOf(platform, row.name),
    alarmDescription: `${row.summary} Runbook: docs/runbook.md, section ${row.runbook}.`,
    namespace: row.namespace,
    metricName: row.metric,
    dimensions: Object.entries(row.dimensions).map(([name, value]) => ({ name, value })),
    statistic: row.statistic,
    period: row.periodSeconds,
    evaluationPeriods: row.periods,
    threshold: row.threshold,
    comparisonOperator: 'GreaterThanOrEqualToThreshold',
    treatMissingData: 'notBreaching',
    alarmActions: [topic.topicArn],
    okActions: [topic.topicArn],
  });
}
