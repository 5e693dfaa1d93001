import { type AttributeValue, PutItemCommand, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import {
  type _Record,
  DescribeStreamCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type AttributeValue as StreamValue,
} from '@aws-sdk/client-dynamodb-streams';
import { createTable, localClient } from '../../../../infra/local/database/dynamodb-local/create-table.ts';
import { openStreamClient } from '../../../../infra/local/database/dynamodb-local/server-stream.ts';
import { TABLE } from '../../../../shared/database/table.ts';
import { inLanes } from '../../../support/lanes.ts';
import { newTableName } from '../../../support/test-table.ts';

type StoredItem = Record<string, AttributeValue>;

/** Every change of a table so far, in its order: after any number of them, the table is as it was at one moment. */
export async function changesOf(endpoint: string, streamArn: string) {
  const client = openStreamClient(endpoint);
  const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn: streamArn }));
  const records: _Record[] = [];
  for (const { ShardId } of StreamDescription?.Shards ?? []) {
    const opened = await client.send(
      new GetShardIteratorCommand({ StreamArn: streamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }),
    );
    for (let iterator = opened.ShardIterator; iterator; ) {
      const page = await client.send(new GetRecordsCommand({ ShardIterator: iterator }));
      records.push(...(page.Records ?? []));
      iterator = page.Records?.length ? page.NextShardIterator : undefined;
    }
  }
  client.destroy();
  const orderOf = ({ dynamodb }: _Record) => BigInt(dynamodb?.SequenceNumber ?? 0);
  return records.sort((left, right) => (orderOf(left) < orderOf(right) ? -1 : 1));
}

/** Restores the table as it was after the changes into a fresh one; as in AWS, without a stream. Returns its name. */
export async function restoreAfter(endpoint: string, changes: readonly _Record[]): Promise<string> {
  const items = new Map<string, StoredItem>();
  for (const { eventName, dynamodb } of changes) {
    const name = JSON.stringify(dynamodb?.Keys);
    if (eventName === 'REMOVE' || !dynamodb?.NewImage) items.delete(name);
    else items.set(name, itemOf(dynamodb.NewImage));
  }
  const tableName = newTableName();
  await createTable(endpoint, tableName, { isStreamed: false });
  const client = localClient(endpoint);
  await inLanes([...items.values()], (Item) =>
    client.send(new PutItemCommand({ TableName: tableName, Item })),
  );
  client.destroy();
  return tableName;
}

/** Turns on the stream of a restored table. Returns its ARN. */
export async function turnOnStream(endpoint: string, tableName: string): Promise<string> {
  const client = localClient(endpoint);
  const { TableDescription } = await client.send(
    new UpdateTableCommand({
      TableName: tableName,
      StreamSpecification: { StreamEnabled: true, StreamViewType: TABLE.streamView },
    }),
  );
  client.destroy();
  return TableDescription?.LatestStreamArn ?? '';
}

/** The SDK of streams reads an empty map as a value of no type. */
function itemOf(image: Record<string, StreamValue>): StoredItem {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, attributeOf(value)]));
}

function attributeOf(value: StreamValue): AttributeValue {
  if (value.M) return { M: itemOf(value.M) };
  if (value.L) return { L: value.L.map(attributeOf) };
  return Object.keys(value).length === 0 ? { M: {} } : { ...value };
}
