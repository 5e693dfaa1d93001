import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTable, localClient } from '../../infra/local/database/dynamodb-local/create-table.ts';
import { dynamodbEndpoint } from '../support/dynamodb.ts';
import { type HttpFake, startHttpFake } from '../support/fakes/http-fake.ts';
import { localTable, newTableName } from '../support/test-table.ts';
import { useStarted } from '../support/use-started.ts';
import { startFakeAws } from './fake-aws.ts';

const aws = useStarted(startFakeAws);
let endpoint: string;
let dynamodb: HttpFake;
let lambda: HttpFake;
/** Of the event source of `dev`. */
let state: string;
beforeEach(() => {
  state = 'Disabled';
});
/** Operations by name, as they were called. */
const operations: string[] = [];

beforeAll(async () => {
  // The embedded stream has every change at once: nothing comes after an empty page.
  timers.setTimeout = async () => undefined as never;
  syncBuiltinESMExports();
  endpoint = await dynamodbEndpoint();
  lambda = await startHttpFake(() => ({
    status: 200,
    body: {
      EventSourceMappings: [
        { FunctionArn: 'arn:aws:lambda:local:1:function:notifications-dev-dispatch', State: state },
        { FunctionArn: 'arn:aws:lambda:local:1:function:notifications-dev2-dispatch', State: 'Enabled' },
      ],
    },
  }));
  dynamodb = await startHttpFake(async ({ headers, body }) => {
    const operation = String(headers['x-amz-target']).split('.')[1] ?? '';
    operations.push(operation);
    // Local tables have no backups, and a stream cannot be turned on later.
    if (operation === 'UpdateContinuousBackups' || operation === 'UpdateTable')
      return { status: 200, body: {} };
    const names = ['content-type', 'x-amz-target', 'authorization', 'x-amz-date'];
    const given = names.map((name): [string, string] => [name, String(headers[name])]);
    const response = await fetch(endpoint, { method: 'POST', headers: given, body: body.toString('utf8') });
    return { status: response.status, body: await response.text() };
  });
});
afterAll(async () => {
  await lambda.close();
  await dynamodb.close();
});

async function tableOf(items: readonly Record<string, string>[]): Promise<string> {
  const tableName = newTableName();
  await createTable(endpoint, tableName, { isStreamed: false });
  await putAll(tableName, items);
  return tableName;
}

async function putAll(tableName: string, items: readonly Record<string, string>[]): Promise<void> {
  const client = localClient(endpoint);
  for (const item of items) {
    const Item = Object.fromEntries(Object.entries(item).map(([name, text]) => [name, { S: text }]));
    await client.send(new PutItemCommand({ TableName: tableName, Item }));
  }
}

async function itemsOf(tableName: string): Promise<string[]> {
  const { Items = [] } = await localClient(endpoint).send(new ScanCommand({ TableName: tableName }));
  return Items.map(({ pk, sk, value }) => [pk?.S, sk?.S, value?.S].join(' ')).sort();
}

const restore = (...args: string[]) =>
  aws.run('restore.ts', args, {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_DYNAMODB_STREAMS: endpoint,
    AWS_ENDPOINT_URL_LAMBDA: lambda.url,
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

describe('npm run restore while sending continues', () => {
  it('copies all, then only changes, and turns the table on once the deployment is paused', async () => {
    state = 'Enabled';
    const [from, table] = [newTableName(), await tableOf(BACKUP)];
    await createTable(endpoint, from);
    await putAll(from, OLD);
    const run = async (...args: string[]) => {
      operations.length = 0;
      const { code, output, errors } = await restore('--from', from, '--table', table, ...args);
      return { code, output, errors, isOn: operations.includes('UpdateTable') };
    };
    expect(await run('--changes')).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/continues a copy/),
    });
    const copied = await run();
    expect([copied.code, copied.isOn], copied.errors).toEqual([0, false]);
    expect(copied.output).toMatch(/^4 of 4 items .* Next: the same with --changes/);

    const { documents } = localTable(endpoint, from, '');
    const Item = {
      pk: 'LOG#3',
      sk: 'EVENT#email#sent',
      p: new Uint8Array([1, 2, 255]),
      f: {},
      l: [{ x: 1 }],
    };
    await documents.send(new PutCommand({ TableName: from, Item }));
    await documents.send(new DeleteCommand({ TableName: from, Key: { pk: 'LOG#1', sk: 'HEAD' } }));
    await putAll(from, [{ pk: 'ENV#e', sk: 'TYPE#news', value: 'changed again' }]);
    state = 'Disabling';
    const changed = await run('--changes');
    expect([changed.code, changed.isOn], changed.errors).toEqual([0, true]);
    expect(changed.output).toMatch(/ changes of .* were copied .* Next: deploy with --tableName/);
    const { Item: stored } = await documents.send(
      new GetCommand({ TableName: table, Key: { pk: Item.pk, sk: Item.sk } }),
    );
    expect(stored).toEqual(Item);
    expect(await itemsOf(table)).toEqual([
      'ENV#e TYPE#news as it was',
      'LOG#2 HEAD new',
      'LOG#3 EVENT#email#sent ',
      'SUPPRESSION#a#1 SUPPRESSION bounced',
      'USER#e#ada INAPP#1 shown',
      'USER#e#ada PROFILE as it was',
    ]);
    expect(JSON.parse((await run('--changes', '--json')).output)).toMatchObject({ copied: 0, isOn: true });
  });
});

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
    expect([code, JSON.parse(output)]).toEqual([0, { from, to: table, examined: 4, copied: 4, isOn: true }]);
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
    [['--table', 'restored', '--part', '0/4'], '--part must be such as 1/4'],
    [['--table', 'restored', '--part', '5/4'], '--part must be such as 1/4'],
    [['--table', 'restored', '--part', '1'], '--part must be such as 1/4'],
    [['--table', 'restored', '--part', '1/33'], '--part must be such as 1/4'],
    [['--table', 'restored', '--part', 'a/b'], '--part must be such as 1/4'],
    [['--table', 'same', '--from', 'same'], 'The deployment already uses same'],
  ])('rejects %j', async (args, problem) => {
    const { code, errors } = await restore(...args);
    expect([code, errors.includes(problem)], errors).toEqual([2, true]);
  });
});
