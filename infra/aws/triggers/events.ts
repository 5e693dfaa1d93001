import type { Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as sns from 'aws-cdk-lib/aws-sns';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Trigger } from '../../../shared/http/worker.ts';
import { nameOf, type Platform, pascalOf } from '../platform.ts';
import type { Connected, Connection } from './connection.ts';
import { createReadQueue } from './queue.ts';
import { queueRowOf } from './queue-address.ts';

type EventsTrigger = Extract<Trigger, { kind: 'events' }>;

const PUBLISHERS: Record<EventsTrigger['source'], string> = {
  ses: 'ses.amazonaws.com',
  'sms-voice': 'sms-voice.amazonaws.com',
  'two-way-sms': 'sms-voice.amazonaws.com',
  mail: 'ses.amazonaws.com',
};

/** ARN of the topic of a source: the name is known, so that SES and the numbers can be pointed at it. */
export function topicArnOf(stack: Stack, platform: Platform, source: EventsTrigger['source']): string {
  return stack.formatArn({ service: 'sns', resource: nameOf(platform, `${source}-events`) });
}

/** The topic's id in the stack. */
export function topicIdOf(source: EventsTrigger['source']): string {
  return `${pascalOf(source)}Topic`;
}

/** Events of an external service: its topic, a queue that keeps them through any outage, and its reader. */
export function connectEvents(connection: Connection<EventsTrigger>): Connected {
  const { trigger, queues, worker } = connection;
  const { queue, connected } = createReadQueue(connection, {
    queue: queueRowOf(queues, trigger.queue, `worker ${worker.name}`),
    batchSize: trigger.batchSize,
    visibilityTimeoutSeconds: 6 * worker.timeoutSeconds,
    receiveCountMax: trigger.receiveCountMax,
    gatherSeconds: trigger.gatherSeconds,
  });
  createTopic(connection, queue);
  return connected;
}

function createTopic(
  { stack, platform, trigger, failures }: Connection<EventsTrigger>,
  queue: sqs.Queue,
): void {
  const topic = new sns.Topic(stack, topicIdOf(trigger.source), {
    topicName: nameOf(platform, `${trigger.source}-events`),
    enforceSSL: true,
  });
  topic.addToResourcePolicy(
    new iam.PolicyStatement({
      sid: 'FromTheService',
      principals: [new iam.ServicePrincipal(PUBLISHERS[trigger.source])],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': stack.account } },
    }),
  );
  queue.addToResourcePolicy(
    new iam.PolicyStatement({
      sid: 'FromTheTopic',
      principals: [new iam.ServicePrincipal('sns.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [queue.queueArn],
      conditions: { ArnEquals: { 'aws:SourceArn': topic.topicArn } },
    }),
  );
  const subscription = new sns.CfnSubscription(stack, `${pascalOf(trigger.source)}Subscription`, {
    topicArn: topic.topicArn,
    protocol: 'sqs',
    endpoint: queue.queueArn,
    redrivePolicy: { deadLetterTargetArn: failures.queueArn },
  });
  // Without it, the first events would be rejected; the queue itself is referenced.
  subscription.node.addDependency(queue.node.findChild('Policy'));
}
