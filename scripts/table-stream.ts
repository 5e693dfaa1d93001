import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CommandError } from './command.ts';

/** Returns the ARN of a table's stream of new images; throws if the table has none. */
export async function findStreamArn(tableName: string): Promise<string> {
  const { Table } = await new DynamoDBClient({}).send(new DescribeTableCommand({ TableName: tableName }));
  const isUsable = Table?.StreamSpecification?.StreamViewType === 'NEW_IMAGE';
  if (Table?.LatestStreamArn && isUsable) return Table.LatestStreamArn;
  throw new CommandError(
    `Table ${tableName} has no stream of new images: docs/runbook.md, section Restore, shows how to enable it.`,
  );
}
