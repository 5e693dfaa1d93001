import { createHash, randomUUID } from 'node:crypto';
import type { LocalQueues } from '../../infra/local/queue/local-queues.ts';
import { deliveryEvent } from '../shared/channels/email/ses-event-fixtures.ts';
import type { FakeReply } from '../support/fakes/http-fake.ts';
import type { Lambda } from './lambda.ts';
import { matchesPattern, transformed } from './patterns.ts';
import { isAllowed, type Statement } from './policy.ts';
import { ACCOUNT, type Deployment, REGION, type Resource } from './templates.ts';

/** What happens between the services of a deployment: queues, topics, buses, rules and the events of providers. */
export type CloudEvents = ReturnType<typeof createCloudEvents>;

/** Connects the resources of the templates to each other. `problems` gets what AWS would reject or lose. */
export function createCloudEvents(
  deployment: Deployment,
  queues: LocalQueues,
  lambda: Lambda,
  problems: string[],
) {
  /** What functions put on a bus. */
  const published: { Source: string; DetailType: string; Detail: string; EventBusName?: string }[] = [];
  /** Functions in flight that no caller waits for. */
  const running = new Set<Promise<void>>();
  const queueByName = new Map(
    deployment.ofType('AWS::SQS::Queue').map((queue) => [nameOf(queue.arn), queue]),
  );

  function allowsQueue(queue: Resource | undefined, service: string, sourceArn: string): boolean {
    const policies = deployment
      .ofType('AWS::SQS::QueuePolicy')
      .filter(({ properties }) => properties.Queues.includes(queue?.ref));
    const statements: Statement[] = policies.flatMap(({ properties }) => properties.PolicyDocument.Statement);
    const open = statements.filter(
      ({ Principal, Effect }) => Effect === 'Deny' || JSON.stringify(Principal).includes(service),
    );
    return isAllowed(open, {
      action: 'sqs:SendMessage',
      resource: queue?.arn ?? '',
      context: { 'aws:SourceArn': sourceArn, 'aws:SecureTransport': 'true' },
    });
  }

  /** Whether a service of AWS may invoke the function for this source. */
  function mayInvoke(functionArn: string, service: string, sourceArn: string): boolean {
    const plain = functionArn.split(':').slice(0, 7).join(':');
    return deployment.ofType('AWS::Lambda::Permission').some(({ properties }) => {
      const isFor =
        [functionArn, plain, nameOf(plain)].includes(properties.FunctionName) &&
        properties.Principal === service;
      return (
        isFor &&
        isAllowed([{ Effect: 'Allow', Action: properties.Action, Resource: properties.SourceArn ?? '*' }], {
          action: 'lambda:InvokeFunction',
          resource: sourceArn,
        })
      );
    });
  }

  /** Invokes without waiting, twice more when it fails, then keeps the event in the target's dead-letter queue. */
  function invokeAsync(functionArn: string, event: unknown, source: { service: string; arn: string }): void {
    if (!mayInvoke(functionArn, source.service, source.arn)) {
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

  function allowsTopic(topicArn: string, service: string): boolean {
    const statements: Statement[] = deployment
      .ofType('AWS::SNS::TopicPolicy')
      .filter(({ properties }) => properties.Topics.includes(topicArn))
      .flatMap(({ properties }) => properties.PolicyDocument.Statement);
    const open = statements.filter(
      ({ Principal, Effect }) => Effect === 'Deny' || JSON.stringify(Principal).includes(service),
    );
    const context = { 'aws:SourceAccount': ACCOUNT, 'aws:SecureTransport': 'true' };
    return isAllowed(open, { action: 'sns:Publish', resource: topicArn, context });
  }

  /** Publishes as one of AWS's services. */
  function publish(topicArn: string, message: object, service: string): void {
    const topic = deployment.ofType('AWS::SNS::Topic').find(({ arn }) => arn === topicArn);
    if (!topic) return void problems.push(`topic ${topicArn} is missing`);
    if (!allowsTopic(topicArn, service))
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
        if (!queue || !allowsQueue(queue, 'sns.amazonaws.com', topicArn))
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

  /** Publishes to the topics that a configuration set sends events of this kind to. */
  function toDestinations(
    service: string,
    { set, kind }: { set: string | undefined; kind: string },
    message: object,
  ): void {
    for (const { EventDestination } of destinationsOf(deployment, set)) {
      const { MatchingEventTypes = [], SnsDestination, Enabled } = EventDestination;
      const isWanted =
        MatchingEventTypes.includes('ALL') ||
        MatchingEventTypes.some((each: string) => each.toLowerCase() === kind.toLowerCase());
      if (Enabled !== false && isWanted && SnsDestination)
        publish(SnsDestination.TopicARN ?? SnsDestination.TopicArn, message, service);
    }
  }

  return {
    running,
    published,
    mayInvoke,
    publish,
    emit: (source: string, detailType: string, detail: unknown) => emit(envelope(source, detailType, detail)),

    queueCall(operation: string, input: QueueInput): FakeReply {
      const name = input.QueueUrl.split('/').at(-1) ?? '';
      const queue = queueByName.get(name);
      if (!queue)
        return {
          status: 400,
          headers: { 'x-amzn-errortype': 'QueueDoesNotExist' },
          body: { __type: 'com.amazonaws.sqs#QueueDoesNotExist' },
        };
      if (operation === 'ChangeMessageVisibility') {
        queues.changeVisibility(name, input.ReceiptHandle ?? '', input.VisibilityTimeout ?? 0);
        return { status: 200, body: {} };
      }
      const single: QueueEntry[] | undefined =
        operation === 'SendMessage' ? [{ Id: '0', ...input }] : undefined;
      const entries = single ?? input.Entries ?? [];
      if (entries.length > 10)
        return { status: 400, headers: { 'x-amzn-errortype': 'TooManyEntriesInBatchRequest' }, body: {} };
      if (operation === 'ChangeMessageVisibilityBatch') {
        for (const { ReceiptHandle = '', VisibilityTimeout = 0 } of entries)
          queues.changeVisibility(name, ReceiptHandle, VisibilityTimeout);
        return { status: 200, body: { Successful: entries.map(({ Id }) => ({ Id })), Failed: [] } };
      }
      if (!operation.startsWith('SendMessage')) throw new Error(`SQS ${operation} is not emulated`);
      queues.send(
        name,
        entries.map((entry) => ({
          body: entry.MessageBody ?? '',
          ...(entry.DelaySeconds ? { delaySeconds: entry.DelaySeconds } : {}),
          ...(entry.MessageGroupId && queue.properties.FifoQueue ? { groupId: entry.MessageGroupId } : {}),
          ...(entry.MessageDeduplicationId ? { deduplicationId: entry.MessageDeduplicationId } : {}),
        })),
      );
      const results = entries.map(({ Id, MessageBody = '' }) => ({
        Id,
        MessageId: randomUUID(),
        MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
      }));
      return { status: 200, body: single ? (results[0] ?? {}) : { Successful: results, Failed: [] } };
    },

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

    /** SES received an email: the rules for its recipients' domain store it in the bucket and publish its receipt. */
    emailReceived(
      messageId: string,
      recipients: readonly string[],
      store: (bucket: string, key: string) => void,
    ): void {
      for (const { properties } of deployment.ofType('AWS::SES::ReceiptRule')) {
        const { Recipients = [], Actions = [], Enabled } = properties.Rule;
        if (
          !Enabled ||
          !Recipients.some((domain: string) => recipients.some((to) => to.endsWith(`@${domain}`)))
        )
          continue;
        for (const { S3Action } of Actions) {
          store(S3Action.BucketName, `${S3Action.ObjectKeyPrefix ?? ''}${messageId}`);
          const receipt = { recipients, virusVerdict: { status: 'PASS' } };
          if (S3Action.TopicArn)
            publish(
              S3Action.TopicArn,
              { notificationType: 'Received', mail: { messageId }, receipt },
              'ses.amazonaws.com',
            );
        }
      }
    },

    /** SES accepted an email: it is delivered a moment later. */
    emailSent(
      { ConfigurationSetName, EmailTags = [], Destination = {} }: EmailInput,
      messageId: string,
    ): void {
      const event = deliveryEvent() as { mail: object; delivery: object };
      const tags = Object.fromEntries(EmailTags.map(({ Name, Value }) => [Name, [Value]]));
      const to = Destination.ToAddresses ?? [];
      toDestinations(
        'ses.amazonaws.com',
        { set: ConfigurationSetName, kind: 'delivery' },
        {
          ...event,
          mail: { ...event.mail, messageId, tags, destination: to },
          delivery: { ...event.delivery, recipients: to, timestamp: new Date().toISOString() },
        },
      );
    },

    /** The phone service accepted a text message or call: it is delivered a moment later. */
    phoneCall(operation: string, input: Record<string, unknown>, messageId: string): void {
      const kind =
        operation === 'SendVoiceMessage'
          ? 'VOICE_COMPLETED'
          : operation.startsWith('Send')
            ? 'TEXT_DELIVERED'
            : undefined;
      if (!kind) return;
      toDestinations(
        'sms-voice.amazonaws.com',
        { set: String(input.ConfigurationSetName ?? ''), kind },
        {
          eventType: kind,
          eventVersion: '1.0',
          eventTimestamp: Date.now(),
          isFinal: true,
          originationPhoneNumber: '+15005550006',
          destinationPhoneNumber: input.DestinationPhoneNumber,
          messageId,
          messageStatus: kind === 'TEXT_DELIVERED' ? 'DELIVERED' : 'COMPLETED',
          context: input.Context,
        },
      );
    },
  };
}

type QueueEntry = {
  Id: string;
  MessageBody?: string;
  DelaySeconds?: number;
  MessageGroupId?: string;
  MessageDeduplicationId?: string;
  ReceiptHandle?: string;
  VisibilityTimeout?: number;
};
type QueueInput = Omit<QueueEntry, 'Id'> & { QueueUrl: string; Entries?: QueueEntry[] };
type EmailInput = {
  ConfigurationSetName?: string;
  EmailTags?: { Name: string; Value: string }[];
  Destination?: { ToAddresses?: string[] };
};

/** Event destinations of a configuration set, of SES or of the phone service. */
// biome-ignore lint/suspicious/noExplicitAny: template properties, read by path
function destinationsOf(deployment: Deployment, set: string | undefined): { EventDestination: any }[] {
  const email = deployment
    .ofType('AWS::SES::ConfigurationSetEventDestination')
    .filter(({ properties }) => properties.ConfigurationSetName === set);
  const phone = deployment
    .ofType('AWS::SMSVOICE::ConfigurationSet')
    .filter(({ properties }) => properties.ConfigurationSetName === set);
  return [
    ...email.map(({ properties }) => properties),
    ...phone.flatMap(({ properties }) =>
      (properties.EventDestinations ?? []).map((EventDestination: unknown) => ({ EventDestination })),
    ),
  ];
}

/** The last part of an ARN or URL. */
export function nameOf(arn: string): string {
  return arn.split(/[:/]/).at(-1) ?? '';
}
