import { randomBytes } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createTable } from '../../infra/local/database/dynamodb-local/create-table.ts';
import { openServerStream } from '../../infra/local/database/dynamodb-local/server-stream.ts';
import type { Engine } from '../../infra/local/database/embedded/engine.ts';
import type { Perform } from '../../infra/local/database/embedded-client.ts';
import { openEmbeddedStream } from '../../infra/local/database/embedded-stream.ts';
import { openEmbeddedTable } from '../../infra/local/database/embedded-table.ts';
import type { StreamSource } from '../../infra/local/database/stream/stream-source.ts';
import { dynamodbEndpoint } from './dynamodb.ts';
import { createLocalTableClient } from './table-client.ts';

export type TestTable = {
  tableName: string;
  documents: DynamoDBDocumentClient;
  /** Its stream, which the caller closes. */
  openStream(): StreamSource;
};

/** Set by the projects `scale` and `database` (vitest.config.ts). */
const isOnDynamoDbLocal = process.env.TEST_DATABASE === 'dynamodb-local';

/** Opens an empty table in memory. Only with `isStreamed` can its stream be read. */
export async function openTestTable({ isStreamed }: { isStreamed: boolean }): Promise<TestTable> {
  const tableName = newTableName();
  if (!isOnDynamoDbLocal) {
    const { engine, client } = openEmbeddedTable({ file: ':memory:', tableName, isStreamed, performing });
    return {
      tableName,
      documents: client,
      openStream: () => openEmbeddedStream(engine.table(tableName)),
    };
  }
  const endpoint = await dynamodbEndpoint();
  return localTable(endpoint, tableName, await createTable(endpoint, tableName, { isStreamed }));
}

/** Operations take effect one by one, after their callers have waited, so that what is concurrent meets. */
const performing =
  ({ perform }: Engine): Perform =>
  async (operation, input) => {
    await new Promise((resume) => setImmediate(resume));
    return perform(operation, input);
  };

/** A table that is on DynamoDB Local. */
export function localTable(endpoint: string, tableName: string, streamArn: string): TestTable {
  const documents = createLocalTableClient(endpoint);
  return { tableName, documents, openStream: () => openServerStream(endpoint, streamArn) };
}

export function newTableName(): string {
  return `test-${randomBytes(8).toString('hex')}`;
}
