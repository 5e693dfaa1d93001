import type { _Record, DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { Change, Store } from './store.ts';

const SHARD = 'shardId-00000001';
const SEQUENCE_DIGITS = 21;
const RECORDS_MAX = 1000;

/** A client of the stream of changes: one shard that is never closed, from the first change on. */
export function streamClientOf(store: Store): DynamoDBStreamsClient {
  const operations: Readonly<Record<string, (input: never) => object>> = {
    DescribeStreamCommand: () => ({ StreamDescription: { Shards: [{ ShardId: SHARD }] } }),
    GetShardIteratorCommand: ({ ShardIteratorType, SequenceNumber }: IteratorRequest) => ({
      ShardIterator: ShardIteratorType === 'TRIM_HORIZON' ? '0' : String(Number(SequenceNumber)),
    }),
    GetRecordsCommand({ ShardIterator, Limit = RECORDS_MAX }: { ShardIterator: string; Limit?: number }) {
      const from = Number(ShardIterator);
      const changes = store.changes.slice(from, from + Limit);
      return { Records: changes.map(recordOf), NextShardIterator: String(from + changes.length) };
    },
  };
  const client = {
    async send(command: { input: never; constructor: { name: string } }) {
      await new Promise((resume) => setImmediate(resume));
      const operation = operations[command.constructor.name];
      if (!operation) throw new Error(`${command.constructor.name} is not available on a table in memory`);
      return operation(command.input);
    },
    destroy() {},
  };
  return client as unknown as DynamoDBStreamsClient;
}

type IteratorRequest = { ShardIteratorType: string; SequenceNumber?: string };

function recordOf({ pk, sk, sequence, before, after }: Change): _Record {
  const eventName = after ? (before ? 'MODIFY' : 'INSERT') : 'REMOVE';
  return {
    eventID: String(sequence),
    eventName,
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'local',
    dynamodb: {
      ApproximateCreationDateTime: new Date(),
      Keys: { pk: { S: pk }, sk: { S: sk } },
      ...(after ? { NewImage: after as NonNullable<_Record['dynamodb']>['NewImage'] } : {}),
      SequenceNumber: String(sequence).padStart(SEQUENCE_DIGITS, '0'),
      StreamViewType: 'NEW_IMAGE',
    },
  } as _Record;
}
