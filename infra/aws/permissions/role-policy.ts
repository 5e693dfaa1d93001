import type { Stack } from 'aws-cdk-lib';
import type { BlobFolder } from '../../../shared/blobs/blob-folders.ts';
import type { Grants } from '../../../shared/http/rows/route.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import type { Statement } from '../functions/statement.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { type Platform, tagsOf } from '../platform.ts';
import { eventBusArnOf, eventSourceOf } from '../triggers/event-bus.ts';
import { type QueueRow, queueArnOf, queueRowOf } from '../triggers/queue-address.ts';
import { usesProvider, usesSes } from '../triggers/used-sources.ts';

type Of<K extends 'table' | 'keyring' | 'services'> = NonNullable<Grants[K]>[number];

const TABLE_ACTIONS: Record<Of<'table'>, readonly string[]> = {
  get: ['GetItem'],
  batchGet: ['BatchGetItem'],
  query: ['Query'],
  put: ['PutItem'],
  update: ['UpdateItem'],
  delete: ['DeleteItem'],
  check: ['ConditionCheckItem'],
  batchWrite: ['BatchWriteItem'],
  scan: ['Scan'],
};

const KEYRING_ACTIONS: Record<Of<'keyring'>, string> = { encrypt: 'GenerateDataKey', decrypt: 'Decrypt' };

/** Context for creating policies: the stack of the role, the platform, the queues by name and the row's name for errors. */
export type PolicyScope = {
  stack: Stack;
  platform: Platform;
  queues: ReadonlyMap<string, QueueRow>;
  row: string;
  /** Condition on the partition keys of the table, if there is one. */
  keyCondition?: Statement['conditions'];
};

/** The statements of a role, built only from its row. */
export function statementsOf(grants: Grants, scope: PolicyScope): Statement[] {
  return [
    ...tableStatements(grants, scope),
    ...keyringStatements(grants, scope),
    ...blobStatements(grants, scope),
    ...queueStatements(grants, scope),
    ...(grants.services ?? []).flatMap((service) => serviceStatements(service, scope)),
  ];
}

/** One statement; none without actions or resources. */
function statement(
  sid: string,
  actions: readonly string[],
  resources: readonly string[],
  conditions?: Statement['conditions'],
): Statement[] {
  if (actions.length === 0 || resources.length === 0) return [];
  return [{ sid, actions, resources, ...defined({ conditions }) }];
}

function tableStatements(
  { table = [], indexes = [] }: Grants,
  { platform, keyCondition }: PolicyScope,
): Statement[] {
  const { arn } = platform.table;
  const actions = [...new Set(table.flatMap((each) => TABLE_ACTIONS[each]))];
  return [
    ...statement(
      'Table',
      actions.map((each) => `dynamodb:${each}`),
      [arn],
      keyCondition,
    ),
    ...statement(
      'Indexes',
      ['dynamodb:Query'],
      indexes.map((index) => `${arn}/index/${index}`),
    ),
  ];
}

/** Data keys are bound to an account: without it in the encryption context, nothing is unwrapped. */
function keyringStatements({ keyring = [] }: Grants, { platform }: PolicyScope): Statement[] {
  const actions = keyring.map((each) => `kms:${KEYRING_ACTIONS[each]}`);
  return statement('Keyring', actions, [platform.key.arn], {
    'ForAnyValue:StringEquals': { 'kms:EncryptionContextKeys': ['accountId'] },
  });
}

function blobStatements(
  { blobs: { read = [], write = [], delete: removed = [], list: listed = [] } = {} }: Grants,
  { platform }: PolicyScope,
): Statement[] {
  const { arn } = platform.blobs;
  const objectsOf = (folders: readonly BlobFolder[]) => folders.map((folder) => `${arn}/${folder}/*`);
  const listedIn = listed.map((folder) => `${folder}/*`);
  return [
    ...statement('ReadBlobs', ['s3:GetObject'], objectsOf(read)),
    // Without it, S3 returns 403 instead of 404 for a missing object.
    ...statement('BlobMisses', ['s3:ListBucket'], read.length > 0 ? [arn] : []),
    ...statement('WriteBlobs', ['s3:PutObject'], objectsOf(write)),
    ...statement('DeleteBlobs', ['s3:DeleteObject'], objectsOf(removed)),
    ...statement('ListBlobs', ['s3:ListBucket'], listed.length > 0 ? [arn] : [], {
      StringLike: { 's3:prefix': listedIn },
    }),
  ];
}

function queueStatements({ sendsTo = [], counts = [] }: Grants, scope: PolicyScope): Statement[] {
  const arnsOf = (queues: readonly string[]) =>
    queues.map((queue) =>
      queueArnOf(scope.stack, scope.platform, queueRowOf(scope.queues, queue, scope.row)),
    );
  return [
    ...statement('Queues', ['sqs:SendMessage'], arnsOf(sendsTo)),
    ...statement('CountQueues', ['sqs:GetQueueAttributes'], arnsOf(counts)),
  ];
}

/** Permissions for a provider's service, if the deployment's orders contain the provider. */
function serviceStatements(service: Of<'services'>, scope: PolicyScope): Statement[] {
  const isUsed = IS_USED[service]?.(scope.platform.parameters) ?? true;
  return isUsed ? SERVICE_STATEMENTS[service](scope) : [];
}

const IS_USED: Partial<Record<Of<'services'>, (parameters: Parameters) => boolean>> = {
  'event-bus': ({ eventBus }) => eventBus !== '',
  ses: usesSes,
  'suppression-list': usesSes,
  'receipt-rules': ({ sesReceiving }) => sesReceiving,
  'text-messages': (parameters) => usesProvider(parameters, ['SMS'], 'aws'),
  'voice-messages': (parameters) => usesProvider(parameters, ['CALL'], 'aws'),
  'opt-out-list': (parameters) => usesProvider(parameters, ['SMS'], 'aws'),
};

