import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTableWithoutStream,
  localClient,
} from '../../infra/local/database/dynamodb-local/create-table.ts';
import { dynamodbEndpoint } from '../support/dynamodb.ts';
import { type HttpFake, startHttpFake } from '../support/fakes/http-fake.ts';
import { newTableName } from '../support/test-table.ts';
import { useStarted } from '../support/use-started.ts';
import { startFakeAws } from './fake-aws.ts';

const aws = useStarted(startFakeAws);
let endpoint: string;
let dynamodb: HttpFake;
/** Operations by name, as they were called. */
const operations: string[] = [];

beforeAll(async () => {
  endpoint = await dynamodbEndpoint();
  dynamodb = await startHttpFake(async ({ headers, body }) => {
    const operation = String(headers['x-amz-target']).split('.')[1] ?? '';
    operations.push(operation);
    // No local table has backups, and no stream is turned on later.
    if (operation === 'UpdateContinuousBackups' || operation === 'UpdateTable')
      return { status: 200, body: {} };
    const names = ['content-type', 'x-amz-target', 'authorization', 'x-amz-date'];
    const given = names.map((name): [string, string] => [name, String(headers[name])]);
    const answer = await fetch(endpoint, { method: 'POST', headers: given, body: body.toString('utf8') });
    return { status: answer.status, body: await answer.text() };
  });
});
afterAll(async () => {
  await dynamodb.close();
});

async function tableOf(items: readonly Record<string, string>[]): Promise<string> {
  const tableName = newTableName();
  await createTableWithoutStream(endpoint, tableName);
  const client = localClient(endpoint);
  for (const item of items) {
    const Item = Object.fromEntries(Object.entries(item).map(([name, text]) => [name, { S: text }]));
    await client.send(new PutItemCommand({ TableName: tableName, Item }));
  }
  return tableName;
}

async function itemsOf(tableName: string): Promise<string[]> {
  const { Items = [] } = await localClient(endpoint).send(new ScanCommand({ TableName: tableName }));
  return Items.map(({ pk, sk, value }) => [pk?.S, sk?.S, value?.S].join(' ')).sort();
}

const restore = (...args: string[]) =>
  aws.run('restore.ts', args, {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_REGION: 'local',
  });

const OLD = [
  { pk: 'LOG#1', sk: 'HEAD', value: 'sent' },
  { pk: 'LOG#2', sk: 'HEAD', value: 'new' },
  { pk: 'USER#e#ada', sk: 'INAPP#1', value: 'shown' },
  { pk: 'USER#e#ada', sk: 'PROFILE', value: 'changed since' },
  { pk: 'SUPPRESSION#a#1', sk: 'SUPPRESSION', value: 'bounced' },
  { pk: 'ENV#e', sk: 'TYPE#news', value: 'deleted by mistake, made again' },
];
const BACKUP = [
  { pk: 'LOG#1', sk: 'HEAD', value: 'scheduled' },
  { pk: 'USER#e#ada', sk: 'PROFILE', value: 'as it was' },
  { pk: 'ENV#e', sk: 'TYPE#news', value: 'as it was' },
];

describe('npm run restore', () => {
  it('copies the records since the backup, and no configuration', async () => {
    const [from, table] = await Promise.all([tableOf(OLD), tableOf(BACKUP)]);
    const dry = await restore('--from', from, '--table', table, '--dry-run');
    expect([dry.code, dry.output], dry.errors).toEqual([
      0,
      `4 of 4 items of ${from} would be copied to ${table}.\n`,
    ]);
    expect(await itemsOf(table)).toEqual(BACKUP.map((item) => Object.values(item).join(' ')).sort());

    operations.length = 0;
    const { code, output } = await restore('--from', from, '--table', table, '--json');
    expect([code, JSON.parse(output)]).toEqual([0, { from, to: table, examined: 4, copied: 4 }]);
    expect(await itemsOf(table)).toEqual([
      'ENV#e TYPE#news as it was',
      'LOG#1 HEAD sent',
      'LOG#2 HEAD new',
      'SUPPRESSION#a#1 SUPPRESSION bounced',
      'USER#e#ada INAPP#1 shown',
      'USER#e#ada PROFILE as it was',
    ]);
    expect(operations).toEqual(
      expect.arrayContaining(['UpdateTable', 'UpdateTimeToLive', 'UpdateContinuousBackups']),
    );
    const again = await restore('--from', from, '--table', table, '--json');
    expect([again.code, JSON.parse(again.output).copied]).toEqual([0, 0]);
  });

  it('copies nothing without a source table', async () => {
    const table = await tableOf(BACKUP);
    const { code, output } = await restore('--table', table, '--without-log');
    expect([code, output.split('.')[0]]).toEqual([0, `Nothing is copied to ${table}`]);
    expect(await itemsOf(table)).toHaveLength(3);
  });

  it('reports a table that does not exist before it copies anything', async () => {
    const table = await tableOf(BACKUP);
    for (const args of [
      ['--from', 'gone', '--table', table],
      ['--from', table, '--table', 'gone'],
    ]) {
      const { code, errors } = await restore(...args);
      expect([code, errors]).toEqual([1, 'Table gone does not exist in local.\n']);
    }
  });

  it.each([
    [[], 'restore needs --table'],
    [['--table', 'same', '--from', 'same'], 'The deployment already uses same'],
  ])('rejects %j', async (args, problem) => {
    const { code, errors } = await restore(...args);
    expect([code, errors.includes(problem)], errors).toEqual([2, true]);
  });
});
