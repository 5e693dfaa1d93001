import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';

/** Returns a client of the streams of DynamoDB Local. The access key ID selects its database, `local` by default. */
export function openStreamClient(endpoint: string, accessKeyId = 'local'): DynamoDBStreamsClient {
  return new DynamoDBStreamsClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId, secretAccessKey: 'local' },
  });
}
