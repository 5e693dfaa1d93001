import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { WORKERS } from '../../functions/workers.ts';
import {
  FAILED_INVOCATIONS,
  type QueueRow,
  queueNameOf,
  queuesOf,
} from '../../infra/aws/triggers/queue-address.ts';
import { isAwsError } from '../../shared/http-client/aws-fault.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { CommandError } from '../frame/command.ts';
import type { parametersOf } from '../frame/deployment.ts';
import { callSandbox } from '../frame/local-run.ts';
import { AWS_CLIENT } from '../frame/proxy.ts';
import { invokeAgain, type Requeued } from './failed-invocations.ts';

/** Longer than ten messages take: until then, no other lane gets them. */
const HELD_SECONDS = 120;
const WAIT_SECONDS = 1;
const LANES = 8;

/**
 * Sends each message of a queue to another queue as a new message and deletes it; returns how many. SQS's own moves keep the
 * trace header, where Lambda has counted the rounds of a message: it would drop the moved message again.
 */
async function moveBack(
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

export type DeadLetterCount = { queue: string; count: number };

/** The dead letters of a deployment, or of the local run. */
export type DeadLetters = {
  /** In AWS about as many as there are: SQS counts approximately. */
  count(queues: readonly QueueRow[]): Promise<DeadLetterCount[]>;
  /** Moves them back to their queue; `show` gets how many were moved so far. */
  requeue(queue: QueueRow, show: (moved: number) => void): Promise<Requeued>;
};

const isRead = (queue: string) =>
  WORKERS.some(({ trigger }) => 'queue' in trigger && trigger.queue === queue);

/**
 * The queues that messages can be moved back to, by their names in the worker table, and the failed invocations. Not the
 * failures of the stream: no worker reads them.
 */
export const QUEUES: ReadonlyMap<string, QueueRow> = new Map([
  ...[...queuesOf(WORKERS)].filter(([name]) => isRead(name)),
  [FAILED_INVOCATIONS, { name: FAILED_INVOCATIONS, isFifo: false }],
]);

export function awsDeadLetters(parameters: ReturnType<typeof parametersOf>): DeadLetters {
  const client = new SQSClient(AWS_CLIENT);

  async function urlOf(queue: QueueRow, ending = '-dead'): Promise<string> {
    const QueueName = queueNameOf({ parameters }, queue, queue.name === FAILED_INVOCATIONS ? '' : ending);
    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName })).catch((error: unknown) => {
      if (!isAwsError(error, 'missing')) throw error;
      const fix = 'check --stage and --region, or deploy it with npm run deploy';
      throw new CommandError(`The queue ${QueueName} does not exist: ${fix}.`);
    });
    return QueueUrl ?? '';
  }

  async function countOf(queue: QueueRow): Promise<number> {
    const { Attributes = {} } = await client.send(
      new GetQueueAttributesCommand({
        QueueUrl: await urlOf(queue),
        AttributeNames: ['ApproximateNumberOfMessages'],
      }),
    );
    return Number(Attributes.ApproximateNumberOfMessages ?? 0);
  }

  return {
    async count(queues) {
      const counted = await Promise.all(queues.map(countOf));
      return queues.map(({ name }, index) => ({ queue: name, count: counted[index] ?? 0 }));
    },

    async requeue(queue, show) {
      const from = await urlOf(queue);
      if (queue.name === FAILED_INVOCATIONS) return invokeAgain(client, from, parameters, show);
      return { moved: await moveBack(client, { from, to: await urlOf(queue, '') }, show) };
    },
  };
}

const LocalQueues = v.object({ queues: v.array(v.object({ name: v.string(), dead: v.number() })) });
const Moved = v.object({ moved: v.number() });

export function localDeadLetters(url: string): DeadLetters {
  return {
    async count(queues) {
      const { queues: all } = v.parse(LocalQueues, await callSandbox(url, 'queues'));
      const counts = new Map(all.map(({ name, dead }) => [name, dead]));
      return queues.map(({ name }) => ({ queue: name, count: counts.get(name) ?? 0 }));
    },
    requeue: async ({ name }) => v.parse(Moved, await callSandbox(url, `queues/${name}/dead-letters`, {})),
  };
}
