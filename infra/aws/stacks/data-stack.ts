import { CfnOutput, Duration, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import * as cognito from 'aws-cdk-lib/aws-cognito';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { INBOUND_PREFIX } from '../../../shared/blobs/blob-folders.ts';
import { BLOB_LIFE_DAYS } from '../../../shared/blobs/blob-life.ts';
import { TABLE } from '../../../shared/database/table.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { createStack, nameOf, type Platform, type StackScope } from '../platform.ts';

/** All state: the table, large bodies, the key of the keyring, the user pool. */
export type DataStack = Pick<Platform, 'table' | 'key' | 'blobs' | 'userPool'> & { stack: Stack };

/** The stack that outlives the others: if it is protected, nothing in it is deleted. */
export function createDataStack(scope: StackScope, parameters: Parameters): DataStack {
  const stack = createStack(scope, 'Data', parameters, {
    description: 'Notifications: table, files, key and members.',
    terminationProtection: parameters.isProtected,
  });
  const key = createKey(stack, parameters);
  const table = createTable(stack, parameters, key);
  const blobs = createBlobs(stack, parameters, key);
  const { pool, client } = createUserPool(stack, parameters);
  new CfnOutput(stack, 'UserPoolId', { value: pool.userPoolId });
  new CfnOutput(stack, 'UserPoolClientId', { value: client.userPoolClientId });
  return {
    stack,
    table: usedTable(stack, parameters, table),
    key: { arn: key.keyArn },
    blobs: { name: blobs.bucketName, arn: blobs.bucketArn },
    userPool: {
      id: pool.userPoolId,
      arn: pool.userPoolArn,
      clientId: client.userPoolClientId,
      issuer: `https://cognito-idp.${stack.region}.${stack.urlSuffix}/${pool.userPoolId}`,
    },
  };
}

/**
 * The table that functions use. The deployment's own is exported even if another replaces it: an export that
 * other stacks still import can neither change nor disappear.
 */
function usedTable(
  stack: Stack,
  { tableName, tableStreamArn }: Parameters,
  { tableName: name, tableArn: arn, tableStreamArn: streamArn = '' }: dynamodb.Table,
): Platform['table'] {
  for (const value of [name, arn, streamArn]) stack.exportValue(value);
  if (!tableName) return { name, arn, streamArn };
  return {
    name: tableName,
    arn: stack.formatArn({ service: 'dynamodb', resource: 'table', resourceName: tableName }),
    streamArn: tableStreamArn,
  };
}

function removalOf({ isProtected }: Parameters): RemovalPolicy {
  // Not retained if its creation failed or was rolled back: a second attempt would find the name in use.
  return isProtected ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}

function createKey(stack: Stack, parameters: Parameters): kms.Key {
  const key = new kms.Key(stack, 'Key', {
    description: `Data keys of accounts (${parameters.name}-${parameters.stage})`,
    enableKeyRotation: true,
    removalPolicy: removalOf(parameters),
    ...(parameters.isProtected ? {} : { pendingWindow: Duration.days(7) }),
  });
  // Whatever the parameters select now: data that was written with the key before stays readable.
  key.addToResourcePolicy(throughStores(stack));
  for (const statement of forServices(stack, parameters)) key.addToResourcePolicy(statement);
  return key;
}

/**
 * Access to the table, the bucket or a queue includes use of the key, as with AWS's own keys: roles need no permission on the key
 * itself.
 */
function throughStores(stack: Stack): iam.PolicyStatement {
  return new iam.PolicyStatement({
    sid: 'ThroughTheStores',
    principals: [new iam.AnyPrincipal()],
    actions: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'],
    resources: ['*'],
    conditions: {
      StringEquals: {
        'kms:CallerAccount': stack.account,
        'kms:ViaService': ['dynamodb', 's3', 'sqs'].map(
          (service) => `${service}.${stack.region}.${stack.urlSuffix}`,
        ),
      },
    },
  });
}

/** Services that write in their own name: alarms to their topic, SES to the bucket, rules and topics to queues. */
function forServices(stack: Stack, parameters: Parameters): iam.PolicyStatement[] {
  const account = { StringEquals: { 'aws:SourceAccount': stack.account } };
  const resourceName = nameOf({ parameters }, '*');
  const rules = stack.formatArn({ service: 'events', resource: 'rule', resourceName });
  const topics = stack.formatArn({ service: 'sns', resource: resourceName });
  const rows = [
    ['ForAlarms', 'cloudwatch', account],
    ['ForReceivedEmail', 'ses', account],
    ['ForRules', 'events', { ArnLike: { 'aws:SourceArn': rules } }],
    ['ForTopics', 'sns', { ArnLike: { 'aws:SourceArn': topics } }],
  ] as const;
  return rows.map(
    ([sid, service, conditions]) =>
      new iam.PolicyStatement({
        sid,
        principals: [new iam.ServicePrincipal(`${service}.amazonaws.com`)],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        resources: ['*'],
        conditions,
      }),
  );
}

function createTable(stack: Stack, parameters: Parameters, key: kms.Key): dynamodb.Table {
  const attribute = (name: string) => ({ name, type: dynamodb.AttributeType.STRING });
  const warm = warmThroughputOf(parameters);
  const table = new dynamodb.Table(stack, 'Table', {
    partitionKey: attribute(TABLE.partitionKey),
    sortKey: attribute(TABLE.sortKey),
    billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
    timeToLiveAttribute: TABLE.ttlAttribute,
    stream: dynamodb.StreamViewType[TABLE.streamView],
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: parameters.isProtected,
    removalPolicy: removalOf(parameters),
    ...(parameters.tableEncryption === 'customer'
      ? { encryption: dynamodb.TableEncryption.CUSTOMER_MANAGED, encryptionKey: key }
      : { encryption: dynamodb.TableEncryption.DEFAULT }),
    ...warm,
  });
  for (const [indexName, index] of Object.entries(TABLE.indexes)) {
    table.addGlobalSecondaryIndex({
      indexName,
      partitionKey: attribute(index.partitionKey),
      sortKey: attribute(index.sortKey),
      projectionType: dynamodb.ProjectionType.KEYS_ONLY,
      ...warm,
    });
  }
  return table;
}

function warmThroughputOf({ warmReadUnits, warmWriteUnits }: Parameters) {
  if (warmReadUnits === 0 && warmWriteUnits === 0) return {};
  const reads = warmReadUnits === 0 ? {} : { readUnitsPerSecond: warmReadUnits };
  return {
    warmThroughput: { ...reads, ...(warmWriteUnits === 0 ? {} : { writeUnitsPerSecond: warmWriteUnits }) },
  };
}

function createBlobs(stack: Stack, parameters: Parameters, key: kms.Key): s3.Bucket {
  const bucket = new s3.Bucket(stack, 'Blobs', {
    // One request to KMS for many objects.
    ...(parameters.bucketEncryption === 'customer'
      ? { encryption: s3.BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }
      : { encryption: s3.BucketEncryption.S3_MANAGED }),
    blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
    lifecycleRules: lifecycleRules(),
    removalPolicy: removalOf(parameters),
  });
  if (parameters.sesReceiving) bucket.addToResourcePolicy(fromSes(stack, bucket));
  return bucket;
}

/**
 * Received email is read once, and carriers fetch media immediately, exports end with their link; everything else is kept as long as the
 * logs that name it.
 */
const SHORT_LIVED_DAYS = { 'inbound/': 30, 'media/': 7, 'exports/': 8 } as const;

function lifecycleRules(): s3.LifecycleRule[] {
  const byLog = ['requests', 'digests', 'attachments'].flatMap((kind) =>
    BLOB_LIFE_DAYS.map((days) => [`${kind}/${days}d/`, days] as const),
  );
  // Earlier versions stored attachments without the folder of a lifetime.
  const longest: [string, number] = ['attachments/', Math.max(...BLOB_LIFE_DAYS)];
  return [
    { id: 'unfinished-uploads', abortIncompleteMultipartUploadAfter: Duration.days(1) },
    ...[...Object.entries(SHORT_LIVED_DAYS), ...byLog, longest].map(([prefix, days]) => ({
      id: prefix.slice(0, -1).replace('/', '-'),
      prefix,
      expiration: Duration.days(days),
    })),
  ];
}

function fromSes(stack: Stack, bucket: s3.Bucket): iam.PolicyStatement {
  return new iam.PolicyStatement({
    sid: 'MailFromSes',
    principals: [new iam.ServicePrincipal('ses.amazonaws.com')],
    actions: ['s3:PutObject'],
    resources: [bucket.arnForObjects(`${INBOUND_PREFIX}*`)],
    conditions: { StringEquals: { 'aws:SourceAccount': stack.account } },
  });
}

function createUserPool(stack: Stack, parameters: Parameters) {
  const pool = new cognito.UserPool(stack, 'Members', {
    userPoolName: `${parameters.name}-${parameters.stage}`,
    featurePlan: cognito.FeaturePlan.ESSENTIALS,
    selfSignUpEnabled: false,
    signInAliases: { email: true },
    signInCaseSensitive: false,
    autoVerify: { email: true },
    keepOriginal: { email: true },
    passwordPolicy: {
      minLength: 12,
      requireDigits: true,
      requireLowercase: true,
      requireUppercase: true,
      requireSymbols: true,
    },
    mfa: parameters.memberMfa === 'required' ? cognito.Mfa.REQUIRED : cognito.Mfa.OPTIONAL,
    mfaSecondFactor: { otp: true, sms: false },
    accountRecovery: cognito.AccountRecovery.EMAIL_ONLY,
    deletionProtection: parameters.isProtected,
    removalPolicy: removalOf(parameters),
  });
  const client = pool.addClient('Client', {
    generateSecret: false,
    // With a password only by IAM: people sign in by SRP, which does not send it.
    authFlows: { userSrp: true, adminUserPassword: true },
    preventUserExistenceErrors: true,
    enableTokenRevocation: true,
    accessTokenValidity: Duration.hours(1),
    disableOAuth: true,
  });
  return { pool, client };
}
