import { DescribeTableCommand, DynamoDBClient, type TableDescription } from '@aws-sdk/client-dynamodb';
import { isAwsError } from '../../shared/http-client/aws-fault.ts';
import { CommandError } from '../frame/command.ts';
import { AWS_CLIENT } from '../frame/proxy.ts';

/** Returns a table that can be used; throws a line for one that does not exist or is still being created or restored. */
export async function findTable(client: DynamoDBClient, tableName: string): Promise<TableDescription> {
  const { Table } = await client
    .send(new DescribeTableCommand({ TableName: tableName }))
    .catch(async (error: unknown) => {
      if (!isAwsError(error, 'missing')) throw error;
      throw new CommandError(`Table ${tableName} does not exist in ${await client.config.region()}.`);
    });
  if (Table?.TableStatus === 'ACTIVE' || Table?.TableStatus === 'UPDATING') return Table;
  throw new CommandError(
    `Table ${tableName} cannot be used yet: it is ${Table?.TableStatus}. Wait until it is ACTIVE.`,
  );
}

export async function findStreamArn(tableName: string): Promise<string> {
  const { StreamSpecification, LatestStreamArn } = await findTable(new DynamoDBClient(AWS_CLIENT), tableName);
  if (LatestStreamArn && StreamSpecification?.StreamViewType === 'NEW_IMAGE') return LatestStreamArn;
  throw new CommandError(
    `Table ${tableName} has no stream of new images: docs/runbook.md, section Restore, shows how to enable it.`,
  );
}
