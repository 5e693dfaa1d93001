import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AttributeValue, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../../functions/routes.ts';
import { createTable, localClient } from '../../../infra/local/database/dynamodb-local/create-table.ts';
import { createLocalKeyWrapper } from '../../../infra/local/files/key-file.ts';
import { loadRoute } from '../../../infra/local/functions/load.ts';
import { keyWrapper } from '../../../shared/encryption/keyring.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { turnOnStream } from '../../functions/workers/restore/backup.ts';
import { call, type TestRequest } from '../../support/app.ts';
import { dynamodbEndpoint } from '../../support/dynamodb.ts';
import { inLanes } from '../../support/lanes.ts';
import { usePipeline } from '../../support/pipeline.ts';
import { localTable, newTableName } from '../../support/test-table.ts';

/**
 * A response of the earlier release, and its request. Its attempts to call webhooks, which expire within
 * days, have other keys: they are not listed.
 */
type Get = { id: string; name?: string; isPublic: boolean; request: TestRequest; response: unknown };
/** A table as the earlier release left it, with all its responses about it. */
type Release = {
  nowMs: number;
  accountId: string;
  secretKey: string;
  publicKey: string;
  trackingIds: Record<string, string>;
  blobs: Record<string, string>;
  gets: Get[];
  items: Record<string, AttributeValue>[];
};

const RELEASE: Release = JSON.parse(
  readFileSync(join(import.meta.dirname, 'stored/release-1.json'), 'utf8'),
  (_, value) => (typeof value?.base64 === 'string' ? Buffer.from(value.base64, 'base64') : value),
);
const KINDS = [
  'ACCOUNT ACCOUNT',
  'ACCOUNT ADDRESS',
  'ACCOUNT DATAKEY',
  'ACCOUNT DOMAIN',
  'ACCOUNT ENV',
  'ACCOUNT KEY',
  'ACCOUNT MEMBER',
  'ACCOUNT ORGANIZATION',
  'ACCOUNT SETTING',
  'CLAIM CLAIM',
  'CONNECTION CONNECTION',
  'DEDUP DEDUP',
  'DEPLOYMENT ACCOUNT',
  'DEPLOYMENT SECRET',
  'DEPLOYMENT SWEEP',
  'DIGEST BUCKET',
  'DIGEST ITEM',
  'ENV COMPONENT',
  'ENV REFERENCE',
  'ENV TYPE',
  'ENV WEBHOOK',
  'ERASED ERASED',
  'LOG EVENT',
  'LOG HEAD',
  'SMSTHREAD ENV',
  'TEMPLATES TEMPLATE',
  'THROTTLE THROTTLE',
  'USAGE DAY',
  'USER CONNECTION',
  'USER INAPP',
  'USER PREFERENCES',
  'USER PROFILE',
  'USER TRACE',
  'WEBHOOKATTEMPTS',
  'WEBHOOKCALL CALL',
];
const HOUR_MS = 3_600_000;

const pipeline = usePipeline();
beforeAll(async () => {
  process.env.BACKEND_PLATFORM = 'sandbox';
  process.env.PAYMENT_PROVIDER = 'sandbox';
  process.env.DOMAIN_PROVIDER = 'sandbox';
  process.env.MAIL_RECEIVING = 'on';
  // The key that wrapped the account's data key.
  replace(keyWrapper, () => createLocalKeyWrapper(Buffer.alloc(32, 7)));
  for (const [name, bytes] of Object.entries(RELEASE.blobs))
    pipeline.blobs.set(name, Buffer.from(bytes, 'base64'));
  // Its stream starts empty, as after an update.
  const tableName = newTableName();
  const endpoint = await dynamodbEndpoint();
  await createTable(endpoint, tableName, { isStreamed: false });
  const client = localClient(endpoint);
  await inLanes(RELEASE.items, (Item) => client.send(new PutItemCommand({ TableName: tableName, Item })));
  client.destroy();
  await pipeline.pause();
  pipeline.resume(localTable(endpoint, tableName, await turnOnStream(endpoint, tableName)));
  pipeline.clock.nowMs = RELEASE.nowMs;
});

async function ask({ id, isPublic, request }: Omit<Get, 'response'>) {
  const row = ROUTES.find((each) => each.id === id);
  if (!row) throw new Error(`there is no operation ${id}`);
  const key = row.access === 'none' ? undefined : isPublic ? RELEASE.publicKey : RELEASE.secretKey;
  return call(await loadRoute(row), { ...request, key });
}

const familyOf = (item: Release['items'][number]) => {
  const [pk = ''] = String(item.pk?.S).split('#');
  return pk.startsWith('WEBHOOKATTEMPTS') ? pk : `${pk} ${String(item.sk?.S).split('#')[0]}`;
};

describe('items stored by the earlier release', () => {
  it('include every kind of item of that release', () => {
    expect([...new Set(RELEASE.items.map(familyOf))].sort()).toEqual(KINDS);
  });

  it.each(RELEASE.gets.map((get): [string, Get] => [`${get.id} ${get.name ?? ''}`.trim(), get]))(
    'return the recorded response: %s',
    async (_, get) => {
      const { status, json } = await ask(get);
      expect([status, json?.error]).toEqual([200, undefined]);
      const { attempts: _attempts, ...response } = Object(get.response);
      expect(json).toMatchObject(get.id === 'getEventWebhook' ? response : Object(get.response));
    },
  );

  it('go out when they are due', async () => {
    for (const hours of [1, 2, 24]) await pipeline.goTo(RELEASE.nowMs + hours * HOUR_MS);
    const sentOf = (name: string) =>
      pipeline.outbox
        .filter(({ trackingId }) => trackingId === RELEASE.trackingIds[name])
        .map(({ channel }) => channel)
        .sort();
    expect(sentOf('scheduled')).toEqual(['EMAIL', 'SMS']);
    const texts = pipeline.outbox.map(({ message }) => String(Object(message).message));
    const digests = texts.filter((text) => text.includes('Soon one') && text.includes('Soon two'));
    expect(digests).toHaveLength(1);
    expect(pipeline.errors).toEqual([]);
  });
});
