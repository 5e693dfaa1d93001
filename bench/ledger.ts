import { AsyncLocalStorage } from 'node:async_hooks';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDatabase, type Database } from '../shared/database/database.ts';
import type { Key } from '../shared/database/keys/key.ts';
import { readEventSk } from '../shared/database/keys/log.ts';
import type { Item } from '../shared/database/table.ts';
import { add, type Pair, unitsOf } from './capacity.ts';

/** The consumption of one kind of step. */
export type Step = Pair & { name: string; calls: number; storedBytes: number };

/** The consumption of the service since the last reset, by step. */
export type Ledger = {
  database: Database;
  reset(): void;
  steps(): Step[];
};

type Call = { step: string };

/**
 * The table's operations, recording the consumption of each. Where DynamoDB Local is known to count less than
 * AWS (capacity-probe.ts), the difference is added: keys of a batch without an item, the second unit of a
 * transaction's writes, and writes whose condition failed.
 */
export function openLedger(client: DynamoDBDocumentClient, tableName: string): Ledger {
  const steps = new Map<string, Step>();
  const calls = new AsyncLocalStorage<Call>();

  function book(name: string, units: Pair, callCount: number, storedBytes = 0): void {
    const step = steps.get(name) ?? { name, calls: 0, write: 0, read: 0, storedBytes: 0 };
    add(step, units);
    step.calls += callCount;
    step.storedBytes += storedBytes;
    steps.set(name, step);
  }

  const plain = createDatabase(client, tableName, (operation, capacity) => {
    const step = calls.getStore()?.step ?? operation;
    const { table, indexes } = unitsOf(operation, capacity);
    const factor = operation === 'transact' ? 2 : 1;
    book(step, scaled(table, factor), 1);
    for (const [index, units] of Object.entries(indexes)) book(`${index} index`, scaled(units, factor), 0);
  });
  const inStep = <T>(step: string, run: () => Promise<T>) => calls.run({ step }, run);

  async function written<T extends { written: boolean }>(
    step: string,
    item: Item,
    run: () => Promise<T>,
  ): Promise<T> {
    const outcome = await inStep(step, run);
    if (!outcome.written) book(`${step}, condition failed`, { write: writeUnitsOf(item), read: 0 }, 1);
    return outcome;
  }

  const database: Database = {
    get: (key, options) => inStep(stepOf('get', key), () => plain.get(key, options)),
    async batchGet(keys, options) {
      const step = 'sending context (batch get)';
      const found = await inStep(step, () => plain.batchGet(keys, options));
      const missing = found.filter((item) => item === undefined).length;
      book(step, { write: 0, read: missing * (options?.consistent ? 1 : 0.5) }, 0);
      return found;
    },
    async put(item, options) {
      const step = `${stepOf('put', keyOf(item))}${item.d === undefined ? '' : ' and delivered'}`;
      const outcome = await written(step, item, () => plain.put(item, options));
      if (outcome.written) book(step, { write: 0, read: 0 }, 0, storedBytesOf(item));
      return outcome;
    },
    batchPut: async (items) => {
      const [first] = items;
      if (!first) return [];
      const step = stepOf('put', keyOf(first));
      const unwritten = await inStep(step, () => plain.batchPut(items));
      book(
        step,
        { write: 0, read: 0 },
        0,
        items.reduce((sum, item) => sum + storedBytesOf(item), 0),
      );
      return unwritten;
    },
    update: (key, expression, options) =>
      written(stepOf('update', key), key, () => plain.update(key, expression, options)),
    delete: (key, options) => written(stepOf('delete', key), key, () => plain.delete(key, options)),
    query: (input) => inStep(stepOf('query', queriedKey(input)), () => plain.query(input)),
    queryAll: (pk, prefix, options) =>
      inStep(stepOf('query', { pk, sk: prefix }), () => plain.queryAll(pk, prefix, options)),
    transact: (actions, options) => inStep('transaction', () => plain.transact(actions, options)),
  };
  return { database, reset: () => steps.clear(), steps: () => [...steps.values()] };
}

/** `put LOG EVENT#email#sent` -> `put log event sent`: without IDs and channels. */
function stepOf(operation: string, { pk, sk }: Key): string {
  const [kind = ''] = pk.split('#');
  const read = readEventSk(sk);
  const event = read ? `event ${read.stage}` : (sk.split('#')[0] ?? '');
  return `${operation} ${kind} ${event}`.trim().toLowerCase();
}

function keyOf(item: Item): Key {
  return { pk: String(item.pk), sk: String(item.sk) };
}

function queriedKey(input: {
  IndexName?: string | undefined;
  ExpressionAttributeValues?: Item | undefined;
}): Key {
  return { pk: String(input.ExpressionAttributeValues?.[':pk'] ?? input.IndexName ?? ''), sk: '' };
}

function scaled({ write, read }: Pair, factor: number): Pair {
  return { write: write * factor, read: read * factor };
}

export function writeUnitsOf(item: Item): number {
  return Math.max(1, Math.ceil(sizeOf(item) / 1024));
}

/** DynamoDB stores 100 bytes more with each item and with each index entry. */
function storedBytesOf(item: Item): number {
  const entry = Object.fromEntries(
    ['pk', 'sk', 'feedPk', 'feedSk', 'duePk', 'dueSk'].flatMap((name) =>
      name in item ? [[name, item[name]]] : [],
    ),
  );
  const isIndexed = 'feedPk' in item || 'duePk' in item;
  return sizeOf(item) + 100 + (isIndexed ? sizeOf(entry) + 100 : 0);
}

/** The size of a value as DynamoDB counts it, bytes (Developer Guide, "Item sizes and formats"). */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).replace(/\D/g, '').length / 2) + 1;
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + 1 + sizeOf(each), 3);
  if (typeof value === 'object' && value !== null) return 3 + attributesSizeOf(value);
  return 1;
}

function attributesSizeOf(attributes: object): number {
  return Object.entries(attributes).reduce(
    (sum, [name, value]) => sum + (value === undefined ? 0 : Buffer.byteLength(name) + 1 + sizeOf(value)),
    0,
  );
}

/** True if a step is one of the ticks of a clock: they are paid by the month, not by the notification. */
export const isTick = (name: string) => /sweep|^query due|lease|costwatch/.test(name);
