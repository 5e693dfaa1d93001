import { join } from 'node:path';
import type { TemplateResource } from './templates.ts';

const ES_MODULE = join(import.meta.dirname, '../../node_modules/valibot/dist/index.mjs');

/** A fault of a deployment: how it is planted into a resource of the templates, and what the run then says. */
export type Fault = { name: string; plant: (resource: TemplateResource) => void; says: RegExp };

const isFunction = ({ Type, Properties }: TemplateResource, id: string) =>
  Type === 'AWS::Lambda::Function' && Properties.FunctionName.endsWith(`-${id}`);

/** The statements of the role whose log group names the function. */
function statementsOf({ Type, Properties }: TemplateResource, id: string) {
  if (Type !== 'AWS::IAM::Role') return [];
  const statements = Properties.Policies?.[0]?.PolicyDocument.Statement ?? [];
  const isOf = JSON.stringify(statements[0]?.Resource ?? '').includes(`${pascalOf(id)}Logs`);
  return isOf ? statements : [];
}

const pascalOf = (id: string) =>
  id.replace(/(^|-)([a-z])/g, (_, _dash, letter: string) => letter.toUpperCase());

const actionsOf = (statement: { Action: string | string[] }) => [statement.Action].flat();

/** Removes an action from a function's role. */
const without = (id: string, action: string) => (resource: TemplateResource) => {
  for (const statement of statementsOf(resource, id)) {
    statement.Action = actionsOf(statement).filter((each) => each !== action);
    if (statement.Action.length === 0) statement.Action = 'none:None';
  }
};

const mappingOf = ({ Type, Properties }: TemplateResource, id: string) =>
  Type === 'AWS::Lambda::EventSourceMapping' &&
  JSON.stringify(Properties.FunctionName).includes(pascalOf(id));

