import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Outbox } from '../infra/local/sandbox/outbox.ts';
import { eventKey, readEventSk } from '../shared/database/keys/log.ts';
import { type RecordClock, startRecordClock } from './record-clock.ts';

/** The time when a kill can repeat a message: from the provider's acceptance to this service's record of it. */
export type Windows = {
  /** Milliseconds of each message that `work` sent. */
  during(work: () => Promise<unknown>): Promise<number[]>;
};

const MS_PER_NS = 1e-6;

/**
 * The window begins when the sandbox has stored a message, and ends with the first byte of the database's response to its
 * record, as seen by another thread: a kill while the response waits for this process's event loop repeats nothing.
 */
export function openWindows(options: {
  documents: DynamoDBDocumentClient;
  endpoint: string;
  outbox: Outbox;
}): Windows {
  const { documents, endpoint, outbox } = options;
  let clock: RecordClock | undefined;
  documents.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        const { request, input } = args;
        if (clock && commandName === 'PutItemCommand' && isOutcome(input) && hasPort(request))
          request.port = clock.port;
        return next(args);
      },
    { step: 'build', name: 'recordClock' },
  );
  return {
    async during(work) {
      const acceptedAtNs = new Map<string, bigint>();
      clock = await startRecordClock(Number(new URL(endpoint).port));
      const close = outbox.onMessage(({ trackingId, channel }) => {
        // An in-app item has no provider: a duplicate stores nothing new.
        if (channel !== 'INAPP_WEB')
          acceptedAtNs.set(nameOf(eventKey(trackingId, channel, 'sent')), process.hrtime.bigint());
      });
      try {
        await work();
        const ended = await clock.take();
        return ended.flatMap((record) => {
          const beganAtNs = acceptedAtNs.get(nameOf(record));
          return beganAtNs === undefined ? [] : [Number(record.atNs - beganAtNs) * MS_PER_NS];
        });
      } finally {
        close();
        await clock.stop();
        clock = undefined;
      }
    },
  };
}

const nameOf = ({ pk, sk }: { pk: string; sk: string }) => `${pk} ${sk}`;

/** In DynamoDB's JSON, as it is at this step. */
function isOutcome(input: object): boolean {
  const { Item } = input as { Item?: { sk?: { S?: string } } };
  return readEventSk(Item?.sk?.S ?? '')?.stage === 'sent';
}

function hasPort(request: unknown): request is { port?: number } {
  return typeof request === 'object' && request !== null && 'hostname' in request;
}
