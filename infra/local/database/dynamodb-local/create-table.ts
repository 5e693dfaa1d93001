import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { TABLE } from '../../../../shared/database/table.ts';
import { tableInput } from '../table-input.ts';

/** Returns a client of DynamoDB Local. Without `-sharedDb` the access key id and the region select the database. */
export function localClient(endpoint: string, accessKeyId = 'local'): DynamoDBClient {
  return new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId, secretAccessKey: 'local' },
  });
}

type TableOptions = {
  /** Without a stream, for tests: each table that ever had one slows every call to DynamoDB Local by about 50 microseconds. */
  isStreamed?: boolean;
  /** The server deletes expired items, by the machine's clock. */
  timeToLive?: boolean;
  accessKeyId?: string | undefined;
};

/** Creates the table from its plain data unless it exists. Returns the ARN of its stream, if it has one. */
export async function createTable(
  endpoint: string,
  tableName: string,
  { isStreamed = true, timeToLive = false, accessKeyId }: TableOptions = {},
): Promise<string> {
  const client = localClient(endpoint, accessKeyId);
  try {
    await createIfMissing(client, tableName, { isStreamed });
    await setTimeToLive(client, tableName, timeToLive);
    const described = await client.send(new DescribeTableCommand({ TableName: tableName }));
    const streamArn = described.Table?.LatestStreamArn ?? '';
    if (isStreamed && streamArn === '') throw new Error('the table has no stream');
    return streamArn;
  } finally {
    client.destroy();
  }
}

async function createIfMissing(
  client: DynamoDBClient,
  tableName: string,
  options: { isStreamed: boolean },
): Promise<void> {
  try {
    await client.send(new CreateTableCommand(tableInput(tableName, options)));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
}

/** DynamoDB Local deletes by the machine's time. A service clock that is behind it must switch deletion off. */
async function setTimeToLive(client: DynamoDBClient, tableName: string, enabled: boolean): Promise<void> {
  const current = await client.send(new DescribeTimeToLiveCommand({ TableName: tableName }));
  const isEnabled = current.TimeToLiveDescription?.TimeToLiveStatus === 'ENABLED';
  if (isEnabled === enabled) return;
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: tableName,
      TimeToLiveSpecification: { Enabled: enabled, AttributeName: TABLE.ttlAttribute },
    }),
  );
}
