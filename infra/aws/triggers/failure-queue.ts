import type { Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Invoked } from '../functions/rollout.ts';
import type { Statement } from '../functions/statement.ts';
import { nameOf, type Platform } from '../platform.ts';
import type { DeadLetterQueue } from './connection.ts';
import { createQueue } from './queue.ts';
import { FAILED_INVOCATIONS } from './queue-address.ts';

/**
 * The one queue for failed asynchronous invocations: schedules, object events and external events that could
 * not be passed on.
 */
export function createFailureQueue(
  stack: Stack,
  platform: Platform,
): { queue: sqs.Queue; deadLetters: DeadLetterQueue } {
  const queueName = nameOf(platform, FAILED_INVOCATIONS);
  const queue = createQueue(stack, platform, 'FailedInvocations', { queueName });
  const ours = nameOf(platform, '*');
  const rules = stack.formatArn({ service: 'events', resource: 'rule', resourceName: ours });
  queue.addToResourcePolicy(letIn(queue, 'FromRules', 'events.amazonaws.com', rules));
  const topics = stack.formatArn({ service: 'sns', resource: ours });
  queue.addToResourcePolicy(letIn(queue, 'FromTopics', 'sns.amazonaws.com', topics));
  return { queue, deadLetters: { name: FAILED_INVOCATIONS, queueName } };
}

function letIn(queue: sqs.Queue, sid: string, principal: string, sourceArn: string): iam.PolicyStatement {
  return new iam.PolicyStatement({
    sid,
    principals: [new iam.ServicePrincipal(principal)],
    actions: ['sqs:SendMessage'],
    resources: [queue.queueArn],
    conditions: { ArnLike: { 'aws:SourceArn': sourceArn } },
  });
}

/** The part of a role that lets Lambda keep the event of a failed invocation. */
export function failureStatement(failures: sqs.IQueue): Statement {
  return { sid: 'Failures', actions: ['sqs:SendMessage'], resources: [failures.queueArn] };
}

/** Two more attempts within that time, then the failure queue. */
export function keepFailures(
  stack: Stack,
  id: string,
  {
    invoked,
    failures,
    eventAgeSecondsMax = 3600,
  }: { invoked: Invoked; failures: sqs.IQueue; eventAgeSecondsMax?: number },
): void {
  const config = new lambda.CfnEventInvokeConfig(stack, `${id}Failures`, {
    functionName: invoked.name,
    qualifier: invoked.qualifier,
    maximumRetryAttempts: 2,
    maximumEventAgeInSeconds: eventAgeSecondsMax,
    destinationConfig: { onFailure: { destination: failures.queueArn } },
  });
  if (invoked.alias) config.node.addDependency(invoked.alias);
}
