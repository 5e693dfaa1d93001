import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORKERS } from '../../../../functions/workers.ts';
import { buildApp, type Finding, isAcceptedBy } from '../../../../infra/aws/build-app.ts';
import { ACCEPTED, WITHOUT_RESOURCE } from '../../../../infra/aws/permissions/accepted-findings.ts';
import { BLOB_FOLDERS } from '../../../../shared/blobs/blob-folders.ts';
import { BLOB_LIFE_DAYS } from '../../../../shared/blobs/blob-life.ts';
import { TABLE } from '../../../../shared/database/table.ts';
import {
  productionTemplates,
  type Resource,
  type Synthesized,
  sandboxTemplates,
  synthesize,
  textOf,
} from '../synthesized.ts';

const folder = mkdtempSync(join(tmpdir(), 'review-'));
afterAll(() => rmSync(folder, { recursive: true }));

let all: Synthesized;
let findings: Finding[];

beforeAll(async () => {
  const templates = await productionTemplates();
  all = templates;
  findings = templates.findings;
});

const only = (type: string): Resource => {
  const found = all.ofType(type);
  expect(found).toHaveLength(1);
  return found[0] as Resource;
};

describe('the security review', () => {
  it('gives a reason for every finding of the packs AwsSolutions and Serverless', () => {
    const open = findings.filter((finding) => !ACCEPTED.some((row) => isAcceptedBy(finding, row)));
    expect(open.map(({ rule, path }) => `${rule} ${path}`)).toEqual([]);
  });

  it('lists no unused exception', () => {
    const unused = ACCEPTED.filter((row) => !findings.some((finding) => isAcceptedBy(finding, row)));
    expect(unused.map(({ rule }) => rule.source)).toEqual([]);
  });

  it('gives a reason in words for each exception', () => {
    for (const { reason } of ACCEPTED) expect(reason).toMatch(/^[A-Z].{30,}\.$/s);
    for (const reason of Object.values(WITHOUT_RESOURCE)) expect(reason).toMatch(/^[A-Z].{30,}\.$/s);
  });

  it('stops synthesis on a new finding', () => {
    const { app, stacks } = buildApp({
      routes: [],
      workers: [],
      codeFolderOf: () => '',
      outputFolder: folder,
    });
    const [data] = stacks;
    if (!data) throw new Error('there is no stack');
    new Bucket(data, 'Open');
    expect(() => app.synth()).toThrow(/AwsSolutions-S10/);
  });
});

/** The key of each store: of queues, each one that occurs. */
function keysOf(synthesized: Synthesized) {
  const one = (type: string) => synthesized.ofType(type)[0]?.properties;
  const nameOfKey = (value: unknown) => (/Key/.test(textOf(value)) ? 'ours' : '');
  const [rule] = one('AWS::S3::Bucket').BucketEncryption.ServerSideEncryptionConfiguration;
  const { SSEAlgorithm, KMSMasterKeyID } = rule.ServerSideEncryptionByDefault;
  const queues = synthesized.ofType('AWS::SQS::Queue').map(({ properties }) => {
    return nameOfKey(properties.KmsMasterKeyId) || (properties.SqsManagedSseEnabled ? 'managed' : 'none');
  });
  return {
    table: nameOfKey(one('AWS::DynamoDB::Table').SSESpecification?.KMSMasterKeyId),
    bucket: `${SSEAlgorithm} ${nameOfKey(KMSMasterKeyID)}`,
    bucketKey: rule.BucketKeyEnabled ?? false,
    queues: [...new Set(queues)],
  };
}

