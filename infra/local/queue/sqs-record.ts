import { createHash } from 'node:crypto';
import type { SQSRecord } from 'aws-lambda';
import { defined } from '../../../shared/runtime/defined.ts';
import type { ReceivedMessage } from './local-queues.ts';

/** A received message as in the event that Lambda builds for a queue. */
export function sqsRecordOf(queueArn: string, message: ReceivedMessage): SQSRecord {
  const { groupId, deduplicationId } = message;
  return {
    messageId: message.messageId,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: {
      ApproximateReceiveCount: String(message.receiveCount),
      SentTimestamp: String(message.sentAtMs),
      SenderId: 'local',
      ApproximateFirstReceiveTimestamp: String(message.firstReceivedAtMs),
      ...(groupId === undefined
        ? {}
        : { MessageGroupId: groupId, SequenceNumber: String(message.sequenceNumber).padStart(20, '0') }),
      ...defined({ MessageDeduplicationId: deduplicationId }),
    },
    messageAttributes: {},
    md5OfBody: createHash('md5').update(message.body).digest('hex'),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: 'local',
  };
}
