import { Duration, type Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as codedeploy from 'aws-cdk-lib/aws-codedeploy';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { Parameters } from './parameters/parameters.ts';
import { type Platform, pascalOf } from './platform.ts';

/** The target of triggers: a function, or the alias that shifts to its new version step by step. */
export type Invoked = {
  functionArn: string;
  /** For event sources and settings of invocations: the name, or the alias's ARN. */
  functionName: string;
  /** Without the alias. */
  name: string;
  qualifier: string;
  /** What a resource that names the qualifier as text must wait for. */
  alias?: lambda.Alias;
  addEnvironment(name: string, value: string): void;
};

const ALIAS = 'live';
const CONFIGS: Record<Exclude<Parameters['gradual'], 'off'>, codedeploy.ILambdaDeploymentConfig> = {
  canary: codedeploy.LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  linear: codedeploy.LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE,
};

/** The function as its triggers invoke it: behind an alias with the parameter `gradual`. */
export function invokedAs(
  stack: Stack,
  { parameters }: Platform,
  options: { id: string; name: string; invoked: lambda.Function },
): Invoked {
  const { id, name, invoked } = options;
  const addEnvironment = (setting: string, value: string) => void invoked.addEnvironment(setting, value);
  if (parameters.gradual === 'off') {
    const { functionArn, functionName } = invoked;
    return { functionArn, functionName, name: functionName, qualifier: '$LATEST', addEnvironment };
  }
  const alias = new lambda.Alias(stack, `${pascalOf(id)}Live`, {
    aliasName: ALIAS,
    version: versionOf(invoked),
  });
  const rollout = rolloutOf(stack);
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
    alarms: [errorsOf(stack, id, name)],
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

/** The CDK's class differs from its interface in a role that may be undefined. */
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

type Rollout = { application: codedeploy.LambdaApplication; role: iam.IRole; statement: iam.PolicyStatement };
const rollouts = new WeakMap<Stack, Rollout>();

/** One application and one role for the functions of a stack. */
function rolloutOf(stack: Stack): Rollout {
  const known = rollouts.get(stack);
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
  const role = new iam.Role(stack, 'RolloutRole', {
    assumedBy: new iam.ServicePrincipal('codedeploy.amazonaws.com'),
    inlinePolicies: { rollout: new iam.PolicyDocument({ statements: [statement, alarms] }) },
  });
  const made = {
    application: new codedeploy.LambdaApplication(stack, 'Rollouts'),
    role: role.withoutPolicyUpdates(),
    statement,
  };
  rollouts.set(stack, made);
  return made;
}
