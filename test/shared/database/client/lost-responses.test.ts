import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { openEmbeddedTable } from '../../../../infra/local/database/embedded-table.ts';
import { createDocumentClient } from '../../../../shared/database/client/document-client.ts';
import { unknownOutcome } from '../../../../shared/database/client/lost-responses.ts';
import { createDatabase, type Database } from '../../../../shared/database/database.ts';
import { createRequestCounts } from '../../../../shared/database/entities/access/request-counts.ts';
import { createThrottlePlaces } from '../../../../shared/database/entities/sending/throttle-places.ts';
import type { Throttling } from '../../../../shared/schemas/content/notification-type.ts';
import { useStarted } from '../../../support/use-started.ts';

/** How the answer to a write that was made is lost, or why a write is not made. */
type Loss = 'socket' | 500 | 503 | 'throttled';

/** A table over HTTP that makes a write and loses its answer, as often as asked. */
async function startLossyTable() {
  const { engine } = openEmbeddedTable({ file: ':memory:', tableName: 'table' });
  const losses: Loss[] = [];
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const input = JSON.parse(await text(request));
    const loss = operation === 'GetItem' ? undefined : losses.shift();
    calls.push(operation);
    const fail = (status: number, name: string) =>
      response.writeHead(status).end(JSON.stringify({ __type: `com.amazonaws#${name}`, message: name }));
    if (loss === 'throttled') return void fail(400, 'ThrottlingException');
    const { status, body } = await engine.perform(operation, input);
    if (loss === 'socket') return void response.destroy();
    if (loss) return void fail(loss, loss === 500 ? 'InternalServerError' : 'ServiceUnavailable');
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const client = createDocumentClient({ endpoint, region: 'eu-central-1', credentials });
  return {
    table: createDatabase(client, 'table'),
    losses,
    calls,
    async close() {
      client.destroy();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const lossy = useStarted(startLossyTable);
let count = 0;
let key: { pk: string; sk: string };
let table: Database;
beforeEach(() => {
  count += 1;
  key = { pk: `A#${count}`, sk: 'B' };
  table = lossy.table;
  lossy.losses.length = 0;
  lossy.calls.length = 0;
});

const NEW = { condition: 'attribute_not_exists(pk)' };
const LOSSES: Loss[] = ['socket', 500, 503];
const reservedOf = async () => (await table.get({ pk: `RATE#key#${count}`, sk: 'RATE' }))?.reserved;

/** Every kind of write, and the item that it leaves. */
const WRITES: Record<string, { before?: object; write: () => Promise<unknown>; after: object | undefined }> =
  {
    'a new item': {
      write: () => table.put({ ...key, n: 1, list: [{ x: undefined, y: 2 }] }, NEW),
      after: { n: 1, list: [{ y: 2 }] },
    },
    'an item with bytes and sets': {
      write: () => table.put({ ...key, bytes: Buffer.from('packed'), names: new Set(['b', 'a']) }, NEW),
      after: { bytes: new Uint8Array(Buffer.from('packed')) },
    },
    'an item at its revision': {
      before: { revision: 1 },
      write: () =>
        table.put(
          { ...key, revision: 2, name: 'new' },
          { condition: 'revision = :was', values: { ':was': 1 } },
        ),
      after: { revision: 2, name: 'new' },
    },
    'an item without a condition': { write: () => table.put({ ...key, n: 1 }), after: { n: 1 } },
    'an update of a state': {
      before: { state: 'open', former: true },
      write: () =>
        table.update(key, 'SET #state = :closed, a.b = :b REMOVE former', {
          condition: '#state = :open AND attribute_not_exists(a.b)',
          names: { '#state': 'state' },
          values: { ':closed': 'closed', ':open': 'open', ':b': [1] },
        }),
      after: { state: 'closed', a: { b: [1] } },
    },
    'an addition with a position': {
      before: { place: 3, counted: 10 },
      write: () =>
        table.update(key, 'SET place = :last, counted = counted + :n', {
          condition: 'place < :last',
          values: { ':last': 5, ':n': 2 },
        }),
      after: { place: 5, counted: 12 },
    },
    'a conditional delete': {
      before: { state: 'open' },
      write: () => table.delete(key, { condition: 'state2 = :open', values: { ':open': 'open' } }),
      after: undefined,
    },
    // Nobody is told what was deleted: the repetition finds nothing.
    'a delete without a condition': { before: { n: 1 }, write: () => table.delete(key), after: undefined },
    'a transaction': {
      write: async () => table.transact([{ put: { ...key, n: 1 }, ...NEW }]),
      after: { n: 1 },
    },
  };

describe('a place of a limit of a whole type whose answer is lost', () => {
  const limitOf = (max: number) => {
    const scope: Throttling['scope'] = ['notificationId', 'notificationId'];
    const config = { max, period: 1, unit: 'hours' as const, forever: false, scope };
    return { environmentId: `e${count}`, throttling: { scope: 'type-a', config } };
  };

  it.each(LOSSES)('is taken once, by %s', async (loss) => {
    const places = createThrottlePlaces(table);
    lossy.losses.push(loss);
    expect(await places.take(limitOf(20), 1)).toBeDefined();
    expect(await places.countFree(limitOf(20), 1)).toBe(19);
  });

  it('is no error if others have filled the shard since: none is taken over the limit', async () => {
    const limit = limitOf(20);
    const others = createThrottlePlaces(table);
    const key = { pk: `THROTTLE#e${count}#type-a.0`, sk: 'THROTTLE' };
    let isLast = true;
    const places = createThrottlePlaces({
      ...table,
      async update(...args) {
        if (!isLast) return table.update(...args);
        isLast = false;
        await table.update(...args);
        for (let taken = 1; taken < 20; taken += 1) await others.take(limit, 1);
        throw unknownOutcome(new Error('socket'));
      },
    });
    expect(await places.take(limit, 1)).toBeUndefined();
    expect(await table.get(key)).toMatchObject({ taken: 10 });
    expect(await others.countFree(limit, 1)).toBe(0);
  });

  it('is returned at most once', async () => {
    const place = await createThrottlePlaces(table).take(limitOf(20), 1);
    lossy.losses.push('socket');
    await place?.release();
    expect(await createThrottlePlaces(table).countFree(limitOf(20), 1)).toBe(20);
  });
});

describe('a write whose answer is lost', () => {
  const cases = Object.keys(WRITES).flatMap((name) => LOSSES.map((loss) => [name, loss] as const));
  it.each(cases)('is reported as made: %s, by %s', async (name, loss) => {
    const { before, write, after } = WRITES[name] ?? { write: async () => {}, after: {} };
    if (before) await table.put({ ...key, a: {}, ...before, state2: 'open' });
    lossy.losses.push(loss);
    expect(await write()).toMatchObject({ written: true });
    const found = await table.get(key, { consistent: true });
    if (after) expect(found).toMatchObject(after);
    else expect(found).toBeUndefined();
    expect(lossy.calls.length).toBeGreaterThanOrEqual(3);
  });

  it('is an error if another one has changed the item since: nobody knows whether it was made', async () => {
    await table.put({ ...key, revision: 1 });
    const write = () =>
      table.put({ ...key, revision: 2, by: 'ada' }, { condition: 'revision = :was', values: { ':was': 1 } });
    lossy.losses.push('socket');
    await table.put({ ...key, revision: 7 });
    lossy.losses.push('socket');
    await expect(write()).rejects.toThrow('the answer of the table was lost');
    expect(await table.get(key)).toMatchObject({ revision: 7 });
  });

  it('is made twice by no addition: it is not repeated, and one after a throttled call is', async () => {
    const counts = createRequestCounts(table);
    const wanted = { name: 'key', window: count, count: 5, limit: 100 };
    for (const loss of LOSSES) {
      lossy.losses.push(loss);
      await expect(counts.reserve(wanted, 9)).rejects.toThrow('the change may have been made');
    }
    expect(await reservedOf()).toBe(5 * LOSSES.length);
    lossy.losses.push('throttled');
    expect(await counts.reserve(wanted, 9)).toBe(true);
    expect(await reservedOf()).toBe(5 * LOSSES.length + 5);
  });
});

describe('a condition that fails', () => {
  it.each([[], ['throttled']] as Loss[][])('is no write, after %j', async (...losses) => {
    await table.put({ ...key, n: 1 });
    lossy.losses.push(...losses);
    expect(await table.put({ ...key, n: 1 }, NEW)).toEqual({ written: false, current: { ...key, n: 1 } });
  });
});
