import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { defined } from '../../shared/runtime/values/defined.ts';

/** Longer than ten messages take: until then, no other lane gets them. */
const HELD_SECONDS = 120;
const WAIT_SECONDS = 1;
const LANES = 8;

/**
 * Sends each message of a queue to another queue as a new message and deletes it; returns how many. SQS's own moves keep the
 * trace header, where Lambda has counted the rounds of a message: it would drop the moved message again.
 */
export async function moveBack(
  sqs: SQSClient,
  { from, to }: { from: string; to: string },
  show: (moved: number) => void,
): Promise<number> {
  let moved = 0;
  const lane = async () => {
    for (;;) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: from,
          MaxNumberOfMessages: 10,
          VisibilityTimeout: HELD_SECONDS,
          WaitTimeSeconds: WAIT_SECONDS,
          MessageSystemAttributeNames: ['MessageGroupId'],
          MessageAttributeNames: ['All'],
        }),
      );
      if (Messages.length === 0) return;
      // In turn, so that messages of a group keep their order.
      for (const message of Messages) {
        await sqs.send(new SendMessageCommand({ QueueUrl: to, ...newMessage(message) }));
        await sqs.send(new DeleteMessageCommand({ QueueUrl: from, ReceiptHandle: message.ReceiptHandle }));
        moved += 1;
        show(moved);
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return moved;
}

/** Deduplicated by the ID of the dead letter: its own may be so recent that SQS would take it for a repetition. */
function newMessage({ Body, MessageId, MessageAttributes, Attributes: { MessageGroupId } = {} }: Message) {
  return {
    MessageBody: Body,
    ...defined({ MessageAttributes }),
    ...(MessageGroupId === undefined ? {} : { MessageGroupId, MessageDeduplicationId: MessageId }),
  };
}
