import { isDeepStrictEqual } from 'node:util';
import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
  ScanCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { SUPPRESSION_PREFIX } from '../../shared/database/keys/account.ts';
import { WEBHOOK_ATTEMPTS_PREFIX, WEBHOOK_CALL_PREFIX } from '../../shared/database/keys/environment.ts';
import { LOG_PK_PREFIX, USER_PK_PREFIX } from '../../shared/database/keys/key.ts';
import {
  DIGEST_PREFIX,
  MESSAGE_PREFIX,
  PROVIDER_CALL_PREFIX,
  RETRY_PREFIX,
} from '../../shared/database/keys/log.ts';
import { SMS_OPT_OUT_PREFIX, SMS_THREAD_PREFIX } from '../../shared/database/keys/phone.ts';
import { USAGE_PREFIX } from '../../shared/database/keys/usage.ts';
import {
  CONSENT_PREFIX,
  DEDUP_PREFIX,
  ERASED_PREFIX,
  ERASURE_PASS_PREFIX,
  ERASURE_PREFIX,
  INAPP_PREFIX,
  SNOOZE_PREFIX,
  THROTTLE_PREFIX,
  TRACE_PREFIX,
} from '../../shared/database/keys/user.ts';
import { chunksOf } from '../../shared/runtime/async/chunks.ts';
import { mapAtMost } from '../../shared/runtime/async/map-at-most.ts';
import { CommandError } from '../frame/command.ts';

type StoredItem = Record<string, AttributeValue>;
type Keys = { pk: AttributeValue; sk: AttributeValue };
/** Items read from the current table, and items that the restored table lacked or had differently. */
export type CarriedOver = { examined: number; copied: number };

/**
 * A table's records of completed work: the delivery log with waiting notifications, received messages, usage,
 * opt-outs, erasures. The rest is configuration, which a restore resets to the time of the backup.
 */
const RECORDS = [
  DIGEST_PREFIX,
  ERASED_PREFIX,
  ERASURE_PASS_PREFIX,
  ERASURE_PREFIX,
  LOG_PK_PREFIX,
  MESSAGE_PREFIX,
  PROVIDER_CALL_PREFIX,
  RETRY_PREFIX,
  SMS_OPT_OUT_PREFIX,
  SMS_THREAD_PREFIX,
  SUPPRESSION_PREFIX,
  THROTTLE_PREFIX,
  USAGE_PREFIX,
  WEBHOOK_ATTEMPTS_PREFIX,
  WEBHOOK_CALL_PREFIX,
];
/** The same within a user's partition, by sort key. */
const RECORDS_OF_USERS = [
  CONSENT_PREFIX,
  DEDUP_PREFIX,
  INAPP_PREFIX,
  SNOOZE_PREFIX,
  THROTTLE_PREFIX,
  TRACE_PREFIX,
];

/** True for a record, by its keys. */
export function isWorkRecord(pk: string, sk: string): boolean {
  const ofUser = pk.startsWith(USER_PK_PREFIX) && RECORDS_OF_USERS.some((prefix) => sk.startsWith(prefix));
  return ofUser || RECORDS.some((prefix) => pk.startsWith(prefix));
}

const SEGMENTS_MIN = 8;
/** A restart in the middle of a large table repeats at most a page of each segment. */
const SEGMENT_BYTES = 4 * 1024 ** 3;
const SEGMENTS_MAX = 1000;
const AT_ONCE = 32;
const READ_MAX = 100;
const WRITE_MAX = 25;
const WRITES_AT_ONCE = 8;
const TRIES_MAX = 10;

/** Where each segment continues: after an item, or nowhere once it is read. */
export type Positions = { segments: number; after: Record<number, StoredItem | 'done'> };

export type Part = { part: number; of: number };

/** The beginning of a table of this size, in as many segments as it needs. Segments of other parts count as done. */
export function startOf(sizeBytes: number, { part, of }: Part = { part: 1, of: 1 }): Positions {
  const needed = Math.max(SEGMENTS_MIN, Math.ceil(sizeBytes / SEGMENT_BYTES));
  // AWS measures the size every few hours: parts that begin at different times must agree.
  const segments = of > 1 ? SEGMENTS_MAX : Math.min(SEGMENTS_MAX, needed);
  const others = [...Array(segments).keys()].filter((segment) => segment % of !== part - 1);
  return { segments, after: Object.fromEntries(others.map((segment) => [segment, 'done'])) };
}

type Options = {
  isDryRun?: boolean;
  show?: (so: CarriedOver) => void;
  positions?: Positions;
  /** Called after each page, with the positions where an interrupted copy continues. */
  save?: (positions: Positions) => void;
};

