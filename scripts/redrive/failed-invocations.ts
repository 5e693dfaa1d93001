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
import type { parametersOf } from '../frame/deployment.ts';
import { AWS_CLIENT } from '../frame/proxy.ts';

type Parameters = ReturnType<typeof parametersOf>;
/** Target that receives a failed event again: to its function, or to the queue that its topic sends to. */
type Target = { functionName: string; event: unknown } | { queueName: string; body: string };

/**
 * Gives every event of the queue of failed invocations to its target again and deletes it; returns how many. One that
 * fails again comes back to the queue as a new message after minutes.
 */
export async function invokeAgain(
  sqs: SQSClient,
  url: string,
  parameters: Parameters,
  show: (count: number) => void,
): Promise<number> {
  const lambda = new LambdaClient(AWS_CLIENT);
  let count = 0;
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: 1,
        MessageAttributeNames: ['TARGET_ARN'],
      }),
    );
    if (Messages.length === 0) return count;
    for (const message of Messages) {
      const target = targetOf(message, parameters);
      if (target && 'functionName' in target) {
        const Payload = JSON.stringify(target.event);
        const { functionName: FunctionName } = target;
        await lambda.send(new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload }));
      } else if (target) {
        const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: target.queueName }));
        await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: target.body }));
      } else continue;
      await sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: message.ReceiptHandle }));
      count += 1;
      show(count);
    }
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
  const failed: unknown = JSON.parse(Body);
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
