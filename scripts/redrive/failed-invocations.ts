import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  DeleteMessageCommand,
  GetQueueUrlCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { WORKERS } from '../../functions/workers.ts';
import { nameOf } from '../../infra/aws/platform.ts';
import { queueNameOf } from '../../infra/aws/triggers/queue-address.ts';
import { isAwsError } from '../../shared/http-client/aws-fault.ts';
import { findJson } from '../../shared/runtime/values/find-json.ts';
import type { parametersOf } from '../frame/deployment.ts';
import { AWS_CLIENT } from '../frame/proxy.ts';

type Parameters = ReturnType<typeof parametersOf>;
/** How many messages were moved, and the IDs of those that stay because they have no target. */
export type Requeued = { moved: number; left?: string[] };
/** Target that receives a failed event again: to its function, or to the queue that its topic sends to. */
type Target = { functionName: string; event: unknown } | { queueName: string; body: string };

/**
 * Gives every event of the queue of failed invocations to its target again and deletes it. One that fails again comes back to
 * the queue as a new message after minutes. One without a target stays and is named.
 */
export async function invokeAgain(
  sqs: SQSClient,
  url: string,
  parameters: Parameters,
  show: (moved: number) => void,
): Promise<Requeued> {
  const lambda = new LambdaClient(AWS_CLIENT);
  const left = new Set<string>();
  let moved = 0;
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: 1,
        MessageAttributeNames: ['TARGET_ARN'],
      }),
    );
    if (Messages.length === 0) return { moved, left: [...left] };
    for (const message of Messages) {
      const target = targetOf(message, parameters);
      if (!target || !(await passOn(target, lambda, sqs))) {
        left.add(message.MessageId ?? '');
        continue;
      }
      await sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: message.ReceiptHandle }));
      moved += 1;
      show(moved);
    }
  }
}

/** False if the target does not exist any more. */
async function passOn(target: Target, lambda: LambdaClient, sqs: SQSClient): Promise<boolean> {
  try {
    if ('functionName' in target) {
      const Payload = JSON.stringify(target.event);
      const { functionName: FunctionName } = target;
      await lambda.send(new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload }));
    } else {
      const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: target.queueName }));
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: target.body }));
    }
    return true;
  } catch (error) {
    if (isAwsError(error, 'missing')) return false;
    throw error;
  }
}

const FromLambda = v.looseObject({
  requestContext: v.looseObject({ functionArn: v.string() }),
  requestPayload: v.optional(v.unknown()),
});
const FromTopic = v.looseObject({ TopicArn: v.string() });

/** Lambda, EventBridge and SNS each name what they could not reach in their own way; undefined for anything else. */
function targetOf(
  { Body = '', MessageAttributes = {} }: Message,
  parameters: Parameters,
): Target | undefined {
  const failed = findJson(Body);
  if (failed === undefined) return undefined;
  if (v.is(FromLambda, failed))
    return { functionName: failed.requestContext.functionArn, event: failed.requestPayload };
  const ruleTarget = MessageAttributes.TARGET_ARN?.StringValue;
  if (ruleTarget) return { functionName: ruleTarget, event: failed };
  const topic = v.is(FromTopic, failed) ? failed.TopicArn.split(':').at(-1) : undefined;
  const worker = WORKERS.find(
    ({ trigger }) => 'source' in trigger && nameOf({ parameters }, `${trigger.source}-events`) === topic,
  );
  if (worker?.trigger.kind === 'topic')
    return { functionName: nameOf({ parameters }, worker.name), event: { Records: [{ Sns: failed }] } };
  if (worker?.trigger.kind === 'events')
    return {
      queueName: queueNameOf({ parameters }, { name: worker.trigger.queue, isFifo: false }),
      body: Body,
    };
  return undefined;
}
