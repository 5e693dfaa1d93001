import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { usageCounters } from '../../../shared/database/entities/usage-counters.ts';
import { webhooks } from '../../../shared/database/entities/webhooks.ts';
import { dueMessage } from '../../../shared/messaging/due-messages.ts';
import { DUE_QUEUE, TEXT_ANSWER_QUEUE, WEBHOOK_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import type { QueueMessage } from '../../../shared/messaging/queues-port.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import { textAnswerOf } from '../inbound/text-answers.ts';
import { raisedCallsOf } from '../webhooks/raised-calls.ts';
import { readyMessage } from './ready-message.ts';
import { recordStreamMetrics } from './stream-metrics.ts';
import { countedSendsOf, dueSoonOf, isKeptHead, readyChannelsOf } from './stream-record.ts';

/** What Lambda adds to a stream event when the event source has a window (ADR 4). */
type WindowedStreamEvent = DynamoDBStreamEvent & { shardId?: string };
type WindowedResponse = DynamoDBBatchResponse & { state: Record<string, never> };

type Outgoing = { queue: string; message: QueueMessage; recordIndex: number };

/**
 * The stream's one consumer: puts a message per channel of every notification that became ready on that channel's queue,
 * one per event that a webhook waits for on the webhook queue, and counts what was sent. A failed record and all after it come again; queues drop the repeats, counters know how far
 * they have counted.
 */
export async function handler(event: WindowedStreamEvent): Promise<WindowedResponse> {
  const records = (event.Records ?? []).filter((record) => !isKeptHead(record));
  const failedFrom = await sendReady(records);
  const done = failedFrom === undefined ? records : records.slice(0, failedFrom);
  const sends = done.flatMap(countedSendsOf);
  if (sends.length > 0) await resolve(usageCounters).count(event.shardId ?? 'unknown', sends);
  recordStreamMetrics(done);
  const failed = failedFrom === undefined ? undefined : records[failedFrom]?.dynamodb?.SequenceNumber;
  return { state: {}, batchItemFailures: failed === undefined ? [] : [{ itemIdentifier: failed }] };
}

/** Sends every record's messages; the index of the first record with a message that was not taken. */
async function sendReady(records: readonly DynamoDBRecord[]): Promise<number | undefined> {
  const nowMs = resolve(clock).now();
  const calls = await wantedCallsOf(records);
  const ready = records.flatMap((record, recordIndex): Outgoing[] => {
    const due = dueSoonOf(record, nowMs);
    const answer = textAnswerOf(record);
    return [
      ...readyChannelsOf(record).map((ready) => ({ ...readyMessage(ready), recordIndex })),
      ...(due ? [{ queue: DUE_QUEUE, message: dueMessage(due.pk, due.dueAtMs, nowMs), recordIndex }] : []),
      ...(answer ? [{ queue: TEXT_ANSWER_QUEUE, message: answer, recordIndex }] : []),
    ];
  });
  const failed = await Promise.all(
    [...Map.groupBy([...ready, ...calls], (each) => each.queue)].map(async ([queue, list]) => {
      const refused = await resolve(queues).send(
        queue,
        list.map((each) => each.message),
      );
      return refused.map((index) => list[index]?.recordIndex ?? 0);
    }),
  );
  const indexes = failed.flat();
  return indexes.length === 0 ? undefined : Math.min(...indexes);
}

/** One message per event that the environment's webhook is to be called for. */
async function wantedCallsOf(records: readonly DynamoDBRecord[]): Promise<Outgoing[]> {
  const raised = records.flatMap((record, recordIndex) =>
    raisedCallsOf(record).map((call) => ({ call, recordIndex })),
  );
  const wanted = await Promise.all(
    raised.map(({ call }) => resolve(webhooks).wantedEvents(call.environmentId)),
  );
  return raised
    .filter(({ call }, index) => wanted[index]?.has(call.eventType))
    .map(({ call, recordIndex }) => ({
      queue: WEBHOOK_QUEUE,
      message: { body: JSON.stringify(call), groupId: call.environmentId },
      recordIndex,
    }));
}