describe('stored data', () => {
  it('lies in the table that table.ts describes', () => {
    const { properties } = only('AWS::DynamoDB::Table');
    expect(properties.KeySchema.map(({ AttributeName }: { AttributeName: string }) => AttributeName)).toEqual(
      [TABLE.partitionKey, TABLE.sortKey],
    );
    expect(properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
      TimeToLiveSpecification: { AttributeName: TABLE.ttlAttribute, Enabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      WarmThroughput: { WriteUnitsPerSecond: 10_000 },
    });
    const indexes = properties.GlobalSecondaryIndexes as { IndexName: string; Projection: unknown }[];
    expect(indexes.map(({ IndexName }) => IndexName)).toEqual(Object.keys(TABLE.indexes));
    for (const { Projection } of indexes) expect(Projection).toEqual({ ProjectionType: 'KEYS_ONLY' });
  });

  it.each([
    [{}, 'OPTIONAL'],
    [{ memberMfa: 'required' }, 'ON'],
  ])('asks members for a one-time code with %j: %s', (context, expected) => {
    const [pool] = synthesize({ routes: [], workers: [], context }).ofType('AWS::Cognito::UserPool');
    expect(pool?.properties).toMatchObject({
      MfaConfiguration: expected,
      EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
    });
  });

  it('survives the deletion of a protected stage', () => {
    expect(only('AWS::DynamoDB::Table').properties.DeletionProtectionEnabled).toBe(true);
    expect(only('AWS::Cognito::UserPool').properties.DeletionProtection).toBe('ACTIVE');
    const types = ['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::KMS::Key', 'AWS::Cognito::UserPool'];
    for (const type of types) expect(only(type).deletionPolicy, type).toBe('RetainExceptOnCreate');
  });

  it('retains only the data stack, without fixed names', () => {
    const kept = all.resources.filter(({ deletionPolicy }) => deletionPolicy?.startsWith('Retain'));
    expect(new Set(kept.map(({ template }) => template))).toEqual(new Set(['Data']));
    const names = ['TableName', 'BucketName'].filter((name) =>
      kept.some(({ properties }) => properties[name]),
    );
    expect(names).toEqual([]);
  });

  it('disappears from the bucket once no log can name it', () => {
    const { Rules } = only('AWS::S3::Bucket').properties.LifecycleConfiguration;
    const days = new Map<string, number>(
      Rules.map(({ Prefix, ExpirationInDays }: Record<string, never>) => [Prefix, ExpirationInDays]),
    );
    const isKept = (kind: string) => ![...days.keys()].some((prefix) => prefix?.startsWith(`${kind}/`));
    expect(BLOB_FOLDERS.filter(isKept)).toEqual([]);
    for (const kind of ['requests', 'digests'])
      for (const each of BLOB_LIFE_DAYS) expect(days.get(`${kind}/${each}d/`)).toBe(each);
    expect(days.get('inbound/')).toBeGreaterThanOrEqual(14);
    expect(days.get('attachments/')).toBe(Math.max(...BLOB_LIFE_DAYS));
  });

  it('is encrypted with the key of the parameters, dead letters included', async () => {
    const keyed = { table: 'ours', bucket: 'aws:kms ours', bucketKey: true, queues: ['ours'] };
    expect(keysOf(all)).toEqual(keyed);
    const owned = { table: '', bucket: 'AES256 ', bucketKey: false, queues: ['managed'] };
    expect(keysOf(await sandboxTemplates())).toEqual(owned);
    expect(
      keysOf(
        synthesize({
          routes: [],
          workers: WORKERS.filter(({ grants }) => !grants.sendsTo).slice(0, 3),
          context: { queueEncryption: 'customer' },
        }),
      ),
    ).toEqual({
      ...owned,
      queues: ['ours'],
    });
  });

  it.each([
    ['roles and operators, through the stores', 'ThroughTheStores', '*'],
    ['alarms to their topic', 'ForAlarms', 'cloudwatch'],
    ['SES to the bucket', 'ForReceivedEmail', 'ses'],
    ['rules to the failed invocations', 'ForRules', 'events'],
    ['topics to their queues', 'ForTopics', 'sns'],
  ])('lets %s use the key, with any parameters', async (_, sid, principal) => {
    for (const each of [all, await sandboxTemplates()]) {
      const [key] = each.ofType('AWS::KMS::Key');
      expect(key?.properties.EnableKeyRotation).toBe(true);
      const statement = key?.properties.KeyPolicy.Statement.find(({ Sid }: { Sid: string }) => Sid === sid);
      expect(statement).toMatchObject({
        Effect: 'Allow',
        Principal: principal === '*' ? { AWS: '*' } : { Service: `${principal}.amazonaws.com` },
        Action: expect.arrayContaining(['kms:Decrypt', 'kms:GenerateDataKey*']),
      });
      const condition = JSON.stringify(statement.Condition);
      expect(condition).toMatch(/kms:CallerAccount|aws:Source(Arn|Account)/);
      if (principal === '*')
        for (const store of ['dynamodb', 's3', 'sqs']) expect(condition).toContain(`"${store}.`);
    }
  });

  it('accepts from each service that a queue or the bucket admits what its key policy admits as well', () => {
    const [key] = all.ofType('AWS::KMS::Key');
    const mayUse = JSON.stringify(key?.properties.KeyPolicy.Statement);
    const admitted = [...all.ofType('AWS::SQS::QueuePolicy'), ...all.ofType('AWS::S3::BucketPolicy')]
      .flatMap(({ properties }) => properties.PolicyDocument.Statement)
      .flatMap(({ Principal }: { Principal?: { Service?: string } }) => Principal?.Service ?? []);
    expect(new Set(admitted)).toEqual(
      new Set(['ses', 'events', 'sns'].map((service) => `${service}.amazonaws.com`)),
    );
    for (const service of admitted) expect(mayUse).toContain(`"Service":"${service}"`);
  });

  it('travels over TLS only', () => {
    const policies = [
      ...all.ofType('AWS::SQS::QueuePolicy'),
      ...all.ofType('AWS::S3::BucketPolicy'),
      ...all.ofType('AWS::SNS::TopicPolicy'),
    ];
    expect(policies).toHaveLength(
      all.ofType('AWS::SQS::Queue').length + 1 + all.ofType('AWS::SNS::Topic').length,
    );
    for (const { id, properties } of policies) {
      expect(JSON.stringify(properties.PolicyDocument), id).toContain('"aws:SecureTransport":"false"');
    }
  });
});

