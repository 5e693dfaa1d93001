import {
  ChangeMessageVisibilityCommand,
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { requireVariable } from '../runtime/config.ts';
import { requestLimits } from '../runtime/request-limits.ts';
import type { QueueMessage, Queues } from './queues-port.ts';

const BATCH_SIZE = 10;
/** The client's connections: more calls would only wait for one, and count that against their time. */
const BATCHES_AT_ONCE = 40;
/** SQS accepts 1 MiB per batch; the rest is for IDs and groups. */
const BATCH_BYTES_MAX = 1000 * 1024;
const VISIBILITY_SECONDS_MAX = 43_200;

/** SQS queues, whose URLs are in `QUEUE_URL_<NAME>`. */
export function createSqsQueues(): Queues {
  const client = new SQSClient({
    maxAttempts: 3,
    requestHandler: requestLimits(),
  });
  const urlOf = (queue: string) => requireVariable(`QUEUE_URL_${queue.toUpperCase().replaceAll('-', '_')}`);

  async function sendBatch(
    queue: string,
    messages: readonly QueueMessage[],
    offset: number,
  ): Promise<number[]> {
    const output = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: urlOf(queue),
        Entries: messages.map((message, index) => ({
          Id: String(offset + index),
          MessageBody: message.body,
          MessageGroupId: message.groupId || undefined,
          MessageDeduplicationId: message.deduplicationId || undefined,
          DelaySeconds: message.delaySeconds || undefined,
        })),
      }),
    );
    return (output.Failed ?? []).map((failed) => Number(failed.Id));
  }

  return {
    async send(queue, messages) {
      const refused: number[] = [];
      const waiting = batchesOf(messages).values();
      const lane = async () => {
        for (const { start, end } of waiting)
          refused.push(...(await sendBatch(queue, messages.slice(start, end), start)));
      };
      await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, lane));
      return refused;
    },
    async changeVisibility(queue, receiptHandle, seconds) {
      await client.send(
        new ChangeMessageVisibilityCommand({
          QueueUrl: urlOf(queue),
          ReceiptHandle: receiptHandle,
          VisibilityTimeout: Math.min(VISIBILITY_SECONDS_MAX, Math.max(0, Math.ceil(seconds))),
        }),
      );
    },
    async countWaiting(queue) {
      const { Attributes } = await client.send(
        new GetQueueAttributesCommand({
          QueueUrl: urlOf(queue),
          AttributeNames: ['ApproximateNumberOfMessages'],
        }),
      );
      return Number(Attributes?.ApproximateNumberOfMessages ?? 0);
    },
  };
}

/** Most messages are IDs; webhook calls contain strangers' content, and ten of those may exceed one batch. */
function batchesOf(messages: readonly QueueMessage[]): { start: number; end: number }[] {
  const batches: { start: number; end: number }[] = [];
  let sizeBytes = 0;
  for (const [index, { body }] of messages.entries()) {
    const bodyBytes = Buffer.byteLength(body);
    const last = batches.at(-1);
    if (last && index - last.start < BATCH_SIZE && sizeBytes + bodyBytes <= BATCH_BYTES_MAX) {
      last.end = index + 1;
      sizeBytes += bodyBytes;
    } else {
      batches.push({ start: index, end: index + 1 });
      sizeBytes = bodyBytes;
    }
  }
  return batches;
}
