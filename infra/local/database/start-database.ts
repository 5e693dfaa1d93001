import { join } from 'node:path';
import { createTablePages, tablePages } from '../../../shared/database/client/table-pages.ts';
import { createDatabase, database } from '../../../shared/database/database.ts';
import { TABLE } from '../../../shared/database/table.ts';
import { replace } from '../../../shared/runtime/dependency.ts';
import { assertOwnFolder, TABLE_FILE } from './data-folder.ts';
import { openEmbeddedStream } from './embedded-stream.ts';
import { openEmbeddedTable } from './embedded-table.ts';
import type { DatabaseOptions, LocalDatabase } from './local-database.ts';
import { inRounds } from './rounds.ts';
import { LOCAL_TABLE } from './table-input.ts';

const EXPIRY_MS = 30_000;

export async function startDatabase(options: DatabaseOptions): Promise<LocalDatabase> {
  const endpoint = process.env.DYNAMODB_ENDPOINT;
  if (options.dataFolder !== undefined && !endpoint) assertOwnFolder(options.dataFolder, options.kind);
  if (!endpoint && options.kind === 'embedded') return startEmbedded(options);
  const { connectServer, startDynamoDbLocal } = await import('./dynamodb-local/start.ts');
  return endpoint ? connectServer(endpoint, options) : startDynamoDbLocal(options);
}

function startEmbedded({ dataFolder, nowMs }: DatabaseOptions): LocalDatabase {
  const file = dataFolder === undefined ? ':memory:' : join(dataFolder, TABLE_FILE);
  const { engine, client } = opened(file);
  replace(database, () => createDatabase(client, LOCAL_TABLE));
  replace(tablePages, () => createTablePages(client, LOCAL_TABLE));
  const timer = setInterval(() => engine.expire(LOCAL_TABLE, nowMs()), EXPIRY_MS).unref();
  return {
    source: openEmbeddedStream(engine.table(LOCAL_TABLE)),
    engine,
    beforeOutcome: async () => {},
    async stop() {
      clearInterval(timer);
      engine.close();
    },
  };
}

function opened(file: string) {
  try {
    const table = openEmbeddedTable({ file, tableName: LOCAL_TABLE, performing: inRounds });
    const TimeToLiveSpecification = { Enabled: true, AttributeName: TABLE.ttlAttribute };
    // Rejected if it is on already.
    table.engine.perform('UpdateTimeToLive', { TableName: LOCAL_TABLE, TimeToLiveSpecification });
    return table;
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new Error(
      `The database ${file} cannot be opened (${reason}). Restore a copy of it, or use another with --data.`,
      { cause: error },
    );
  }
}
