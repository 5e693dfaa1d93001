import { BatchWriteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTable, localClient } from '../../../infra/local/database/dynamodb-local/create-table.ts';
import { carryOver, startOf } from '../../../scripts/restore/carry-over.ts';
import { accountKey, environmentKey, suppressionKey } from '../../../shared/database/keys/account.ts';
import {
  topicMemberKey,
  typeKey,
  webhookCallKey,
  webhookHistoryKey,
} from '../../../shared/database/keys/environment.ts';
import type { Key } from '../../../shared/database/keys/key.ts';
import {
  digestItemKey,
  digestPk,
  headKey,
  messageKey,
  providerCallKey,
} from '../../../shared/database/keys/log.ts';
import { smsOptOutKey, smsThreadKey } from '../../../shared/database/keys/phone.ts';
import { usageKey } from '../../../shared/database/keys/usage.ts';
import {
  connectionKey,
  dedupKey,
  erasureJobKey,
  erasureKey,
  inappKey,
  preferencesKey,
  profileKey,
  snoozeKey,
  throttleStateKey,
  traceKey,
} from '../../../shared/database/keys/user.ts';
import { dynamodbEndpoint } from '../../support/dynamodb.ts';
import { newTableName } from '../../support/test-table.ts';

const AT = '2026-11-21T08:30:00.000Z';
const NUMBERS = ['+15005550006', '+12025550123'] as const;

const RECORDS: Key[] = [
  headKey('log'),
  digestItemKey(digestPk('env', 'ada', 'welcome', '', 'EMAIL', 'daily', 0), 'log'),
  erasureKey('hash'),
  erasureJobKey('env', 'ada'),
  messageKey('ses', 'message'),
  providerCallKey('log', 'sms'),
  smsOptOutKey('account', ...NUMBERS),
  smsThreadKey(...NUMBERS, 'env'),
  suppressionKey('account', 'ada@example.com'),
  throttleStateKey('env', undefined, 'type'),
  usageKey('account', '2026-11-21', 0),
  webhookHistoryKey('env', 'webhook', AT, 'message'),
  webhookCallKey('message'),
  dedupKey('env', 'ada', 'hash'),
  inappKey('env', 'ada', AT, 'log'),
  snoozeKey('env', 'ada', 'log'),
  throttleStateKey('env', 'ada', 'type'),
  traceKey('env', 'ada', 'DIGEST#…'),
];
const CONFIGURATION: Key[] = [
  accountKey('account'),
  environmentKey('account', 'env'),
  typeKey('env', 'welcome'),
  profileKey('env', 'ada'),
  preferencesKey('env', 'ada'),
  connectionKey('env', 'ada', 'connection'),
  topicMemberKey('env', 'news', 'ada'),
];

const textOf = ({ pk, sk }: Key) => `${pk} / ${sk}`;

let client: ReturnType<typeof localClient>;
let endpoint: string;
beforeAll(async () => {
  endpoint = await dynamodbEndpoint();
  client = localClient(endpoint);
});
afterAll(() => client.destroy());

it('copies every kind of record, including the end of snoozed items, and no configuration', async () => {
  const tables = { from: newTableName(), to: newTableName() };
  await Promise.all(Object.values(tables).map((name) => createTable(endpoint, name, { isStreamed: false })));
  const puts = [...RECORDS, ...CONFIGURATION].map(({ pk, sk }) => ({
    PutRequest: { Item: { pk: { S: pk }, sk: { S: sk } } },
  }));
  await client.send(new BatchWriteItemCommand({ RequestItems: { [tables.from]: puts } }));

  await carryOver(client, tables);

  const { Items = [] } = await client.send(new ScanCommand({ TableName: tables.to }));
  const copied = Items.map(({ pk, sk }) => textOf({ pk: pk?.S ?? '', sk: sk?.S ?? '' }));
  expect(copied.sort()).toEqual(RECORDS.map(textOf).sort());
});

it('continues in each segment where it was interrupted, and needs more segments for a larger table', async () => {
  expect([startOf(0).segments, startOf(1.3e12).segments, startOf(1e15).segments]).toEqual([8, 303, 1000]);
  const [from, to] = [newTableName(), newTableName()];
  for (const name of [from, to]) await createTable(endpoint, name, { isStreamed: false });
  for (let start = 0; start < 40; start += 20)
    await client.send(
      new BatchWriteItemCommand({
        RequestItems: {
          [from]: Array.from({ length: 20 }, (_, index) => ({
            PutRequest: {
              Item: { pk: { S: `LOG#${start + index}` }, sk: { S: 'HEAD' }, big: { S: 'x'.repeat(300_000) } },
            },
          })),
        },
      }),
    );
  const positions = startOf(0);
  let pages = 0;
  const save = () => {
    pages += 1;
    if (pages === 5) throw new Error('interrupted');
  };
  await expect(carryOver(client, { from, to }, { positions, save })).rejects.toThrow('interrupted');
  const stored = JSON.parse(JSON.stringify(positions));
  const rest = await carryOver(client, { from, to }, { positions: stored });
  expect(rest.examined).toBeLessThan(40);
  expect(rest.examined).toBeGreaterThan(0);
  expect((await carryOver(client, { from, to })).copied).toBe(0);
});

it('copies in parts, each of its own segments, which are all segments together', async () => {
  const parts = [1, 2, 3, 4].map((part) => startOf(part * 1e12, { part, of: 4 }));
  const own = parts.flatMap(({ segments, after }) =>
    [...Array(segments).keys()].filter((segment) => after[segment] === undefined),
  );
  expect(own.sort((left, right) => left - right)).toEqual([...Array(1000).keys()]);
  const [from, to] = [newTableName(), newTableName()];
  for (const name of [from, to]) await createTable(endpoint, name, { isStreamed: false });
  const puts = RECORDS.map(({ pk, sk }) => ({ PutRequest: { Item: { pk: { S: pk }, sk: { S: sk } } } }));
  await client.send(new BatchWriteItemCommand({ RequestItems: { [from]: puts } }));
  let copied = 0;
  for (const part of [2, 1]) {
    const positions = startOf(0, { part, of: 2 });
    copied += (await carryOver(client, { from, to }, { positions })).copied;
  }
  expect(copied).toBe(RECORDS.length);
});