const SERVICE_STATEMENTS: Record<Of<'services'>, (scope: PolicyScope) => Statement[]> = {
  'event-bus': ({ stack, platform: { parameters } }) =>
    statement('EventBus', ['events:PutEvents'], [eventBusArnOf(stack, parameters)], {
      StringEquals: { 'events:source': eventSourceOf(parameters) },
    }),
  ses: ({ stack }) =>
    statement(
      'SendEmail',
      ['ses:SendEmail', 'ses:SendRawEmail'],
      [sesArn(stack, 'identity', '*'), sesArn(stack, 'configuration-set', '*')],
    ),
  'suppression-list': () => statement('SuppressionList', ['ses:DeleteSuppressedDestination'], ['*']),
  'ses-identities': identityStatements,
  'receipt-rules': () =>
    statement(
      'ReceiptRules',
      [
        'ses:CreateReceiptRule',
        'ses:DeleteReceiptRule',
        'ses:DescribeReceiptRuleSet',
        'ses:UpdateReceiptRule',
      ],
      ['*'],
    ),
  'text-messages': ({ stack }) => [
    ...statement(
      'TextMessages',
      ['sms-voice:SendTextMessage', 'sms-voice:SendMediaMessage'],
      originationArns(stack),
    ),
    ...statement('CarrierLookup', ['sms-voice:CarrierLookup'], ['*']),
  ],
  'voice-messages': ({ stack }) =>
    statement('VoiceMessages', ['sms-voice:SendVoiceMessage'], originationArns(stack)),
  'opt-out-list': ({ stack }) =>
    statement(
      'OptOutLists',
      ['sms-voice:PutOptedOutNumber', 'sms-voice:DeleteOptedOutNumber'],
      [smsArn(stack, 'opt-out-list')],
    ),
  websocket: connectionStatements,
  'websocket-close': connectionStatements,
  'user-pool-create': userPool('NewMembers', 'AdminCreateUser'),
  'user-pool-read': userPool('KnownMembers', 'AdminGetUser'),
  'user-pool-update': userPool('Members', 'AdminUpdateUserAttributes'),
  'user-pool-delete': userPool('FormerMembers', 'AdminDeleteUser'),
  secrets: ({ stack, platform: { parameters } }) =>
    parameters.secretsArn ? secretStatements(stack, parameters.secretsArn) : [],
};

function userPool(sid: string, action: string) {
  return ({ platform }: PolicyScope) => statement(sid, [`cognito-idp:${action}`], [platform.userPool.arn]);
}

/** Identities belong to the AWS account: only those with the stage's tags are changed, and no other is created. */
function identityStatements({ stack, platform }: PolicyScope): Statement[] {
  const resources = [sesArn(stack, 'identity', '*')];
  const tagged = (where: 'RequestTag' | 'ResourceTag') => ({
    StringEquals: Object.fromEntries(
      Object.entries(tagsOf(platform)).map(([key, value]) => [`aws:${where}/${key}`, value]),
    ),
  });
  return [
    ...statement('SenderDomains', ['ses:GetEmailIdentity'], resources),
    ...statement(
      'NewSenderDomains',
      // Tags of a new identity are authorized as an action of its own.
      ['ses:CreateEmailIdentity', 'ses:TagResource'],
      resources,
      tagged('RequestTag'),
    ),
    ...statement(
      'OwnSenderDomains',
      [
        'ses:DeleteEmailIdentity',
        'ses:PutEmailIdentityDkimSigningAttributes',
        'ses:PutEmailIdentityMailFromAttributes',
      ],
      resources,
      tagged('ResourceTag'),
    ),
  ];
}

/** A secret can be encrypted with a key of its account. The grant allows decrypting only this secret with it. */
function secretStatements(stack: Stack, secretsArn: string): Statement[] {
  const [, partition = '', , region = '', account = ''] = secretsArn.split(':');
  return [
    { sid: 'Secrets', actions: ['secretsmanager:GetSecretValue'], resources: [secretsArn] },
    {
      sid: 'KeyOfSecrets',
      actions: ['kms:Decrypt'],
      resources: [`arn:${partition}:kms:${region}:${account}:key/*`],
      conditions: {
        StringEquals: {
          'kms:EncryptionContext:SecretARN': secretsArn,
          'kms:ViaService': `secretsmanager.${region}.${stack.urlSuffix}`,
        },
      },
    },
  ];
}

/** IAM has one action for posting to connections and for closing them. */
function connectionStatements({ stack, platform: { websocketApi } }: PolicyScope): Statement[] {
  const resourceName = `${websocketApi.stageName}/*/@connections/*`;
  const resource = stack.formatArn({ service: 'execute-api', resource: websocketApi.id, resourceName });
  return [{ sid: 'Connections', actions: ['execute-api:ManageConnections'], resources: [resource] }];
}

function sesArn(stack: Stack, resource: string, resourceName: string): string {
  return stack.formatArn({ service: 'ses', resource, resourceName });
}

function smsArn(stack: Stack, resource: string): string {
  return stack.formatArn({ service: 'sms-voice', resource, resourceName: '*' });
}

/** Identities and configuration sets that a message may use. */
function originationArns(stack: Stack): string[] {
  return ['phone-number', 'pool', 'sender-id', 'configuration-set', 'protect-configuration'].map((resource) =>
    smsArn(stack, resource),
  );
}
