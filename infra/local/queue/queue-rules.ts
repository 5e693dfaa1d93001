import { randomUUID } from 'node:crypto';
import type { SQLOutputValue } from 'node:sqlite';
import type { QueueMessage } from '../../../shared/messaging/queues-port.ts';
import type { QueueOptions, ReceivedMessage } from './local-queues.ts';
import type { QueueSql } from './queue-sql.ts';

/** Repeats of a FIFO message's deduplication ID are dropped for five minutes, as by SQS. */
const DEDUPLICATION_MS = 5 * 60_000;

/** Characters that XML 1.0, and therefore SQS, does not allow in a message. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is rejected
const REJECTED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u;
const BODY_BYTES_MAX = 1024 * 1024;
const FIFO_ID = /^[\x21-\x7e]{1,128}$/;

/** Throws where SQS would reject a message. */
export function assertAccepted(
  { name, fifo = false }: Pick<QueueOptions, 'name' | 'fifo'>,
  { body, groupId, deduplicationId, delaySeconds = 0 }: QueueMessage,
): void {
  if (fifo && !groupId) throw new Error(`a message of the FIFO queue ${name} needs a groupId`);
  if (REJECTED.test(body)) throw new Error(`a message for ${name} has a character that SQS rejects`);
  if (Buffer.byteLength(body) > BODY_BYTES_MAX) throw new Error(`a message for ${name} is over 1 MiB`);
  for (const id of [groupId, deduplicationId])
    if (id !== undefined && !FIFO_ID.test(id))
      throw new Error(`a message for ${name} has an ID that SQS rejects`);
  if (fifo && delaySeconds > 0) throw new Error(`the FIFO queue ${name} does not support delaySeconds`);
}

/** Stores a message, unless it repeats one. */
export function insertMessage(
  sql: QueueSql,
  queue: QueueOptions,
  message: QueueMessage,
  nowMs: number,
): void {
  const { name, fifo = false } = queue;
  const { body, groupId, deduplicationId, delaySeconds = 0 } = message;
  const group = (fifo && groupId) || null;
  const deduplication = (fifo && deduplicationId) || null;
  if (deduplication !== null) {
    const { changes } = sql.keepDuplicate.run(name, deduplication, nowMs + DEDUPLICATION_MS, nowMs);
    if (changes === 0) return;
  }
  const visibleAtMs = Math.round(nowMs + delaySeconds * 1000);
  sql.insert.run(name, randomUUID(), body, group, deduplication, nowMs, visibleAtMs);
}

/** Receives messages; those received too often go to the dead letters and make room for others. */
export function takeMessages(
  sql: QueueSql,
  queue: QueueOptions,
  how: { countMax: number; nowMs: number; isHeld: boolean },
): { received: ReceivedMessage[]; buried: number } {
  const { name, receiveCountMax, deadLetterQueue } = queue;
  const received: ReceivedMessage[] = [];
  let buried = 0;
  for (;;) {
    const buriedBefore = buried;
    const rows = sql.receivable.all(name, how.nowMs, how.countMax - received.length);
    for (const row of rows) {
      if (deadLetterQueue === undefined || Number(row.receive_count) < receiveCountMax) {
        received.push(take(sql, queue, row, how));
      } else {
        sql.bury.run(deadLetterQueue, how.nowMs, Number(row.seq));
        buried += 1;
      }
    }
    if (buried === buriedBefore || received.length >= how.countMax) return { received, buried };
  }
}

function take(
  sql: QueueSql,
  queue: QueueOptions,
  row: Record<string, SQLOutputValue>,
  { nowMs, isHeld }: { nowMs: number; isHeld: boolean },
): ReceivedMessage {
  const visibleAtMs = Math.round(nowMs + queue.visibilityTimeoutSeconds * 1000);
  sql.take.run(visibleAtMs, isHeld ? 1 : 0, nowMs, Number(row.seq));
  const receiveCount = Number(row.receive_count) + 1;
  return {
    messageId: String(row.id),
    receiptHandle: `${row.seq}-${receiveCount}`,
    body: String(row.body),
    receiveCount,
    sentAtMs: Number(row.sent_at),
    firstReceivedAtMs: Number(row.first_received_at ?? nowMs),
    sequenceNumber: Number(row.seq),
    ...(row.group_id === null ? {} : { groupId: String(row.group_id) }),
    ...(row.deduplication_id === null ? {} : { deduplicationId: String(row.deduplication_id) }),
  };
}

/** A receipt names one receive of one message; an invalid one matches nothing. */
export function readReceipt(handle: string): [seq: number, receiveCount: number] {
  const [seq, receiveCount] = handle.split('-').map(Number);
  return [seq || 0, receiveCount || 0];
}
