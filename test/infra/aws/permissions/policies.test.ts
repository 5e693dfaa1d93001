import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../../../functions/routes.ts';
import { WORKERS } from '../../../../functions/workers.ts';
import { WITHOUT_RESOURCE } from '../../../../infra/aws/permissions/accepted-findings.ts';
import { LEADING_KEYS, WORKER_LEADING_KEYS } from '../../../../infra/aws/permissions/leading-keys.ts';
import { fileNameOf, type Grants } from '../../../../shared/http/rows/route.ts';
import type { Trigger } from '../../../../shared/http/rows/worker.ts';
import {
  functionIn,
  PRODUCTION,
  productionTemplates,
  referredBy,
  type Synthesized,
  textOf,
} from '../synthesized.ts';

type Row = { id: string; grants: Grants; trigger?: Trigger };
type Statement = { sid: string; actions: string[]; resources: string[]; condition: unknown };

const ROWS: Row[] = [
  ...ROUTES.map(({ id, grants }) => ({ id: fileNameOf(id), grants })),
  ...WORKERS.map(({ name, grants, trigger }) => ({ id: name, grants, trigger })),
];

let all: Synthesized;

beforeAll(async () => {
  all = await productionTemplates();
});

function statementsOf(id: string): Statement[] {
  const invoked = functionIn(all, id, PRODUCTION.stage);
  const role = referredBy(all, invoked, invoked.properties.Role);
  expect(role.properties.ManagedPolicyArns).toBeUndefined();
  const documents = role.properties.Policies as {
    PolicyDocument: { Statement: Record<string, unknown>[] };
  }[];
  return documents
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .map(({ Sid, Effect, Action, Resource, Condition }) => {
      expect(Effect).toBe('Allow');
      return {
        sid: String(Sid),
        actions: [Action].flat().map(String),
        resources: [Resource].flat().map(textOf),
        condition: Condition,
      };
    });
}

/** The permissions of a row, written a second time. */
const TABLE: Record<NonNullable<Grants['table']>[number], string[]> = {
  get: ['dynamodb:GetItem'],
  batchGet: ['dynamodb:BatchGetItem'],
  query: ['dynamodb:Query'],
  put: ['dynamodb:PutItem'],
  update: ['dynamodb:UpdateItem'],
  delete: ['dynamodb:DeleteItem'],
  check: ['dynamodb:ConditionCheckItem'],
  batchWrite: ['dynamodb:BatchWriteItem'],
  scan: ['dynamodb:Scan'],
};
const KEYRING = { encrypt: 'kms:GenerateDataKey', decrypt: 'kms:Decrypt' };
const SERVICES: Record<NonNullable<Grants['services']>[number], string[]> = {
  'event-bus': ['events:PutEvents'],
  ses: ['ses:SendEmail', 'ses:SendRawEmail'],
  'suppression-list': ['ses:DeleteSuppressedDestination'],
  'ses-identities': [
    'ses:CreateEmailIdentity',
    'ses:DeleteEmailIdentity',
    'ses:GetEmailIdentity',
    'ses:PutEmailIdentityDkimSigningAttributes',
    'ses:PutEmailIdentityMailFromAttributes',
    'ses:TagResource',
  ],
  'receipt-rules': [
    'ses:CreateReceiptRule',
    'ses:DeleteReceiptRule',
    'ses:DescribeReceiptRuleSet',
    'ses:UpdateReceiptRule',
  ],
  'text-messages': ['sms-voice:CarrierLookup', 'sms-voice:SendMediaMessage', 'sms-voice:SendTextMessage'],
  'voice-messages': ['sms-voice:SendVoiceMessage'],
  'opt-out-list': ['sms-voice:DeleteOptedOutNumber', 'sms-voice:PutOptedOutNumber'],
  websocket: ['execute-api:ManageConnections'],
  'websocket-close': ['execute-api:ManageConnections'],
  'user-pool-create': ['cognito-idp:AdminCreateUser'],
  'user-pool-read': ['cognito-idp:AdminGetUser'],
  'user-pool-delete': ['cognito-idp:AdminDeleteUser'],
  'user-pool-update': ['cognito-idp:AdminUpdateUserAttributes'],
  secrets: ['kms:Decrypt', 'secretsmanager:GetSecretValue'],
};
const EVERY_FUNCTION = ['logs:CreateLogStream', 'logs:PutLogEvents'];
const READS_QUEUE = [
  'sqs:ChangeMessageVisibility',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  'sqs:ReceiveMessage',
];
const READS_STREAM = [
  'dynamodb:DescribeStream',
  'dynamodb:GetRecords',
  'dynamodb:GetShardIterator',
  'dynamodb:ListStreams',
  'sqs:SendMessage',
];
const TRIGGERS: Record<Trigger['kind'], string[]> = {
  queue: READS_QUEUE,
  events: READS_QUEUE,
  stream: READS_STREAM,
  topic: ['sqs:SendMessage'],
  schedule: ['sqs:SendMessage'],
  websocket: [],
  manual: [],
};

