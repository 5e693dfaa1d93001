import type { Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as sns from 'aws-cdk-lib/aws-sns';
import type { Trigger } from '../../../shared/http/rows/worker.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { allowInvocation } from '../functions/function.ts';
import type { Invoked } from '../functions/rollout.ts';
import { nameOf, type Platform, pascalOf } from '../platform.ts';
import type { Connected, Connection } from './connection.ts';
import { failureStatement, keepFailures } from './failure-queue.ts';
import { createReadQueue } from './queue.ts';
import { queueRowOf } from './queue-address.ts';

type EventsTrigger = Extract<Trigger, { kind: 'events' }>;
type TopicTrigger = Extract<Trigger, { kind: 'topic' }>;
/** The service that publishes to a topic. */
export type EventsSource = (EventsTrigger | TopicTrigger)['source'];

const PUBLISHERS: Record<EventsSource, string> = {
  ses: 'ses.amazonaws.com',
  'sms-voice': 'sms-voice.amazonaws.com',
  'two-way-sms': 'sms-voice.amazonaws.com',
  mail: 'ses.amazonaws.com',
};

/** ARN of the topic of a source: the name is known, so that SES and the numbers can be pointed at it. */
export function topicArnOf(stack: Stack, platform: Platform, source: EventsSource): string {
  return stack.formatArn({ service: 'sns', resource: nameOf(platform, `${source}-events`) });
}

export function topicIdOf(source: EventsSource): string {
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
  });
  const topic = createTopic(connection);
  queue.addToResourcePolicy(
    new iam.PolicyStatement({
      sid: 'FromTheTopic',
      principals: [new iam.ServicePrincipal('sns.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [queue.queueArn],
      conditions: { ArnEquals: { 'aws:SourceArn': topic.topicArn } },
    }),
  );
  const subscription = subscribe(connection, topic, { protocol: 'sqs', endpoint: queue.queueArn });
  // Without it the first events would be refused; the queue itself is referred to.
  subscription.node.addDependency(queue.node.findChild('Policy'));
  return connected;
}

/** Lambda keeps the events of a topic this long while its function is throttled: the longest that it offers. */
const KEPT_SECONDS = 6 * 3600;

/**
 * Events that SNS hands to their function itself: no queue to pay for and to poll. SNS tries for 23 days to hand one over,
 * Lambda repeats a failed invocation twice; then the event waits with the failed invocations.
 */
export function connectTopic(connection: Connection<TopicTrigger>): Connected {
  const { stack, platform, worker, failures } = connection;
  const id = pascalOf(worker.name);
  const topic = createTopic(connection);
  return {
    statements: [failureStatement(failures)],
    // Lambda then passes every event on to the failed invocations.
    ...defined({ concurrency: platform.parameters.paused ? 0 : undefined }),
    attach(invoked) {
      const permission = allowInvocation(stack, `${id}Permission`, {
        invoked,
        principal: 'sns.amazonaws.com',
        sourceArn: topic.topicArn,
      });
      const endpoint = endpointOf(stack, invoked);
      subscribe(connection, topic, { protocol: 'lambda', endpoint }).addResourceDependency(permission);
      keepFailures(stack, id, { invoked, failures, eventAgeSecondsMax: KEPT_SECONDS });
    },
  };
}

/** An alias as text: CloudFormation's checks accept a reference to a function as an endpoint, but not one to an alias. */
function endpointOf(stack: Stack, { functionArn, name, qualifier }: Invoked): string {
  if (qualifier === '$LATEST') return functionArn;
  return stack.formatArn({ service: 'lambda', resource: `function:${name}:${qualifier}` });
}

function subscribe(
  { stack, trigger, failures }: Connection<EventsTrigger | TopicTrigger>,
  topic: sns.Topic,
  target: { protocol: string; endpoint: string },
): sns.CfnSubscription {
  return new sns.CfnSubscription(stack, `${pascalOf(trigger.source)}Subscription`, {
    topicArn: topic.topicArn,
    ...target,
    redrivePolicy: { deadLetterTargetArn: failures.queueArn },
  });
}

function createTopic({ stack, platform, trigger }: Connection<EventsTrigger | TopicTrigger>): sns.Topic {
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
  return topic;
}
