import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { localClient } from '../../../infra/local/database/create-table.ts';
import { sqsRecordOf } from '../../../infra/local/queue/sqs-record.ts';
import { lambdaRecordOf } from '../../../infra/local/stream/stream-event.ts';
import { headKey } from '../../../shared/database/keys.ts';
import type { Route } from '../../../shared/http/route.ts';
import type { Worker } from '../../../shared/http/worker.ts';
import { deliveryEvent } from '../../shared/channels/email/ses-event-fixtures.ts';
import { httpEvent, type TestAccount, type TestApp } from '../../support/app.ts';
import { toSnsNotification } from '../../support/fakes/aws-sms.ts';
import { REQUESTS, type World } from './bundle-requests.ts';

/** What events are made from: what earlier calls left behind. */
export type Scene = {
  app: TestApp;
  account: TestAccount;
  world: World;
  paths: Readonly<Record<string, string>>;
  /** Bodies on a queue of the worker table. */
  messagesOf: (queue: string) => string[];
};

/** The same request twice: as API Gateway sends it, with a credential, and as a script invokes it, without. */
export function requestsOf(row: Route, { world, account, paths }: Scene): [unknown, unknown] {
  const request = REQUESTS[row.id] ?? {};
  const body = request.body ? request.body(world) : row.example?.request;
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const known = { ...paths, ...world, ...request.path?.(world) };
  const pathParameters = Object.fromEntries(names.map((name) => [name, known[name] ?? 'unknown']));
  const isPublic = row.access !== 'none' && row.access.callers.includes('public');
  const key = row.access === 'none' ? undefined : isPublic ? account.public.key : account.secret.key;
  const query = request.query ?? (isPublic && names.length === 0 ? { userId: 'ada' } : undefined);
  const text = typeof body === 'string' ? { rawBody: body } : { body };
  return [
    httpEvent({ key, path: pathParameters, ...(query ? { query } : {}), ...text }),
    { headers: {}, pathParameters, ...(query ? { queryStringParameters: query } : {}), body },
  ];
}

/** The event that Lambda gives a worker for its trigger. */
export async function eventOf({ name, trigger }: Worker, scene: Scene): Promise<unknown> {
  switch (trigger.kind) {
    case 'queue':
      return queueEvent(name, WAITING[name]?.(scene) ?? scene.messagesOf(trigger.queue));
    case 'events':
      return queueEvent(name, [toSnsNotification(PUBLISHED[trigger.source](scene))]);
    case 'stream':
      return streamEvent(scene);
    case 'schedule':
      return SCHEDULED;
    case 'websocket':
      return socketEvent(trigger.route, scene);
    case 'manual':
      return INVOKED[name];
  }
}

function queueEvent(name: string, bodies: readonly string[]) {
  const records = bodies.map((body, index) =>
    sqsRecordOf(`arn:aws:sqs:eu-central-1:123456789012:notifications-dev-${name}`, {
      messageId: `message-${index}`,
      receiptHandle: `handle-${index}`,
      body,
      receiveCount: 1,
      sentAtMs: Date.now(),
      firstReceivedAtMs: Date.now(),
      groupId: `group-${index}`,
      sequenceNumber: index,
    }),
  );
  return { Records: records };
}

/** Messages that no earlier step put on the queue. */
const WAITING: Record<string, (scene: Scene) => string[]> = {
  'collect-digest': ({ world }) => [JSON.stringify({ trackingId: world.trackingId, channel: 'EMAIL' })],
  'make-ready': ({ world }) => [JSON.stringify({ pk: `LOG#${world.scheduledId}`, dueAtMs: Date.now() })],
  'call-webhooks': ({ account }) => [
    JSON.stringify({
      id: 'msg_1',
      accountId: account.account.accountId,
      environmentId: 'of-nobody',
      eventType: 'EMAIL_OPEN',
      body: '{}',
      attempt: 1,
      attemptsMax: 3,
    }),
  ],
  'read-price': ({ world, account }) => [
    JSON.stringify({
      channel: 'SMS',
      providerMessageId: 'SM1',
      trackingId: world.trackingId,
      accountId: account.account.accountId,
    }),
  ],
  'mail-admins': ({ account }) => [
    JSON.stringify({
      kind: 'webhook',
      accountId: account.account.accountId,
      url: 'https://shop.example.com/webhooks',
      warning: 'failing',
    }),
  ],
  'answer-texts': ({ world, account }) => [
    JSON.stringify({
      ...ownerOf(account),
      kind: 'auto_reply',
      message: 'We will be back.',
      trackingId: world.trackingId,
      userId: 'ada',
      notificationId: 'everything',
      expiresAtSeconds: Math.ceil(Date.now() / 1000) + 3600,
      serviceNumber: '+15005550006',
      number: '+14155550123',
      inboundId: 'inbound-1',
    }),
  ],
};

