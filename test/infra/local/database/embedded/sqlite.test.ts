import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openEngine } from '../../../../../infra/local/database/embedded/engine.ts';
import { readSequence } from '../../../../../infra/local/database/embedded/tables/arns.ts';
import { openEmbeddedStream } from '../../../../../infra/local/database/embedded-stream.ts';
import { openEmbeddedTable } from '../../../../../infra/local/database/embedded-table.ts';
import { tableInput } from '../../../../../infra/local/database/table-input.ts';

const TableName = 'sqlite';
const HOUR_MS = 3_600_000;
const folder = mkdtempSync(join(tmpdir(), 'embedded-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const newFile = () => join(mkdtempSync(join(folder, 'file-')), 'table.sqlite');
const open = (file: string, more: { nowMs?: () => number } = {}) =>
  openEmbeddedTable({ file, tableName: TableName, ...more });
const item = (sk: string, more: object = {}) => ({ pk: { S: 'p' }, sk: { S: sk }, ...more });
type Opened = ReturnType<typeof open>;
const put = ({ engine }: Opened, sk: string, more: object = {}) =>
  engine.perform('PutItem', { TableName, Item: item(sk, more) });
const countIn = ({ engine }: Opened) => engine.perform('Scan', { TableName }).body.Count;
const streamOf = async ({ engine }: Opened, after?: string) => {
  const page = await openEmbeddedStream(engine.table(TableName)).openShard('').read(after, 100);
  return page === 'trimmed' ? [] : page.records;
};

describe('the file of an embedded table', () => {
  it('belongs to one process: another is told so, and may open it when the first has ended', () => {
    const file = newFile();
    const one = open(file);
    put(one, 'a');
    expect(() => open(file)).toThrow(`${file} is in use by another process: stop it, or use another file.`);
    const command = resolve(
      import.meta.dirname,
      '../../../../../infra/local/database/server/table-command.ts',
    );
    const second = spawnSync(process.execPath, [command, '--port', '0', '--file', file], {
      encoding: 'utf8',
    });
    expect([second.status, second.stderr]).toEqual([1, expect.stringMatching(/^\S+ is in use .*\n$/)]);
    put(one, 'b');
    one.engine.close();
    expect(countIn(open(file))).toBe(2);
  });

  it('hides a change that was undone from its stream', async () => {
    const table = open(':memory:');
    put(table, 'a');
    table.engine.limitPages(1);
    expect(put(table, 'b', { t: { S: 'x'.repeat(300_000) } }).status).toBe(500);
    table.engine.limitPages(1_000_000);
    put(table, 'c');
    const changes = table.engine.table(TableName).changes.after(0, 10);
    expect(changes.map(({ sequence, key }) => [sequence, key.sk?.S])).toEqual([
      [1, 'a'],
      [2, 'c'],
    ]);
  });

  it('tells of what changes from the moment at which its stream is turned on, also when it is opened again', async () => {
    const file = newFile();
    const engine = openEngine({ file });
    engine.perform('CreateTable', tableInput(TableName, { isStreamed: false }));
    const before = { engine } as Opened;
    put(before, 'a');
    const turnOn = (StreamSpecification: object, more: object = {}) =>
      engine.perform('UpdateTable', { TableName, StreamSpecification, ...more });
    const onlyOn = { StreamEnabled: true };
    const spec = { ...onlyOn, StreamViewType: 'NEW_IMAGE' };
    expect(turnOn(onlyOn)).toMatchObject({ status: 400, body: { __type: 'ValidationException' } });
    const unsupported = { message: 'UpdateTable with BillingMode is not supported here' };
    expect(turnOn(spec, { BillingMode: 'PROVISIONED' }).body).toMatchObject(unsupported);
    expect(turnOn(spec).body.TableDescription).toMatchObject({ LatestStreamArn: expect.any(String) });
    expect(turnOn(spec).body.message).toBe(`Table already has an enabled stream: TableName: ${TableName}`);
    put(before, 'b');
    engine.close();
    const again = open(file);
    put(again, 'c');
    expect((await streamOf(again)).map(({ dynamodb }) => dynamodb?.Keys?.sk?.S)).toEqual(['b', 'c']);
  });

  it('has all that was acknowledged and all or nothing of a transaction when its process is killed', async () => {
    const file = newFile();
    open(file).engine.close();
    const writer = join(import.meta.dirname, 'killed-writer.ts');
    const child = spawn(process.execPath, [resolve(writer), file, TableName], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    let acknowledged = 0;
    for await (const chunk of child.stdout) {
      acknowledged += String(chunk).split('\n').length - 1;
      if (acknowledged > 200) child.kill('SIGKILL');
    }
    expect(await closed).toEqual([null, 'SIGKILL']);
    const { body } = open(file).engine.perform('Scan', { TableName, ProjectionExpression: 'pk, sk' });
    const groups = Map.groupBy(body.Items as { pk: { S: string } }[], ({ pk }) => pk.S);
    expect(groups.size).toBeGreaterThanOrEqual(acknowledged);
    expect(new Set([...groups.values()].map(({ length }) => length))).toEqual(new Set([3]));
  });

  it('keeps the position of its stream and what expires when it is opened again', async () => {
    const file = newFile();
    const first = open(file);
    const TimeToLiveSpecification = { Enabled: true, AttributeName: 'expiresAt' };
    first.engine.perform('UpdateTimeToLive', { TableName, TimeToLiveSpecification });
    put(first, 'a', { expiresAt: { N: '1800000000' } });
    put(first, 'b');
    const [seen] = await streamOf(first);
    first.engine.close();
    const again = open(file);
    const rest = await streamOf(again, seen?.dynamodb?.SequenceNumber);
    expect(rest.map(({ dynamodb }) => dynamodb?.Keys?.sk?.S)).toEqual(['b']);
    expect(again.engine.expire(TableName, 1_800_000_000_000 - 1)).toBe(0);
    expect(again.engine.expire(TableName, 1_800_000_000_000)).toBe(1);
    expect(countIn(again)).toBe(1);
    const [last] = (await streamOf(again)).slice(-1);
    expect(last).toMatchObject({
      eventName: 'REMOVE',
      userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
    });
  });

  it('has the changes of 24 hours, and gives no sequence number twice', async () => {
    let nowMs = Date.parse('2026-11-21T00:00:00Z');
    const table = open(newFile(), { nowMs: () => nowMs });
    put(table, 'a');
    const [old] = await streamOf(table);
    nowMs += 25 * HOUR_MS;
    expect(await streamOf(table)).toEqual([]);
    for (let at = 0; at < 1100; at += 1) put(table, `b${at}`);
    const { engine } = table;
    const kept = engine.table(TableName).changes.after(0, 2000);
    expect(kept).toHaveLength(1100);
    expect(kept[0]?.sequence).toBeGreaterThan(readSequence(old?.dynamodb?.SequenceNumber ?? ''));
  });

  it('gives changes again to a reader that is behind another', () => {
    const table = open(newFile());
    for (const id of ['a', 'b', 'c']) put(table, id);
    const { changes } = table.engine.table(TableName);
    const all = changes.after(0, 10);
    expect(all).toHaveLength(3);
    expect(changes.after(all[1]?.sequence ?? 0, 10)).toEqual(all.slice(2));
    expect(changes.after(changes.last(), 10)).toEqual([]);
    expect(changes.after(0, 10)).toEqual(all);
  });

  it('answers 500 and changes nothing while the disk is full, and goes on afterwards', () => {
    const file = newFile();
    const table = open(file);
    put(table, 'a');
    // SQLite lowers it no further than to the pages in use.
    table.engine.limitPages(1);
    const large = { t: { S: 'x'.repeat(300_000) } };
    expect(put(table, 'b', large)).toMatchObject({ status: 500, body: { __type: 'InternalServerError' } });
    expect(countIn(table)).toBe(1);
    table.engine.limitPages(1_000_000);
    expect([put(table, 'b', large).status, countIn(table)]).toEqual([200, 2]);
  });

  it.each([
    [
      'numbers of a sort key',
      ['-1E125', '-10', '-9.5', '-9', '-1E-130', '0', '1E-130', '0.5', '1', '1.01', '2', '10', '1E125'],
      'N',
    ],
    ['texts by their bytes', ['\u0000', 'A', 'a', 'a\u0000', 'aa', 'é', '\ufb00', '𝄞'], 'S'],
    ['bytes', ['AA==', 'AAA=', 'AQ==', 'fw==', 'gA==', '/w=='], 'B'],
  ])('orders %s as DynamoDB does', (_, values, AttributeType) => {
    const { engine } = open(':memory:');
    engine.perform('CreateTable', {
      TableName: 'ordered',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'h', AttributeType: 'S' },
        { AttributeName: 'r', AttributeType },
      ],
      KeySchema: [
        { AttributeName: 'h', KeyType: 'HASH' },
        { AttributeName: 'r', KeyType: 'RANGE' },
      ],
    });
    const shuffled = values.toSorted((left, right) => left.length - right.length || (left < right ? 1 : -1));
    for (const value of shuffled)
      engine.perform('PutItem', {
        TableName: 'ordered',
        Item: { h: { S: 'h' }, r: { [AttributeType]: value }, v: { S: value } },
      });
    const { body } = engine.perform('Query', {
      TableName: 'ordered',
      KeyConditionExpression: 'h = :h',
      ExpressionAttributeValues: { ':h': { S: 'h' } },
    });
    expect((body.Items as { v: { S: string } }[]).map(({ v }) => v.S)).toEqual(values);
  });
});