function actionsOf({ grants, trigger }: Row): string[] {
  return [
    ...new Set([
      ...EVERY_FUNCTION,
      ...(grants.table ?? []).flatMap((each) => TABLE[each]),
      ...(grants.indexes?.length ? ['dynamodb:Query'] : []),
      ...(grants.keyring ?? []).map((each) => KEYRING[each]),
      ...(grants.blobs?.read ? ['s3:GetObject'] : []),
      ...(grants.blobs?.read || grants.blobs?.list ? ['s3:ListBucket'] : []),
      ...(grants.blobs?.write ? ['s3:PutObject'] : []),
      ...(grants.blobs?.delete ? ['s3:DeleteObject'] : []),
      ...(grants.sendsTo?.length ? ['sqs:SendMessage'] : []),
      ...(grants.counts?.length ? ['sqs:GetQueueAttributes'] : []),
      ...(grants.services ?? []).flatMap((each) => SERVICES[each]),
      ...(trigger ? TRIGGERS[trigger.kind] : []),
    ]),
  ].sort();
}

describe('IAM roles', () => {
  it('allow the actions of their row and no others', () => {
    for (const row of ROWS) {
      const actions = [...new Set(statementsOf(row.id).flatMap((statement) => statement.actions))].sort();
      expect({ id: row.id, actions }).toEqual({ id: row.id, actions: actionsOf(row) });
    }
  });

  it('allow access to the table itself, and to an index only when the row names it', () => {
    for (const { id, grants } of ROWS) {
      const data = statementsOf(id).filter(({ sid }) => ['Table', 'Indexes'].includes(sid));
      const indexes = data
        .flatMap(({ resources }) => resources)
        .filter((resource) => resource.includes('/index/'));
      expect(indexes.map((resource) => resource.split('/index/')[1]).sort()).toEqual(
        [...(grants.indexes ?? [])].sort(),
      );
      for (const { resources } of data) for (const resource of resources) expect(resource).toMatch(/Table/);
    }
  });

  it('allow access only to the partition keys of their resource, where it builds every key', () => {
    const rows = [
      ...ROUTES.map(({ id, resource, grants }) => ({ id, grants, families: LEADING_KEYS[resource] })),
      ...WORKERS.map(({ name, grants }) => ({ id: name, grants, families: WORKER_LEADING_KEYS[name] })),
    ];
    for (const { id, grants, families } of rows) {
      const [table] = statementsOf(fileNameOf(id)).filter(({ sid }) => sid === 'Table');
      const patterns = families?.map((family) => (family === 'DEPLOYMENT' ? family : `${family}#*`));
      const condition = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns } };
      expect({ id, condition: table?.condition }).toEqual({
        id,
        condition: families && grants.table ? condition : undefined,
      });
    }
    expect(LEADING_KEYS.unsubscribe).not.toContain('TEMPLATES');
  });

  it('read and write files only in the folders of their row', () => {
    const foldersOf = (id: string, sid: string) =>
      statementsOf(id)
        .filter((statement) => statement.sid === sid)
        .flatMap(({ resources }) => resources.map((resource) => /\/(\w+)\/\*$/.exec(resource)?.[1]))
        .sort();
    for (const { id, grants } of ROWS) {
      expect({ id, read: foldersOf(id, 'ReadBlobs'), written: foldersOf(id, 'WriteBlobs') }).toEqual({
        id,
        read: [...(grants.blobs?.read ?? [])].sort(),
        written: [...(grants.blobs?.write ?? [])].sort(),
      });
    }
  });

  it("create SES identities with the stage's tags, and change and delete no others", () => {
    const tagged = (key: string) => ({
      StringEquals: {
        [`aws:${key}/application`]: 'notifications',
        [`aws:${key}/stage`]: PRODUCTION.stage,
      },
    });
    const changes = ROWS.flatMap(({ id }) => statementsOf(id)).flatMap(({ actions, condition }) =>
      actions
        .filter((action) => /^ses:(?!Get|Send|DeleteSuppressed|\w+ReceiptRule)/.test(action))
        .map((action) => [action, condition] as const),
    );
    expect(changes.length).toBeGreaterThanOrEqual(5);
    for (const [action, condition] of changes) {
      const key = /^ses:(Create|Tag)/.test(action) ? 'RequestTag' : 'ResourceTag';
      expect([action, condition]).toEqual([action, tagged(key)]);
    }
  });

  it("use the key for accounts' data keys only", () => {
    for (const { id, grants } of ROWS) {
      const uses = statementsOf(id).filter(
        ({ sid, actions }) => sid !== 'KeyOfSecrets' && actions.some((action) => action.startsWith('kms:')),
      );
      expect(uses).toHaveLength(grants.keyring?.length ? 1 : 0);
      for (const { condition } of uses) {
        expect(condition).toEqual({
          'ForAnyValue:StringEquals': { 'kms:EncryptionContextKeys': ['accountId'] },
        });
      }
    }
  });

  it.each([
    ['send to', 'Queues', 'sendsTo'],
    ['count the messages of', 'CountQueues', 'counts'],
  ] as const)('%s the queues of their row and no others', (_, statement, grant) => {
    for (const { id, grants } of ROWS) {
      const own = statementsOf(id).filter(({ sid }) => sid === statement);
      const names = own.flatMap(({ resources }) =>
        resources.map(
          (arn) => /^notifications-prod-([\w-]+?)(\.fifo)?$/.exec(arn.split(':').at(-1) ?? '')?.[1],
        ),
      );
      expect(names.sort()).toEqual([...(grants[grant] ?? [])].sort());
    }
  });

  it('have no wildcard in an action, and none in a resource without a documented reason', () => {
    for (const { id } of [...ROWS, { id: 'preflight' }]) {
      for (const { sid, actions, resources } of statementsOf(id)) {
        expect(actions.filter((action) => action.includes('*'))).toEqual([]);
        if (resources.includes('*')) expect(Object.keys(WITHOUT_RESOURCE), `${id} ${sid}`).toContain(sid);
      }
    }
  });

  it('read the one secret that the deployment names', () => {
    const reading = ROWS.filter(({ grants }) => grants.services?.includes('secrets'));
    expect(reading.length).toBeGreaterThan(0);
    for (const { id } of reading) {
      const secrets = statementsOf(id).filter(({ sid }) => sid === 'Secrets');
      expect(secrets.flatMap(({ resources }) => resources)).toEqual([PRODUCTION.secretsArn]);
      const [key] = statementsOf(id).filter(({ sid }) => sid === 'KeyOfSecrets');
      // A key of the owner's, whose use for anything but this secret stays forbidden.
      expect(key?.resources).toEqual(['arn:aws:kms:eu-central-1:111122223333:key/*']);
      expect(key?.condition).toEqual({
        StringEquals: {
          'kms:EncryptionContext:SecretARN': PRODUCTION.secretsArn,
          'kms:ViaService': { 'Fn::Join': ['', ['secretsmanager.eu-central-1.', { Ref: 'AWS::URLSuffix' }]] },
        },
      });
    }
  });
});