const ownerOf = ({ account, environment }: TestAccount) => ({
  accountId: account.accountId,
  environmentId: environment.environmentId,
});

/** What outside services publish. */
const PUBLISHED: Record<'ses' | 'sms-voice' | 'two-way-sms' | 'mail', (scene: Scene) => object> = {
  ses: ({ world, account }) => {
    const event = deliveryEvent() as { mail: object };
    const { accountId, environmentId } = ownerOf(account);
    const tags = { trackingId: [world.trackingId], accountId: [accountId], envId: [environmentId] };
    return { ...event, mail: { ...event.mail, tags } };
  },
  'sms-voice': ({ world, account }) => ({
    eventType: 'TEXT_DELIVERED',
    eventVersion: '1.0',
    eventTimestamp: Date.now(),
    isFinal: true,
    originationPhoneNumber: '+15005550006',
    destinationPhoneNumber: '+14155550123',
    messageId: 'aws-1',
    messageStatus: 'DELIVERED',
    context: {
      trackingId: world.trackingId,
      accountId: account.account.accountId,
      envId: account.environment.environmentId,
    },
  }),
  'two-way-sms': () => ({
    originationNumber: '+14155550123',
    destinationNumber: '+15005550006',
    messageKeyword: 'KEYWORD',
    messageBody: 'Where is it?',
    inboundMessageId: 'aws-2',
  }),
  mail: () => ({
    notificationType: 'Received',
    mail: { messageId: 'mail-1' },
    receipt: { recipients: ['orders@mail.example.com'], virusVerdict: { status: 'PASS' } },
  }),
};

/** The head of the notification that was accepted, as the table's stream tells of it. */
async function streamEvent({ app, world }: Scene) {
  const { pk, sk } = headKey(world.trackingId ?? '');
  const Keys = { pk: { S: pk }, sk: { S: sk } };
  const command = new GetItemCommand({ TableName: app.tableName, Key: Keys });
  const { Item: NewImage } = await localClient(app.endpoint).send(command);
  const dynamodb = { Keys, SequenceNumber: '1', ApproximateCreationDateTime: new Date(), SizeBytes: 500 };
  const record = lambdaRecordOf(
    { eventID: '1', eventName: 'INSERT', dynamodb: { ...dynamodb, ...(NewImage ? { NewImage } : {}) } },
    `arn:aws:dynamodb:eu-central-1:123456789012:table/${app.tableName}/stream/1`,
  );
  return { Records: [record], shardId: 'shardId-1', state: {}, isFinalInvokeForWindow: false };
}

const SCHEDULED = {
  version: '0',
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  region: 'eu-central-1',
  resources: ['arn:aws:events:eu-central-1:123456789012:rule/tick'],
  detail: {},
};

function socketEvent(route: '$connect' | '$disconnect' | '$default', { account }: Scene) {
  const query = { userId: 'ada', envId: account.environment.environmentId };
  return {
    ...(route === '$connect' ? { queryStringParameters: query } : {}),
    ...(route === '$default' ? { body: 'ping' } : {}),
    requestContext: {
      routeKey: route,
      eventType: route === '$default' ? 'MESSAGE' : route.slice(1).toUpperCase(),
      connectionId: 'connection-1',
      stage: 'live',
      domainName: 'x.execute-api.eu-central-1.amazonaws.com',
      identity: { sourceIp: '203.0.113.7' },
    },
    isBase64Encoded: false,
  };
}

/** What operators invoke by hand. */
const INVOKED: Record<string, object> = {
  'administer-accounts': { action: 'list' },
  redrive: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', isDryRun: true },
};
