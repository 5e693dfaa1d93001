import type { Stack } from 'aws-cdk-lib';
import type { BlobFolder } from '../../../shared/blobs/blob-folders.ts';
import type { Grants } from '../../../shared/http/rows/route.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { type Platform, tagsOf } from '../platform.ts';
import type { Statement } from '../statement.ts';
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

function tableStatements(
  { table = [], indexes = [] }: Grants,
  { platform, keyCondition }: PolicyScope,
): Statement[] {
  const actions = [...new Set(table.flatMap((each) => TABLE_ACTIONS[each]))].map(
    (each) => `dynamodb:${each}`,
  );
  const statements: Statement[] = [];
  if (actions.length > 0) {
    const conditions = keyCondition ? { conditions: keyCondition } : {};
    statements.push({ sid: 'Table', actions, resources: [platform.table.arn], ...conditions });
  }
  if (indexes.length > 0) {
    const resources = indexes.map((index) => `${platform.table.arn}/index/${index}`);
    statements.push({ sid: 'Indexes', actions: ['dynamodb:Query'], resources });
  }
  return statements;
}

/** Data keys are bound to an account: without it in the encryption context, nothing is unwrapped. */
function keyringStatements({ keyring = [] }: Grants, { platform }: PolicyScope): Statement[] {
  if (keyring.length === 0) return [];
  return [
    {
      sid: 'Keyring',
      actions: keyring.map((each) => `kms:${KEYRING_ACTIONS[each]}`),
      resources: [platform.key.arn],
      conditions: { 'ForAnyValue:StringEquals': { 'kms:EncryptionContextKeys': ['accountId'] } },
    },
  ];
}

function blobStatements(
  { blobs: { read = [], write = [], delete: removed = [], list: listed = [] } = {} }: Grants,
  { platform }: PolicyScope,
): Statement[] {
  const { arn } = platform.blobs;
  const objectsOf = (folders: readonly BlobFolder[]) => folders.map((folder) => `${arn}/${folder}/*`);
  const statements: Statement[] = [];
  if (read.length > 0) {
    statements.push({ sid: 'ReadBlobs', actions: ['s3:GetObject'], resources: objectsOf(read) });
    // Without it, S3 returns 403 instead of 404 for a missing object.
    statements.push({ sid: 'BlobMisses', actions: ['s3:ListBucket'], resources: [arn] });
  }
  if (write.length > 0)
    statements.push({ sid: 'WriteBlobs', actions: ['s3:PutObject'], resources: objectsOf(write) });
  if (removed.length > 0)
    statements.push({ sid: 'DeleteBlobs', actions: ['s3:DeleteObject'], resources: objectsOf(removed) });
  if (listed.length > 0)
    statements.push({
      sid: 'ListBlobs',
      actions: ['s3:ListBucket'],
      resources: [arn],
      conditions: { StringLike: { 's3:prefix': listed.map((folder) => `${folder}/*`) } },
    });
  return statements;
}

function queueStatements({ sendsTo = [], counts = [] }: Grants, scope: PolicyScope): Statement[] {
  const statement = (sid: string, action: string, queues: readonly string[]): Statement[] => {
    if (queues.length === 0) return [];
    const resources = queues.map((queue) =>
      queueArnOf(scope.stack, scope.platform, queueRowOf(scope.queues, queue, scope.row)),
    );
    return [{ sid, actions: [action], resources }];
  };
  return [
    ...statement('Queues', 'sqs:SendMessage', sendsTo),
    ...statement('CountQueues', 'sqs:GetQueueAttributes', counts),
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
  'event-bus': ({ stack, platform }) => [
    {
      sid: 'EventBus',
      actions: ['events:PutEvents'],
      resources: [eventBusArnOf(stack, platform.parameters)],
      conditions: { StringEquals: { 'events:source': eventSourceOf(platform.parameters) } },
    },
  ],
  ses: ({ stack }) => [
    {
      sid: 'SendEmail',
      actions: ['ses:SendEmail', 'ses:SendRawEmail'],
      resources: [sesArn(stack, 'identity', '*'), sesArn(stack, 'configuration-set', '*')],
    },
  ],
  'suppression-list': () => [
    { sid: 'SuppressionList', actions: ['ses:DeleteSuppressedDestination'], resources: ['*'] },
  ],
  'ses-identities': identityStatements,
  'receipt-rules': () => [
    {
      sid: 'ReceiptRules',
      actions: [
        'ses:CreateReceiptRule',
        'ses:DeleteReceiptRule',
        'ses:DescribeReceiptRuleSet',
        'ses:UpdateReceiptRule',
      ],
      resources: ['*'],
    },
  ],
  'text-messages': ({ stack }) => [
    {
      sid: 'TextMessages',
      actions: ['sms-voice:SendTextMessage', 'sms-voice:SendMediaMessage'],
      resources: originationArns(stack),
    },
    { sid: 'CarrierLookup', actions: ['sms-voice:CarrierLookup'], resources: ['*'] },
  ],
  'voice-messages': ({ stack }) => [
    { sid: 'VoiceMessages', actions: ['sms-voice:SendVoiceMessage'], resources: originationArns(stack) },
  ],
  'opt-out-list': ({ stack }) => [
    {
      sid: 'OptOutLists',
      actions: ['sms-voice:PutOptedOutNumber', 'sms-voice:DeleteOptedOutNumber'],
      resources: [smsArn(stack, 'opt-out-list')],
    },
  ],
  websocket: connectionStatements,
  'websocket-close': connectionStatements,
  'user-pool-create': ({ platform }) => [
    { sid: 'NewMembers', actions: ['cognito-idp:AdminCreateUser'], resources: [platform.userPool.arn] },
  ],
  'user-pool-read': ({ platform }) => [
    { sid: 'KnownMembers', actions: ['cognito-idp:AdminGetUser'], resources: [platform.userPool.arn] },
  ],
  'user-pool-update': ({ platform }) => [
    {
      sid: 'Members',
      actions: ['cognito-idp:AdminUpdateUserAttributes'],
      resources: [platform.userPool.arn],
    },
  ],
  'user-pool-delete': ({ platform }) => [
    { sid: 'FormerMembers', actions: ['cognito-idp:AdminDeleteUser'], resources: [platform.userPool.arn] },
  ],
  secrets: ({ stack, platform: { parameters } }) =>
    parameters.secretsArn ? secretStatements(stack, parameters.secretsArn) : [],
};

/** Identities belong to the AWS account: only those with the stage's tags are changed, and no other is created. */
function identityStatements({ stack, platform }: PolicyScope): Statement[] {
  const resources = [sesArn(stack, 'identity', '*')];
  const tagged = (where: 'RequestTag' | 'ResourceTag') => ({
    StringEquals: Object.fromEntries(
      Object.entries(tagsOf(platform)).map(([key, value]) => [`aws:${where}/${key}`, value]),
    ),
  });
  return [
    { sid: 'SenderDomains', actions: ['ses:GetEmailIdentity'], resources },
    {
      sid: 'NewSenderDomains',
      // Tags of a new identity are authorized as an action of its own.
      actions: ['ses:CreateEmailIdentity', 'ses:TagResource'],
      resources,
      conditions: tagged('RequestTag'),
    },
    {
      sid: 'OwnSenderDomains',
      actions: [
        'ses:DeleteEmailIdentity',
        'ses:PutEmailIdentityDkimSigningAttributes',
        'ses:PutEmailIdentityMailFromAttributes',
      ],
      resources,
      conditions: tagged('ResourceTag'),
    },
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
