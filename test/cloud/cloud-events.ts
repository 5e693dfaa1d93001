import { randomUUID } from 'node:crypto';
import type { LocalQueues } from '../../infra/local/queue/local-queues.ts';
import type { FakeReply } from '../support/fakes/http-fake.ts';
import type { Lambda } from './lambda.ts';
import { matchesPattern, transformed } from './patterns.ts';
import { createProviderEvents } from './provider-events.ts';
import { type QueueInput, queueReply } from './queue-calls.ts';
import { allowsQueue, allowsTopic, mayInvoke, nameOf } from './resource-policies.ts';
import { ACCOUNT, type Deployment, REGION } from './templates.ts';

/** The events between the services of a deployment: queues, topics, buses, rules and the events of providers. */
export type CloudEvents = ReturnType<typeof createCloudEvents>;

/** Connects the resources of the templates to each other. `problems` gets what AWS would reject or lose. */
export function createCloudEvents(
  deployment: Deployment,
  queues: LocalQueues,
  lambda: Lambda,
  problems: string[],
) {
  /** Events that functions put on a bus. */
  const published: { Source: string; DetailType: string; Detail: string; EventBusName?: string }[] = [];
  /** Functions in flight that no caller waits for. */
  const running = new Set<Promise<void>>();
  const queueByName = new Map(
    deployment.ofType('AWS::SQS::Queue').map((queue) => [nameOf(queue.arn), queue]),
  );

  /** Invokes without waiting, twice more when it fails, then keeps the event in the target's dead-letter queue. */
  function invokeAsync(functionArn: string, event: unknown, source: { service: string; arn: string }): void {
    if (!mayInvoke(deployment, functionArn, source.service, source.arn)) {
      problems.push(
        `${nameOf(functionArn)}: ${source.service} has no permission to invoke it for ${source.arn}`,
      );
      return;
    }
    const attempt = async (left: number): Promise<void> => {
      try {
        await lambda.invoke(functionArn, event);
      } catch {
        if (left > 0) return attempt(left - 1);
        keepFailure(functionArn, event);
      }
    };
    const work = attempt(2).finally(() => running.delete(work));
    running.add(work);
  }

  function keepFailure(functionArn: string, event: unknown): void {
    const config = deployment
      .ofType('AWS::Lambda::EventInvokeConfig')
      .find(({ properties }) => functionArn.endsWith(`:${properties.FunctionName}`));
    const destination = config?.properties.DestinationConfig?.OnFailure?.Destination;
    if (destination) queues.send(nameOf(destination), [{ body: JSON.stringify({ requestPayload: event }) }]);
    else problems.push(`${nameOf(functionArn)}: the event of a failed invocation is lost`);
  }

  /** Publishes as one of AWS's services. */
  function publish(topicArn: string, message: object, service: string): void {
    const topic = deployment.ofType('AWS::SNS::Topic').find(({ arn }) => arn === topicArn);
    if (!topic) return void problems.push(`topic ${topicArn} is missing`);
    if (!allowsTopic(deployment, topicArn, service))
      return void problems.push(`topic ${nameOf(topicArn)} does not accept messages of ${service}`);
    const notification = {
      Type: 'Notification',
      MessageId: randomUUID(),
      TopicArn: topicArn,
      Message: JSON.stringify(message),
      Timestamp: new Date().toISOString(),
      SignatureVersion: '1',
    };
    for (const { properties } of deployment.ofType('AWS::SNS::Subscription')) {
      if (properties.TopicArn !== topicArn) continue;
      if (properties.Protocol === 'lambda') {
        const Records = [
          {
            EventSource: 'aws:sns',
            EventVersion: '1.0',
            EventSubscriptionArn: `${topicArn}:1`,
            Sns: { ...notification, Type: 'Notification', MessageAttributes: {} },
          },
        ];
        invokeAsync(properties.Endpoint, { Records }, { service: 'sns.amazonaws.com', arn: topicArn });
      } else if (properties.Protocol === 'sqs') {
        const queue = queueByName.get(nameOf(properties.Endpoint));
        if (!queue || !allowsQueue(deployment, queue, 'sns.amazonaws.com', topicArn))
          problems.push(`${properties.Endpoint} does not accept messages of ${topicArn}`);
        else
          queues.send(nameOf(queue.arn), [
            { body: properties.RawMessageDelivery ? notification.Message : JSON.stringify(notification) },
          ]);
      }
    }
  }

  /** Runs the rules that match an event of a bus. */
  function emit(event: Record<string, unknown>, bus = 'default'): void {
    for (const rule of deployment.ofType('AWS::Events::Rule')) {
      const { EventPattern, EventBusName = 'default', Targets = [] } = rule.properties;
      if (!EventPattern || nameOf(EventBusName) !== nameOf(bus) || !matchesPattern(EventPattern, event))
        continue;
      for (const { Arn, InputTransformer } of Targets) {
        invokeAsync(Arn, InputTransformer ? transformed(InputTransformer, event) : event, {
          service: 'events.amazonaws.com',
          arn: rule.arn,
        });
      }
    }
  }

  const envelope = (source: string, detailType: string, detail: unknown) => ({
    version: '0',
    id: randomUUID(),
    source,
    'detail-type': detailType,
    account: ACCOUNT,
    region: REGION,
    time: new Date().toISOString(),
    resources: [],
    detail,
  });

  return {
    running,
    published,
    mayInvoke: (functionArn: string, service: string, sourceArn: string) =>
      mayInvoke(deployment, functionArn, service, sourceArn),
    publish,
    emit: (source: string, detailType: string, detail: unknown) => emit(envelope(source, detailType, detail)),

    queueCall: (operation: string, input: QueueInput) => queueReply(queues, queueByName, operation, input),

    putEvents(entries: typeof published): FakeReply {
      published.push(...entries);
      for (const { Source, DetailType, Detail, EventBusName } of entries)
        emit(envelope(Source, DetailType, JSON.parse(Detail)), EventBusName);
      return {
        status: 200,
        body: { FailedEntryCount: 0, Entries: entries.map(() => ({ EventId: randomUUID() })) },
      };
    },

    objectCreated(bucket: string, key: string, size: number): void {
      const found = deployment.ofType('AWS::S3::Bucket').find(({ ref }) => ref === bucket);
      if (!found?.properties.NotificationConfiguration?.EventBridgeConfiguration?.EventBridgeEnabled) return;
      emit(
        envelope('aws.s3', 'Object Created', {
          bucket: { name: bucket },
          object: { key, size, etag: '1', sequencer: '1' },
        }),
      );
    },

    ...createProviderEvents(deployment, publish),
  };
}