/** Every kind of fault that the run must find. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'a permission on the table is missing',
    plant: without('send', 'dynamodb:PutItem'),
    says: /cloud-send: dynamodb:PutItem on/,
  },
  {
    name: 'a permission on an index is missing',
    plant: without('sweep', 'dynamodb:Query'),
    says: /cloud-sweep: dynamodb:Query on/,
  },
  {
    name: 'a permission on a queue is missing',
    plant: without('dispatch', 'sqs:SendMessage'),
    says: /cloud-dispatch: .*sqs:SendMessage/,
  },
  {
    name: 'a permission on the bus is missing',
    plant: without('publish-events', 'events:PutEvents'),
    says: /publish-events: .*events:PutEvents/,
  },
  {
    name: 'a permission on the key is missing',
    plant: without('administer-accounts', 'kms:GenerateDataKey'),
    says: /administer-accounts: kms:GenerateDataKey/,
  },
  {
    name: 'a permission of a provider is missing',
    plant: without('deliver-email', 'ses:SendEmail'),
    says: /deliver-email: ses:SendEmail/,
  },
  {
    name: 'a condition on keys is too narrow',
    plant: (resource) => {
      for (const statement of statementsOf(resource, 'get-account'))
        if (statement.Condition?.['ForAllValues:StringLike'])
          statement.Condition = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['USER#*'] } };
    },
    says: /get-account: dynamodb:.*LeadingKeys/,
  },
  {
    name: 'the key is bound to another context',
    plant: (resource) => {
      for (const statement of statementsOf(resource, 'administer-accounts'))
        if (statement.Condition?.['ForAnyValue:StringEquals'])
          statement.Condition = { 'ForAnyValue:StringEquals': { 'kms:EncryptionContextKeys': ['tenant'] } };
    },
    says: /administer-accounts: kms:/,
  },
  {
    name: 'a role does not trust Lambda',
    plant: (resource) => {
      if (statementsOf(resource, 'send').length > 0)
        resource.Properties.AssumeRolePolicyDocument.Statement[0].Principal.Service = 'ec2.amazonaws.com';
    },
    says: /cloud-send: its role does not trust Lambda/,
  },
  {
    name: 'a function may not write its log',
    plant: without('send', 'logs:PutLogEvents'),
    says: /cloud-send: its role may not write its log/,
  },
  {
    name: 'failed invocations may not be kept',
    plant: without('ingest-ses', 'sqs:SendMessage'),
    says: /cloud-ingest-ses: its failed invocations are lost/,
  },
  {
    name: 'the runtime is an old one',
    plant: (resource) => {
      if (isFunction(resource, 'send')) resource.Properties.Runtime = 'nodejs18.x';
    },
    says: /cloud-send: its runtime/,
  },
  {
    name: 'reserved concurrency is 0',
    plant: (resource) => {
      if (isFunction(resource, 'send')) resource.Properties.ReservedConcurrentExecutions = 0;
    },
    says: /cloud-send: its reserved concurrency is 0/,
  },
  {
    name: 'SES may not store received email',
    plant: ({ Type, Properties }) => {
      if (Type !== 'AWS::S3::BucketPolicy') return;
      const statements: { Sid?: string }[] = Properties.PolicyDocument.Statement;
      Properties.PolicyDocument.Statement = statements.filter(({ Sid }) => Sid !== 'MailFromSes');
    },
    says: /SES may not store received email/,
  },
  {
    name: 'a setting is missing',
    plant: (resource) => {
      if (isFunction(resource, 'send')) delete resource.Properties.Environment.Variables.TABLE_NAME;
    },
    says: /TABLE_NAME|500/,
  },
  {
    name: 'the address of a queue is missing',
    plant: (resource) => {
      if (isFunction(resource, 'dispatch'))
        delete resource.Properties.Environment.Variables.QUEUE_URL_DELIVER_EMAIL;
    },
    says: /cloud-dispatch: .*Missing environment variable QUEUE_URL_DELIVER_EMAIL/,
  },
  {
    name: 'the handler is misnamed',
    plant: (resource) => {
      if (isFunction(resource, 'send')) resource.Properties.Handler = 'main.handler';
    },
    says: /cloud-send: failed to start/,
  },
  {
    name: 'an ES module is loaded by require',
    plant: (resource) => {
      if (isFunction(resource, 'send'))
        resource.Properties.Code = {
          ZipFile: `exports.handler = async () => require(${JSON.stringify(ES_MODULE)});`,
        };
    },
    says: /ERR_REQUIRE_ESM/,
  },
  {
    name: 'memory is too small',
    plant: (resource) => {
      if (isFunction(resource, 'send')) resource.Properties.MemorySize = 16;
    },
    says: /cloud-send: .*(heap|ended|MB)/i,
  },
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
    name: 'SES may not publish receipts',
    plant: ({ Type, Properties }) => {
      if (Type !== 'AWS::SNS::TopicPolicy') return;
      const statements: { Sid?: string }[] = Properties.PolicyDocument.Statement;
      Properties.PolicyDocument.Statement = statements.filter(({ Sid }) => Sid !== 'FromTheService');
    },
    says: /ses-events does not accept messages of ses\.amazonaws\.com/,
  },
  {
    name: 'the subscription to receipts is missing',
    plant: (resource) => {
      if (resource.Type === 'AWS::SNS::Subscription') resource.Type = 'Test::Missing';
    },
    says: /email_delivered_at/,
  },
  {
    name: 'API Gateway may not invoke a function',
    plant: (resource) => {
      if (
        resource.Type === 'AWS::Lambda::Permission' &&
        JSON.stringify(resource.Properties.SourceArn).includes('/POST/send"')
      )
        resource.Type = 'Test::Missing';
    },
    says: /no permission to invoke it for POST \/send/,
  },
  {
    name: 'a route is missing',
    plant: (resource) => {
      if (resource.Type === 'AWS::ApiGatewayV2::Route' && resource.Properties.RouteKey === 'POST /send')
        resource.Type = 'Test::Missing';
    },
    says: /POST \/send: 405/,
  },
];
