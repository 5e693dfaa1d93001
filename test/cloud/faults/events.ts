import { type Fault, mappingOf } from './planting.ts';

/** Faults of how events reach a function: queues, streams, topics, schedules and routes. */
export const EVENT_FAULTS: readonly Fault[] = [
  {
    name: 'the filter of the stream lets nothing through',
    plant: (resource) => {
      if (mappingOf(resource, 'dispatch'))
        resource.Properties.FilterCriteria.Filters[0].Pattern =
          '{"dynamodb":{"Keys":{"pk":{"S":[{"prefix":"LOGS#"}]}}}}';
    },
    says: /email_sent_at/,
  },
  {
    name: 'an event source mapping is missing',
    plant: (resource) => {
      if (mappingOf(resource, 'deliver-email')) resource.Type = 'Test::Missing';
    },
    says: /email_sent_at/,
  },
  {
    name: 'a visibility timeout is too small',
    plant: ({ Type, Properties }) => {
      if (Type === 'AWS::SQS::Queue' && String(Properties.QueueName).includes('deliver-email.'))
        Properties.VisibilityTimeout = 30;
    },
    says: /deliver-email: the visibility timeout/,
  },
  {
    name: 'failed messages of a batch are not reported',
    plant: (resource) => {
      if (mappingOf(resource, 'deliver-email')) delete resource.Properties.FunctionResponseTypes;
    },
    says: /deliver-email: its mapping does not have ReportBatchItemFailures/,
  },
  {
    name: 'a FIFO queue has a batching window',
    plant: (resource) => {
      if (mappingOf(resource, 'deliver-email')) resource.Properties.MaximumBatchingWindowInSeconds = 5;
    },
    says: /deliver-email: its FIFO queue has no batching window/,
  },
  {
    name: 'an event source mapping is disabled',
    plant: (resource) => {
      if (mappingOf(resource, 'deliver-email')) resource.Properties.Enabled = false;
    },
    says: /email_sent_at/,
  },
  {
    name: 'a queue has no dead-letter queue',
    plant: ({ Type, Properties }) => {
      if (Type === 'AWS::SQS::Queue' && String(Properties.QueueName).includes('deliver-email.'))
        delete Properties.RedrivePolicy;
    },
    says: /deliver-email: its queue has no dead-letter queue/,
  },
  {
    name: 'the stream has no new images',
    plant: ({ Type, Properties }) => {
      if (Type === 'AWS::DynamoDB::Table') Properties.StreamSpecification = { StreamViewType: 'KEYS_ONLY' };
    },
    says: /cloud-dispatch|email_sent_at/,
  },
  {
    name: 'a schedule is disabled',
    plant: ({ Type, Properties }) => {
      if (Type === 'AWS::Events::Rule' && /sweep$/.test(String(Properties.Name)))
        Properties.State = 'DISABLED';
    },
    says: /sweep has 0 schedules/,
  },
  {
    name: 'the subscription to receipts is missing',
    plant: (resource) => {
      if (resource.Type === 'AWS::SNS::Subscription') resource.Type = 'Test::Missing';
    },
    says: /email_delivered_at/,
  },
  {
    name: 'a route is missing',
    plant: (resource) => {
      if (resource.Type === 'AWS::ApiGatewayV2::Route' && resource.Properties.RouteKey === 'POST /send')
        resource.Type = 'Test::Missing';
    },
    says: /POST \/send: 405/,
  },
  {
    name: 'a FIFO queue has become a standard one',
    plant: ({ Type, Properties }) => {
      if (Type === 'AWS::SQS::Queue' && String(Properties.QueueName).includes('deliver-email'))
        delete Properties.FifoQueue;
    },
    says: /a standard queue accepts no MessageDeduplicationId/,
  },
  {
    name: 'dead letters are of another kind than their queue',
    plant: ({ Type, Properties }) => {
      if (Type === 'AWS::SQS::Queue' && String(Properties.QueueName).includes('deliver-email-dead'))
        delete Properties.FifoQueue;
    },
    says: /deliver-email: its queue and its dead letters are of different kinds/,
  },
  {
    name: 'the stream is read from its newest record',
    plant: (resource) => {
      if (mappingOf(resource, 'dispatch')) resource.Properties.StartingPosition = 'LATEST';
    },
    says: /dispatch: what is in the stream when its mapping is created is lost/,
  },
  {
    name: 'a schedule may not invoke its function',
    plant: ({ Type, Properties }) => {
      if (Type === 'AWS::Lambda::Permission' && JSON.stringify(Properties.SourceArn).includes('SweepRule'))
        Properties.Principal = 'scheduler.amazonaws.com';
    },
    says: /sweep: its schedule has no permission to invoke it/,
  },
  {
    name: 'failed invocations of a topic have no destination',
    plant: (resource) => {
      const { FunctionName } = resource.Properties ?? {};
      const isOf = JSON.stringify(FunctionName ?? '').includes('IngestSes');
      if (resource.Type === 'AWS::Lambda::EventInvokeConfig' && isOf) resource.Type = 'Test::Missing';
    },
    says: /ingest-ses: the events of its failed invocations are lost/,
  },
  {
    name: 'a queue does not accept what its topic sends',
    plant: ({ Type, Properties }) => {
      if (Type !== 'AWS::SQS::QueuePolicy') return;
      const statements: { Sid?: string }[] = Properties.PolicyDocument.Statement;
      Properties.PolicyDocument.Statement = statements.filter(({ Sid }) => Sid !== 'FromTheTopic');
    },
    says: /ingest-inbound-sms does not accept messages of/,
  },
];
