import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));

/** The baseline of every function: one GetItem and nothing else. */
export async function handler(event: { pk: string }): Promise<unknown> {
  const output = await documents.send(
    new GetCommand({ TableName: process.env.TABLE_NAME, Key: { pk: event.pk, sk: 'ITEM' } }),
  );
  return output.Item;
}
