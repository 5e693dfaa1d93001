import { randomBytes } from 'node:crypto';
import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createTable, createTableWithoutStream } from '../../infra/local/database/create-table.ts';
import { streamArn } from '../../infra/local/database/embedded/operations/arns.ts';
import { openEmbeddedTable } from '../../infra/local/database/embedded-table.ts';
import { openStreamClient } from '../../infra/local/stream/stream-client.ts';
import { dynamodbEndpoint } from './dynamodb.ts';
import { createLocalTableClient } from './table-client.ts';
import { createTestStreams } from './test-streams.ts';

/** A test file's own table. */
export type TestTable = {
  tableName: string;
  documents: DynamoDBDocumentClient;
  streamArn: string;
  /** A client of its stream, which whoever asks for it destroys. */
  openStream(): DynamoDBStreamsClient;
};

/** Set by the projects `scale` and `database` (vitest.config.ts). */
const isOnDynamoDbLocal = process.env.TEST_DATABASE === 'dynamodb-local';

/** Opens an empty table in memory. Only with `isStreamed` can its stream be read. */
export async function openTestTable({ isStreamed }: { isStreamed: boolean }): Promise<TestTable> {
  const tableName = newTableName();
  if (!isOnDynamoDbLocal) {
    const { engine, client } = openEmbeddedTable({ file: ':memory:', tableName, turn: immediate });
    return {
      tableName,
      documents: client,
      streamArn: streamArn(engine.table(tableName).definition),
      openStream: () => createTestStreams(engine),
    };
  }
  const endpoint = await dynamodbEndpoint();
  if (isStreamed) return localTable(endpoint, tableName, await createTable(endpoint, tableName));
  await createTableWithoutStream(endpoint, tableName);
  return localTable(endpoint, tableName, '');
}

/** Operations take effect one by one, after their callers have waited, so that what is concurrent meets. */
const immediate = () => new Promise<void>((resume) => setImmediate(resume));

/** A table that is on DynamoDB Local. */
export function localTable(endpoint: string, tableName: string, streamArn: string): TestTable {
  const documents = createLocalTableClient(endpoint);
  return { tableName, documents, streamArn, openStream: () => openStreamClient(endpoint) };
}

export function newTableName(): string {
  return `test-${randomBytes(8).toString('hex')}`;
}
