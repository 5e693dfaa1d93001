import { ArnFormat, type Stack, Tags } from 'aws-cdk-lib';
import * as budgets from 'aws-cdk-lib/aws-budgets';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as sns from 'aws-cdk-lib/aws-sns';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { type AlarmRow, alarmsOf, type Watched } from '../observability/alarms.ts';
import { dashboardBody, graphsOf } from '../observability/dashboard.ts';
import type { MetricRow } from '../observability/metric-rows.ts';
import { alarmNameOf, createStack, nameOf, type Platform, pascalOf, type StackScope } from '../platform.ts';

export function createObservabilityStack(scope: StackScope, watched: Watched): Stack {
  const { platform } = watched;
  const { parameters } = platform;
  const stack = createStack(scope, 'Observability', parameters, {
    description: 'Notifications: alarms and dashboard.',
  });
  const topic = createTopic(stack, platform);
  if (parameters.alarmAddress) {
    new sns.CfnSubscription(stack, 'AlarmAddress', {
      topicArn: topic.topicArn,
      protocol: 'email',
      endpoint: parameters.alarmAddress,
    });
  }
  if (parameters.hasAlarms) for (const row of alarmsOf(watched)) createAlarm(stack, platform, topic, row);
  if (parameters.hasDashboard) createDashboard(stack, watched);
  if (parameters.monthlyBudgetUsd > 0) createBudget(stack, platform);
  return stack;
}

function createDashboard(stack: Stack, watched: Watched): void {
  const { name, stage } = watched.platform.parameters;
  const dashboard = new cloudwatch.CfnDashboard(stack, 'Dashboard', {
    // Names of dashboards are unique in an account, in all regions.
    dashboardName: `${name}-${stage}-${stack.region}`,
    dashboardBody: stack.toJsonString(dashboardBody(graphsOf(watched), stack.region)),
  });
  // In regions where CloudFormation does not support tags of dashboards yet, a tag would fail the deployment.
  for (const tag of ['application', 'stage']) Tags.of(dashboard).remove(tag);
}

/** Encrypted with the deployment's key, whose policy lets alarms use it (data-stack.ts). */
function createTopic(stack: Stack, platform: Platform): sns.Topic {
  const topic = new sns.Topic(stack, 'Alarms', {
    topicName: nameOf(platform, 'alarms'),
    masterKey: kms.Key.fromKeyArn(stack, 'Key', platform.key.arn),
    enforceSSL: true,
  });
  const alarms = stack.formatArn({
    service: 'cloudwatch',
    resource: 'alarm',
    resourceName: nameOf(platform, '*'),
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  topic.addToResourcePolicy(
    new iam.PolicyStatement({
      sid: 'FromAlarms',
      principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: {
        StringEquals: { 'aws:SourceAccount': stack.account },
        ArnLike: { 'aws:SourceArn': alarms },
      },
    }),
  );
  return topic;
}

function createAlarm(stack: Stack, platform: Platform, topic: sns.Topic, row: AlarmRow): void {
  new cloudwatch.CfnAlarm(stack, pascalOf(row.name), {
    alarmName: alarmNameOf(platform, row.name),
    alarmDescription: `${row.summary} Runbook: docs/runbook.md, section ${row.runbook}.`,
    ...measureOf(row),
    evaluationPeriods: row.periods,
    threshold: row.threshold,
    comparisonOperator: row.isFloor ? 'LessThanOrEqualToThreshold' : 'GreaterThanOrEqualToThreshold',
    treatMissingData: row.isFloor && row.expression === undefined ? 'breaching' : 'notBreaching',
    alarmActions: [topic.topicArn],
    okActions: [topic.topicArn],
  });
}

function measureOf({ metrics, expression, periodSeconds }: AlarmRow): Partial<cloudwatch.CfnAlarmProps> {
  const all = Object.entries(metrics);
  const [first] = all;
  if (!first) throw new Error('an alarm has no metric');
  if (expression === undefined) {
    const { statistic } = first[1];
    // CloudWatch refuses a percentile as `statistic`.
    const name = statistic.startsWith('p') ? 'extendedStatistic' : 'statistic';
    return { ...namesOf(first[1]), [name]: statistic, period: periodSeconds };
  }
  const inputs = all.map(([id, row]) => ({
    id,
    metricStat: { metric: namesOf(row), period: periodSeconds, stat: row.statistic },
    returnData: false,
  }));
  return { metrics: [...inputs, { id: 'value', expression, returnData: true }] };
}

function namesOf({ namespace, metric, dimensions }: MetricRow) {
  const named = Object.entries(dimensions).map(([name, value]) => ({ name, value }));
  return { namespace, metricName: metric, ...defined({ dimensions: named.length > 0 ? named : undefined }) };
}

/** Percent of the budget that is notified to the address: of actual costs, and of the forecast for the month. */
const THRESHOLDS = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;

/**
 * The monthly budget of this deployment. AWS counts by its tag `stage` only after the tag is activated for cost
 * allocation in the billing console of the account that pays.
 */
function createBudget(stack: Stack, platform: Platform): void {
  const { name, stage, monthlyBudgetUsd, alarmAddress } = platform.parameters;
  new budgets.CfnBudget(stack, 'Budget', {
    budget: {
      // Budgets have no region: without it, two regions of a stage would need the same name, and count each other's costs.
      budgetName: alarmNameOf(platform, `monthly-${stack.region}`),
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudgetUsd, unit: 'USD' },
      filterExpression: {
        and: [
          { tags: { key: 'application', values: [name], matchOptions: ['EQUALS'] } },
          { tags: { key: 'stage', values: [stage], matchOptions: ['EQUALS'] } },
          { dimensions: { key: 'REGION', values: [stack.region], matchOptions: ['EQUALS'] } },
        ],
      },
      metrics: ['UnblendedCost'],
    },
    notificationsWithSubscribers: THRESHOLDS.map((row) => ({
      notification: { ...row, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers: [{ subscriptionType: 'EMAIL', address: alarmAddress }],
    })),
  });
}
