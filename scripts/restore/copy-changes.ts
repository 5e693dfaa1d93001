import { setTimeout as sleep } from 'node:timers/promises';
import type { AttributeValue, DynamoDBClient, WriteRequest } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord, AttributeValue as StreamValue } from 'aws-lambda';
import { readableShards } from '../../infra/local/database/stream/stream-shards.ts';
import type { StreamSource } from '../../infra/local/database/stream/stream-source.ts';
import { mapAtMost } from '../../shared/runtime/async/map-at-most.ts';
import { CommandError } from '../frame/command.ts';
import { isWorkRecord, write } from './carry-over.ts';

const PAGE = 1000;
const SHARDS_AT_ONCE = 32;
/** A shard may return empty pages before its next record. */
const EMPTY_PAGES_MAX = 12;
const EMPTY_PAGE_MS = 250;
/** The stream's times are approximate. */
const MARGIN_MS = 300_000;
const END = 'end';

/** Where the changes of a table continue: a time, and in each shard that was read a record, or its end. */
export type ChangePositions = { sinceMs: number; after: Record<string, string> };

/** The positions of now: shards that are closed have nothing later. */
export async function positionsOfNow(source: StreamSource, nowMs: number): Promise<ChangePositions> {
  const closed = (await source.listShards()).filter(({ isClosed }) => isClosed);
  return { sinceMs: nowMs, after: Object.fromEntries(closed.map(({ id }) => [id, END])) };
}

type Options = {
  /** Called after each page. */
  save?: (positions: ChangePositions) => void;
  show?: (copied: number) => void;
  emptyPageMs?: number;
};

/**
 * Copies what has changed in the records of a table since the positions, from its stream: afterwards the restored table has
 * the same records. In the order of each item's changes, so that an interruption repeats some and loses none. Returns the number
 * of changes.
 */
export async function copyChanges(
  source: StreamSource,
  { client, to }: { client: DynamoDBClient; to: string },
  positions: ChangePositions,
  { save = () => {}, show = () => {}, emptyPageMs = EMPTY_PAGE_MS }: Options = {},
): Promise<number> {
  client.middlewareStack.remove('loggerMiddleware');
  const { sinceMs, after } = positions;
  const beganMs = Date.now();
  const read = new Set<string>();
  let copied = 0;

  async function copyShard(id: string): Promise<void> {
    const cursor = source.openShard(id);
    for (let empty = 0; empty < EMPTY_PAGES_MAX; ) {
      const page = await cursor.read(after[id], PAGE);
      if (page === 'trimmed')
        throw new CommandError(
          'The stream no longer has all changes: run the same command without --changes.',
        );
      const last = page.records.at(-1)?.dynamodb;
      const requests = requestsOf(page.records, sinceMs - MARGIN_MS);
      await write(client, to, requests);
      copied += requests.length;
      if (last?.SequenceNumber) after[id] = last.SequenceNumber;
      if (page.isEnd) after[id] = END;
      save(positions);
      show(copied);
      if (page.isEnd || timeOf(last) > beganMs) return;
      empty = last ? 0 : empty + 1;
      if (!last) await sleep(emptyPageMs);
    }
  }

  for (;;) {
    const readable = readableShards(await source.listShards(), (id) => after[id] === END);
    const ids = readable.filter((id) => !read.has(id));
    if (ids.length === 0) return copied;
    await mapAtMost(SHARDS_AT_ONCE, ids, async (id) => {
      await copyShard(id);
      read.add(id);
    });
  }
}

/** The last change of each item in a page. */
function requestsOf(records: readonly DynamoDBRecord[], sinceMs: number): WriteRequest[] {
  const requests = new Map<string, WriteRequest>();
  for (const { dynamodb = {} } of records) {
    const { pk, sk } = dynamodb.Keys ?? {};
    if (!pk?.S || !sk?.S || !isWorkRecord(pk.S, sk.S) || timeOf(dynamodb) < sinceMs) continue;
    const { NewImage } = dynamodb;
    requests.set(
      JSON.stringify([pk.S, sk.S]),
      NewImage
        ? { PutRequest: { Item: itemOf(NewImage) } }
        : { DeleteRequest: { Key: { pk: { S: pk.S }, sk: { S: sk.S } } } },
    );
  }
  return [...requests.values()];
}

const timeOf = (dynamodb: DynamoDBRecord['dynamodb']) => (dynamodb?.ApproximateCreationDateTime ?? 0) * 1000;

const itemOf = (image: Record<string, StreamValue>): Record<string, AttributeValue> =>
  Object.fromEntries(Object.entries(image).map(([name, value]) => [name, attributeOf(value)]));

/** A record has binary values as text. */
function attributeOf(value: StreamValue): AttributeValue {
  const { B, BS, L, M } = value;
  if (B !== undefined) return { B: Buffer.from(B, 'base64') };
  if (BS) return { BS: BS.map((each) => Buffer.from(each, 'base64')) };
  if (L) return { L: L.map(attributeOf) };
  return M ? { M: itemOf(M) } : (value as AttributeValue);
}
