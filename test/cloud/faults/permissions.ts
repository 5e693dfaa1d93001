import { type Fault, statementsOf, without } from './planting.ts';

/** Faults of what somebody may do. */
export const PERMISSION_FAULTS: readonly Fault[] = [
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
    name: 'a permission to unwrap data keys is missing',
    plant: without('send', 'kms:Decrypt'),
    says: /cloud-send: kms:Decrypt on/,
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
    name: 'SES may not store received email',
    plant: ({ Type, Properties }) => {
      if (Type !== 'AWS::S3::BucketPolicy') return;
      const statements: { Sid?: string }[] = Properties.PolicyDocument.Statement;
      Properties.PolicyDocument.Statement = statements.filter(({ Sid }) => Sid !== 'MailFromSes');
    },
    says: /SES may not store received email/,
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
];
