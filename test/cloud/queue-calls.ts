import { createHash, randomUUID } from 'node:crypto';
import type { LocalQueues } from '../../infra/local/queue/local-queues.ts';
import type { FakeReply } from '../support/fakes/http-fake.ts';
import type { Resource } from './templates.ts';

type QueueEntry = {
  Id: string;
  MessageBody?: string;
  DelaySeconds?: number;
  MessageGroupId?: string;
  MessageDeduplicationId?: string;
  ReceiptHandle?: string;
  VisibilityTimeout?: number;
};

/** Input of a call to SQS: of one message, or of a batch. */
export type QueueInput = Omit<QueueEntry, 'Id'> & { QueueUrl: string; Entries?: QueueEntry[] };

/** The reply of SQS to a call about one of the deployment's queues, by name. */
export function queueReply(
  queues: LocalQueues,
  queueByName: ReadonlyMap<string, Resource>,
  operation: string,
  input: QueueInput,
): FakeReply {
  const name = input.QueueUrl.split('/').at(-1) ?? '';
  const queue = queueByName.get(name);
  if (!queue)
    return {
      status: 400,
      headers: { 'x-amzn-errortype': 'QueueDoesNotExist' },
      body: { __type: 'com.amazonaws.sqs#QueueDoesNotExist' },
    };
  if (operation === 'ChangeMessageVisibility') {
    queues.changeVisibility(name, input.ReceiptHandle ?? '', input.VisibilityTimeout ?? 0);
    return { status: 200, body: {} };
  }
  const single: QueueEntry[] | undefined = operation === 'SendMessage' ? [{ Id: '0', ...input }] : undefined;
  const entries = single ?? input.Entries ?? [];
  if (entries.length > 10)
    return { status: 400, headers: { 'x-amzn-errortype': 'TooManyEntriesInBatchRequest' }, body: {} };
  if (operation === 'ChangeMessageVisibilityBatch') {
    for (const { ReceiptHandle = '', VisibilityTimeout = 0 } of entries)
      queues.changeVisibility(name, ReceiptHandle, VisibilityTimeout);
    return { status: 200, body: { Successful: entries.map(({ Id }) => ({ Id })), Failed: [] } };
  }
  if (!operation.startsWith('SendMessage')) throw new Error(`SQS ${operation} is not emulated`);
  const isFifo = queue.properties.FifoQueue === true;
  const problem = entries.map((entry) => problemOf(entry, isFifo, queue)).find(Boolean);
  if (problem)
    return {
      status: 400,
      headers: { 'x-amzn-errortype': 'InvalidParameterValue' },
      body: { __type: 'com.amazonaws.sqs#InvalidParameterValue', message: `${name}: ${problem}` },
    };
  queues.send(
    name,
    entries.map((entry) => ({
      body: entry.MessageBody ?? '',
      ...(entry.DelaySeconds ? { delaySeconds: entry.DelaySeconds } : {}),
      ...(entry.MessageGroupId && isFifo ? { groupId: entry.MessageGroupId } : {}),
      ...(entry.MessageDeduplicationId ? { deduplicationId: entry.MessageDeduplicationId } : {}),
    })),
  );
  const results = entries.map(({ Id, MessageBody = '' }) => ({
    Id,
    MessageId: randomUUID(),
    MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
  }));
  return { status: 200, body: single ? (results[0] ?? {}) : { Successful: results, Failed: [] } };
}

/** Returns the reason for which SQS rejects a message on this kind of queue; undefined if it accepts it. */
function problemOf(entry: QueueEntry, isFifo: boolean, { properties }: Resource): string | undefined {
  if (!isFifo) return entry.MessageDeduplicationId && 'a standard queue accepts no MessageDeduplicationId';
  if (!entry.MessageGroupId) return 'a FIFO queue needs a MessageGroupId';
  if (entry.DelaySeconds) return 'a FIFO queue accepts no DelaySeconds';
  return entry.MessageDeduplicationId || properties.ContentBasedDeduplication
    ? undefined
    : 'a FIFO queue needs a MessageDeduplicationId';
}
