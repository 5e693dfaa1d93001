import {
  type _Record,
  type AttributeValue,
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { defined } from '../../../../shared/runtime/values/defined.ts';
import type { ShardCursor, ShardPage, StreamShard, StreamSource } from '../stream/stream-source.ts';

/** The stream of a table on a server. The access key ID selects a database of DynamoDB Local. */
export function openServerStream(endpoint: string, arn: string, accessKeyId?: string): StreamSource {
  return openStream(openStreamClient(endpoint, accessKeyId), arn);
}

/** The stream of a table, on a server or in AWS. */
export function openStream(client: DynamoDBStreamsClient, arn: string): StreamSource {
  return {
    arn,
    listShards: () => listShards(client, arn),
    openShard: (shardId) => openCursor(client, arn, shardId),
    close: () => client.destroy(),
  };
}

async function listShards(client: DynamoDBStreamsClient, arn: string): Promise<StreamShard[]> {
  const shards: StreamShard[] = [];
  let from: string | undefined;
  do {
    const start = from === undefined ? {} : { ExclusiveStartShardId: from };
    const output = await client.send(new DescribeStreamCommand({ StreamArn: arn, ...start }));
    for (const { ShardId: id, ParentShardId: parentId, SequenceNumberRange: range } of output
      .StreamDescription?.Shards ?? [])
      if (id) shards.push({ id, parentId, isClosed: range?.EndingSequenceNumber !== undefined });
    from = output.StreamDescription?.LastEvaluatedShardId;
  } while (from);
  return shards;
}

/** Goes on with the iterator of the last page where the reader does. */
function openCursor(client: DynamoDBStreamsClient, arn: string, shardId: string): ShardCursor {
  let open: { iterator: string | undefined; position: string | undefined } | undefined;

  async function iteratorFrom(position: string | undefined): Promise<string | undefined> {
    const from = position
      ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, SequenceNumber: position }
      : { ShardIteratorType: 'TRIM_HORIZON' as const };
    const command = new GetShardIteratorCommand({ StreamArn: arn, ShardId: shardId, ...from });
    return (await client.send(command)).ShardIterator;
  }

  async function readPage(after: string | undefined, countMax: number): Promise<ShardPage> {
    const current = open?.position === after && open;
    const iterator = current ? current.iterator : await iteratorFrom(after);
    if (!iterator) return { records: [], isEnd: true };
    const output = await client.send(new GetRecordsCommand({ ShardIterator: iterator, Limit: countMax }));
    const records = (output.Records ?? []).map((record) => lambdaRecordOf(record, arn));
    const next = output.NextShardIterator;
    open = { iterator: next, position: records.at(-1)?.dynamodb?.SequenceNumber ?? after };
    return { records, isEnd: !next };
  }

  return {
    async read(after, countMax) {
      try {
        return await readPage(after, countMax);
      } catch (error) {
        open = undefined;
        if (error instanceof TrimmedDataAccessException) return 'trimmed';
        if (!(error instanceof ExpiredIteratorException)) throw error;
        return readPage(after, countMax);
      }
    },
  };
}

/** Returns a client of the streams of DynamoDB Local. The access key ID selects its database, `local` by default. */
export function openStreamClient(endpoint: string, accessKeyId = 'local'): DynamoDBStreamsClient {
  return new DynamoDBStreamsClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId, secretAccessKey: 'local' },
  });
}

/** The SDK's record in the shape of Lambda's: time in seconds, binary values as base64, names of TTL's identity small. */
export function lambdaRecordOf(record: _Record, streamArn: string): DynamoDBRecord {
  const { dynamodb = {}, userIdentity, ...rest } = record;
  const { ApproximateCreationDateTime: createdAt, Keys, NewImage, OldImage, ...numbers } = dynamodb;
  return asLambdaRecord({
    ...rest,
    ...(userIdentity
      ? { userIdentity: { type: userIdentity.Type, principalId: userIdentity.PrincipalId } }
      : {}),
    dynamodb: {
      ...numbers,
      ...defined({
        ApproximateCreationDateTime: createdAt ? createdAt.getTime() / 1000 : undefined,
        Keys: Keys ? imageOf(Keys) : undefined,
        NewImage: NewImage ? imageOf(NewImage) : undefined,
        OldImage: OldImage ? imageOf(OldImage) : undefined,
      }),
    },
    eventSourceARN: streamArn,
  });
}

function imageOf(image: Record<string, AttributeValue>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, attributeOf(value)]));
}

function attributeOf(value: AttributeValue): unknown {
  if (value.B) return { B: base64(value.B) };
  if (value.BS) return { BS: value.BS.map(base64) };
  if (value.L) return { L: value.L.map(attributeOf) };
  if (value.M) return { M: imageOf(value.M) };
  // The SDK reads an empty map as a value of no type.
  if (Object.keys(value).length === 0) return { M: {} };
  return value;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/**
 * Both describe one wire shape, and `lambdaRecordOf` has converted the differences: binary values, time,
 * identity.
 */
function asLambdaRecord(record: unknown): DynamoDBRecord {
  return record as DynamoDBRecord;
}
