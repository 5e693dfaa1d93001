import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { type EmbeddedTable, openEmbeddedTable } from '../../../../infra/local/database/embedded-table.ts';
import { asWorker, inRounds } from '../../../../infra/local/database/rounds.ts';

const TableName = 'rounds';
const TEXT = 'x'.repeat(300_000);
let table: EmbeddedTable;
/** Keys of what was done, in its order. */
let done: string[];

const key = (sk: string) => ({ pk: 'p', sk });

async function put(sk: string, t = ''): Promise<void> {
  await table.client.send(new PutCommand({ TableName, Item: { ...key(sk), t } }));
  done.push(sk);
}
const putAll = (names: readonly string[]) => Promise.all(names.map((name) => put(name)));
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

beforeEach(() => {
  done = [];
  table = openEmbeddedTable({ file: ':memory:', tableName: TableName, performing: inRounds });
});

describe('rounds of the embedded table', () => {
  it('perform what requests want before most of what workers began earlier', async () => {
    const worker = asWorker(() => putAll(names('worker', 100)));
    await putAll(names('request', 50));
    expect(done.filter((sk) => sk.startsWith('request'))).toHaveLength(50);
    expect(done.length).toBeLessThan(55);
    await worker;
    expect(done).toHaveLength(150);
    const inOrder = done.filter((sk) => sk.startsWith('worker'));
    expect(inOrder).toEqual(names('worker', 100));
  });

  it.each([
    [1, 15],
    [20, 750],
  ])('leave workers a share while %i requests come all the time', async (count, operationsMax) => {
    let isOver = false;
    const requests = Promise.all(
      names('request', count).map(async (name) => {
        while (!isOver) await put(name);
      }),
    );
    await asWorker(() => putAll(names('worker', 100)));
    isOver = true;
    await requests;
    const ofRequests = done.slice(0, done.indexOf('worker99')).filter((sk) => sk.startsWith('request'));
    expect(ofRequests.length).toBeLessThan(operationsMax);
  });

  it('have one commit, but one operation that fails or is rejected changes nothing for the others', async () => {
    await put('before');
    table.engine.limitPages(1);
    const isRejected = { TableName, Item: key('before'), ConditionExpression: 'attribute_not_exists(pk)' };
    const outcomes = await Promise.allSettled([
      table.client.send(new GetCommand({ TableName, Key: key('before') })),
      put('a'),
      put('large', TEXT),
      table.client.send(new PutCommand(isRejected)),
      put('b'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled'],
    ]);
    const [first, , third, fourth] = outcomes;
    expect(first).toMatchObject({ value: { Item: key('before') } });
    expect(third).toMatchObject({ reason: { name: 'InternalServerError' } });
    expect(fourth).toMatchObject({ reason: { name: 'ConditionalCheckFailedException' } });
    table.engine.limitPages(1_000_000);
    await put('large', TEXT);
    const changes = table.engine.table(TableName).changes.after(0, 10);
    expect(changes.map(({ key }) => key.sk?.S)).toEqual(['before', 'a', 'b', 'large']);
  });
});
