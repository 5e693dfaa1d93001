import { Duration, type Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as codedeploy from 'aws-cdk-lib/aws-codedeploy';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import {
  CHANNEL_QUEUES,
  COLLECT_QUEUE,
  DUE_QUEUE,
  WEBHOOK_QUEUE,
} from '../../../shared/messaging/queue-names.ts';
import type { MetricName } from '../../../shared/runtime/metrics.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { metricsNamespaceOf, type Platform, pascalOf } from '../platform.ts';
import { LANES, queueUp } from './lanes.ts';
import { resourceOf } from './resource-of.ts';

/** The target of triggers: a function, or the alias that shifts to its new version step by step. */
export type Invoked = {
  functionArn: string;
  /** For event sources and settings of invocations: the name, or the alias's ARN. */
  functionName: string;
  /** Without the alias. */
  name: string;
  qualifier: string;
  /** A resource that uses the qualifier as text must wait for this. */
  alias?: lambda.Alias;
  addEnvironment(name: string, value: string): void;
};

const ALIAS = 'live';
const CONFIGS: Record<Exclude<Parameters['gradual'], 'off'>, codedeploy.ILambdaDeploymentConfig> = {
  canary: codedeploy.LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  linear: codedeploy.LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE,
};

/**
 * The functions that take traffic, which a faulty version would harm the most. Others change all at once: a deployment per
 * function of the API would be throttled, and an alarm that cannot be read rolls everything back.
 */
const GRADUAL: ReadonlySet<string> = new Set([
  'send',
  'sender',
  'send-bulk',
  'dispatch',
  ...Object.values(CHANNEL_QUEUES),
  COLLECT_QUEUE,
  DUE_QUEUE,
  WEBHOOK_QUEUE,
]);

/** The function as its triggers invoke it: behind an alias with the parameter `gradual`, if it takes traffic. */
export function invokedAs(
  stack: Stack,
  platform: Platform,
  options: { id: string; name: string; invoked: lambda.Function },
): Invoked {
  const { id, name, invoked } = options;
  const { parameters } = platform;
  const addEnvironment = (setting: string, value: string) => void invoked.addEnvironment(setting, value);
  if (parameters.gradual === 'off' || !GRADUAL.has(id)) {
    const { functionArn, functionName } = invoked;
    return { functionArn, functionName, name: functionName, qualifier: '$LATEST', addEnvironment };
  }
  const alias = new lambda.Alias(stack, `${pascalOf(id)}Live`, {
    aliasName: ALIAS,
    version: versionOf(invoked),
  });
  const deployed = resourceOf(alias);
  const rollout = rolloutOf(stack, laneOf(stack));
  queueUp(stack, 'rollouts', { first: deployed, last: deployed });
  // Built from the name: a reference would make the role wait for the functions that wait for it.
  const functionArn = stack.formatArn({
    service: 'lambda',
    resource: `function:${name}:${ALIAS}`,
  });
  rollout.statement.addResources(functionArn.replace(`:${ALIAS}`, ''), functionArn);
  new codedeploy.LambdaDeploymentGroup(stack, `${pascalOf(id)}Rollout`, {
    alias,
    application: rollout.application,
    role: rollout.role,
    deploymentConfig: CONFIGS[parameters.gradual],
    alarms: [errorsOf(stack, id, name), faultsOf(stack, platform, id)],
    autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
  });
  return {
    functionArn: alias.functionArn,
    functionName: alias.functionArn,
    name: invoked.functionName,
    qualifier: ALIAS,
    alias,
    addEnvironment,
  };
}

/** The CDK's class differs from its interface in a role that is possibly undefined. */
function versionOf(invoked: lambda.Function): lambda.IVersion {
  return invoked.currentVersion as unknown as lambda.IVersion;
}

/** Errors of the alias while it shifts: a function that does not start, throws or runs out of time. */
function errorsOf(stack: Stack, id: string, name: string): cloudwatch.Alarm {
  return new cloudwatch.Alarm(stack, `${pascalOf(id)}RolloutErrors`, {
    alarmDescription: `Returns ${name} to its previous version (docs/runbook.md, section Updates).`,
    metric: new cloudwatch.Metric({
      namespace: 'AWS/Lambda',
      metricName: 'Errors',
      dimensionsMap: { FunctionName: name, Resource: `${name}:${ALIAS}` },
      statistic: 'Sum',
      period: Duration.minutes(1),
    }),
    threshold: 1,
    evaluationPeriods: 1,
    comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
  });
}

/** Faults that the function handles: failed messages, responses with 500. Normally there are none. */
function faultsOf(stack: Stack, platform: Platform, id: string): cloudwatch.Alarm {
  const faults = (metricName: MetricName, operation: string) =>
    new cloudwatch.Metric({
      namespace: metricsNamespaceOf(platform),
      metricName,
      dimensionsMap: { operation },
      statistic: 'Sum',
      period: Duration.minutes(1),
    });
  const routeId = id.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const usingMetrics = { messages: faults('MessageFault', id), requests: faults('EndpointFault', routeId) };
  return new cloudwatch.Alarm(stack, `${pascalOf(id)}RolloutFaults`, {
    alarmDescription: `Returns ${id} to its previous version (docs/runbook.md, section Updates).`,
    metric: new cloudwatch.MathExpression({
      expression: 'FILL(messages, 0) + FILL(requests, 0)',
      usingMetrics,
      period: Duration.minutes(1),
    }),
    threshold: 3,
    evaluationPeriods: 1,
    comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
  });
}

type Rollout = { application: codedeploy.LambdaApplication; role: iam.IRole; statement: iam.PolicyStatement };
const rollouts = new WeakMap<Stack, Rollout[]>();
const counts = new WeakMap<Stack, number>();

/** The lane of a stack's next deployment, from 0, in rotation. */
function laneOf(stack: Stack): number {
  const count = counts.get(stack) ?? 0;
  counts.set(stack, count + 1);
  return count % LANES;
}

/** An application per stack, and a role per lane: Lambda throttles the requests of one role. */
function rolloutOf(stack: Stack, lane: number): Rollout {
  const lanes = rollouts.get(stack) ?? [];
  rollouts.set(stack, lanes);
  const known = lanes[lane];
  if (known) return known;
  const statement = new iam.PolicyStatement({
    sid: 'Aliases',
    actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
  });
  const alarms = new iam.PolicyStatement({
    sid: 'RolloutAlarms',
    actions: ['cloudwatch:DescribeAlarms'],
    resources: [stack.formatArn({ service: 'cloudwatch', resource: 'alarm:*' })],
  });
  const role = new iam.Role(stack, `Rollout${lane + 1}Role`, {
    assumedBy: new iam.ServicePrincipal('codedeploy.amazonaws.com'),
    inlinePolicies: { rollout: new iam.PolicyDocument({ statements: [statement, alarms] }) },
  });
  const made = {
    application: lanes[0]?.application ?? new codedeploy.LambdaApplication(stack, 'Rollouts'),
    role: role.withoutPolicyUpdates(),
    statement,
  };
  lanes[lane] = made;
  return made;
}
