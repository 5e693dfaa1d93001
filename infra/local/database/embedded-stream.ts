import type { DynamoDBRecord } from 'aws-lambda';
import { recordOf, type StreamRecord } from './embedded/operations/streams.ts';
import type { TableStore } from './embedded/storage/table-store.ts';
import { readSequence, shardIdOf, streamArn } from './embedded/tables/arns.ts';
import type { StreamSource } from './stream/stream-source.ts';

/** The stream of an embedded table: one shard, which tells of its changes. */
export function openEmbeddedStream(table: TableStore): StreamSource {
  const { definition, changes } = table;
  const arn = streamArn(definition);
  return {
    arn,
    listShards: async () => [{ id: shardIdOf(definition) }],
    openShard: () => ({
      async read(after, countMax) {
        const position = after === undefined ? 0 : readSequence(after);
        const records = changes
          .after(position, countMax)
          .map((change) => lambdaRecordOf(recordOf(definition, change), arn));
        return { records, isEnd: false };
      },
    }),
    onChange: changes.onAdd,
    close() {},
  };
}

function lambdaRecordOf({ userIdentity, ...record }: StreamRecord, arn: string): DynamoDBRecord {
  const identity = userIdentity && { type: userIdentity.Type, principalId: userIdentity.PrincipalId };
  // The engine and `aws-lambda` describe one and the same wire form.
  return {
    ...record,
    ...(identity ? { userIdentity: identity } : {}),
    eventSourceARN: arn,
  } as DynamoDBRecord;
}