/**
 * Copies the records from the table in use to a table restored from its backup. Then the restored table shows
 * everything that was sent, so nothing is sent twice, and has everything that was accepted, so nothing is
 * lost. Safe to repeat.
 */
export async function carryOver(
  client: DynamoDBClient,
  tables: { from: string; to: string },
  { isDryRun = false, show = () => {}, positions = startOf(0), save = () => {} }: Options = {},
): Promise<CarriedOver> {
  // It copies each item for a log that nobody reads: half of the time that an item takes here.
  client.middlewareStack.remove('loggerMiddleware');
  const total: CarriedOver = { examined: 0, copied: 0 };
  const { segments, after } = positions;
  await mapAtMost(AT_ONCE, [...Array(segments).keys()], async (segment) => {
    for (let at = after[segment]; at !== 'done'; at = after[segment]) {
      const { items, next } = await readPage(client, tables.from, { segment, segments, after: at });
      const different = await findDifferent(client, tables.to, items);
      if (!isDryRun)
        await write(
          client,
          tables.to,
          different.map((Item) => ({ PutRequest: { Item } })),
        );
      total.examined += items.length;
      total.copied += different.length;
      after[segment] = next ?? 'done';
      save(positions);
      show(total);
    }
  });
  return total;
}

async function readPage(
  client: DynamoDBClient,
  table: string,
  { segment, segments, after }: { segment: number; segments: number; after: StoredItem | undefined },
): Promise<{ items: StoredItem[]; next: StoredItem | undefined }> {
  const names = RECORDS.map((_, index) => `begins_with(pk, :p${index})`);
  const ofUsers = RECORDS_OF_USERS.map((_, index) => `begins_with(sk, :s${index})`);
  const page = await client.send(
    new ScanCommand({
      TableName: table,
      Segment: segment,
      TotalSegments: segments,
      ConsistentRead: true,
      FilterExpression: `${names.join(' OR ')} OR (begins_with(pk, :user) AND (${ofUsers.join(' OR ')}))`,
      ExpressionAttributeValues: {
        ...Object.fromEntries(RECORDS.map((prefix, index) => [`:p${index}`, { S: prefix }])),
        ...Object.fromEntries(RECORDS_OF_USERS.map((prefix, index) => [`:s${index}`, { S: prefix }])),
        ':user': { S: USER_PK_PREFIX },
      },
      ExclusiveStartKey: after,
    }),
  );
  return { items: page.Items ?? [], next: page.LastEvaluatedKey };
}

async function findDifferent(
  client: DynamoDBClient,
  table: string,
  items: readonly StoredItem[],
): Promise<StoredItem[]> {
  const different: StoredItem[] = [];
  for (const part of chunksOf(items, READ_MAX)) {
    const stored = await readAll(client, table, part.map(keysOf));
    different.push(...part.filter((item) => !isDeepStrictEqual(stored.get(nameOf(item)), item)));
  }
  return different;
}

/** At half the price: what a late read shows as different is copied once more. */
async function readAll(
  client: DynamoDBClient,
  table: string,
  keys: readonly Keys[],
): Promise<Map<string, StoredItem>> {
  const found = new Map<string, StoredItem>();
  let waiting: readonly StoredItem[] = keys;
  for (let tries = 1; waiting.length > 0; tries += 1) {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [table]: { Keys: [...waiting] } } }),
    );
    for (const item of Responses?.[table] ?? []) found.set(nameOf(item), item);
    waiting = UnprocessedKeys?.[table]?.Keys ?? [];
    await pauseFor(waiting.length, tries, table);
  }
  return found;
}

/** Requests about different items. */
export async function write(
  client: DynamoDBClient,
  table: string,
  requests: readonly WriteRequest[],
): Promise<void> {
  await mapAtMost(WRITES_AT_ONCE, chunksOf(requests, WRITE_MAX), async (part) => {
    let waiting: readonly WriteRequest[] = part;
    for (let tries = 1; waiting.length > 0; tries += 1) {
      const { UnprocessedItems } = await client.send(
        new BatchWriteItemCommand({ RequestItems: { [table]: [...waiting] } }),
      );
      waiting = UnprocessedItems?.[table] ?? [];
      await pauseFor(waiting.length, tries, table);
    }
  });
}

/** DynamoDB omits throttled items from a batch. */
async function pauseFor(left: number, tries: number, table: string): Promise<void> {
  if (left === 0) return;
  if (tries === TRIES_MAX)
    throw new CommandError(`Table ${table} is throttled. Run the same command again: it continues.`);
  await new Promise((resume) => setTimeout(resume, 50 * 2 ** tries));
}

function keysOf({ pk = { S: '' }, sk = { S: '' } }: StoredItem): Keys {
  return { pk, sk };
}

const nameOf = ({ pk, sk }: StoredItem) => JSON.stringify([pk?.S, sk?.S]);