describe('CloudFormation templates', () => {
  it('contain no secret, neither as a value nor as a resolved reference', () => {
    for (const [name, text] of all.texts) {
      expect(text, name).not.toMatch(/nds_[sp]k_|-----BEGIN|AKIA[A-Z0-9]{16}|resolve:(secretsmanager|ssm)/);
      expect(text, name).not.toMatch(/"[A-Z_]*(SECRET|PASSWORD|PRIVATE|TOKEN)(_KEY|_VALUE)?":/);
    }
  });

  it('give access only to AWS services, restricted to this account', () => {
    for (const { id, properties } of [
      ...all.ofType('AWS::SQS::QueuePolicy'),
      ...all.ofType('AWS::SNS::TopicPolicy'),
    ]) {
      for (const statement of properties.PolicyDocument.Statement) {
        if (statement.Effect === 'Deny') continue;
        expect(Object.keys(statement.Principal), id).toEqual(['Service']);
        expect(JSON.stringify(statement.Condition), id).toMatch(/aws:Source(Arn|Account)/);
      }
    }
  });
});

describe('a stage with every feature enabled', () => {
  it('responds at its own domain, and at the assigned address that earlier links use', () => {
    expect(only('AWS::ApiGatewayV2::DomainName').properties.DomainName).toBe('api.example.com');
    expect(textOf(only('AWS::ApiGatewayV2::ApiMapping').properties.Stage)).toBe('<HttpStage>');
    expect(all.ofType('AWS::Route53::RecordSet')).toHaveLength(2);
    const http = all.ofType('AWS::ApiGatewayV2::Api').find(({ id }) => id === 'HttpApi');
    expect(http?.properties.DisableExecuteApiEndpoint).toBe(false);
    const send = all
      .ofType('AWS::Lambda::Function')
      .find(({ id }) => id.startsWith('Send') && id.length === 12);
    expect(send?.properties.Environment.Variables.PUBLIC_BASE_URL).toBe('https://api.example.com');
    expect(send?.properties.ReservedConcurrentExecutions).toBe(100);
  });

  it('raises an alarm for every dead-letter queue', () => {
    const dead = all
      .ofType('AWS::SQS::Queue')
      .filter(({ properties }) => properties.RedrivePolicy === undefined)
      .map(({ properties }) => properties.QueueName);
    const watched = all
      .ofType('AWS::CloudWatch::Alarm')
      .filter(({ properties }) => properties.MetricName === 'ApproximateNumberOfMessagesVisible')
      .map(({ properties }) => properties.Dimensions[0].Value);
    expect(watched.sort()).toEqual(dead.sort());
    expect(dead.length).toBeGreaterThan(10);
  });

  it('receives email and events of SES', () => {
    const [action] = only('AWS::SES::ReceiptRule').properties.Rule.Actions;
    expect(action.S3Action.ObjectKeyPrefix).toBe('inbound/');
    expect(textOf(action.S3Action.TopicArn)).toMatch(/:notifications-prod-mail-events$/);
    const destinations = all.ofType('AWS::SES::ConfigurationSetEventDestination');
    expect(destinations.length).toBe(2);
    for (const { properties } of destinations)
      expect(textOf(properties.EventDestination.SnsDestination.TopicARN)).toMatch(
        /:notifications-prod-ses-events$/,
      );
  });
});
