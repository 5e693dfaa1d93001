import { ChangeMessageVisibilityCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { requireSetting } from '../config.ts';
import type { QueueMessage, Queues } from './queues.ts';

const BATCH_SIZE = 10;
/** The client's connections: more calls would only wait for one, and count that against their time. */
const BATCHES_AT_ONCE = 40;
/** SQS takes 1 MiB a batch; our messages are ids, so ten always fit. */
const VISIBILITY_SECONDS_MAX = 43_200;

/** SQS queues, whose URLs stand in `QUEUE_URL_<NAME>`. */
export function createSqsQueues(): Queues {
  const client = new SQSClient({
    maxAttempts: 3,
    requestHandler: { requestTimeout: 8000, connectionTimeout: 2000 },
  });
  const urlOf = (queue: string) => requireSetting(`QUEUE_URL_${queue.toUpperCase().replaceAll('-', '_')}`);

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
          ...(message.groupId ? { MessageGroupId: message.groupId } : {}),
          ...(message.deduplicationId ? { MessageDeduplicationId: message.deduplicationId } : {}),
          ...(message.delaySeconds ? { DelaySeconds: message.delaySeconds } : {}),
        })),
      }),
    );
    return (output.Failed ?? []).map((failed) => Number(failed.Id));
  }

  return {
    async send(queue, messages) {
      const refused: number[] = [];
      let next = 0;
      const lane = async () => {
        while (next < messages.length) {
          const start = next;
          next += BATCH_SIZE;
          refused.push(...(await sendBatch(queue, messages.slice(start, start + BATCH_SIZE), start)));
        }
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
  };
}
