import { randomBytes } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { createDocumentClient } from '../../../../shared/database/client/document-client.ts';
import { createTablePages, tablePages } from '../../../../shared/database/client/table-pages.ts';
import { createDatabase, type Database, database } from '../../../../shared/database/database.ts';
import { readEventSk } from '../../../../shared/database/keys/log.ts';
import { replace } from '../../../../shared/runtime/dependency.ts';
import { defined } from '../../../../shared/runtime/values/defined.ts';
import { loadKeyFile } from '../../files/key-file.ts';
import { DYNAMODB_FOLDER } from '../data-folder.ts';
import type { DatabaseOptions, LocalDatabase } from '../local-database.ts';
import { LOCAL_TABLE } from '../table-input.ts';
import { createTable } from './create-table.ts';
import { launchDynamoDbLocal } from './launch.ts';
import { openServerStream } from './server-stream.ts';
import { openTurns, type Turns } from './turns.ts';

/** Starts DynamoDB Local as a child of this process, with a database that only this run knows. */
export async function startDynamoDbLocal(options: DatabaseOptions): Promise<LocalDatabase> {
  const { dataFolder, onExit } = options;
  const folder = dataFolder === undefined ? undefined : join(dataFolder, DYNAMODB_FOLDER);
  const accessKeyId = folder === undefined ? newAccessKeyId() : openAccessKeyId(folder);
  const local = await launchDynamoDbLocal({ accessKeyId, ...defined({ dataFolder: folder, onExit }) });
  const { endpoint } = local;
  const turns = openTurns();
  const credentials = { accessKeyId, secretAccessKey: 'local' };
  const client = createDocumentClient({ endpoint, region: 'local', credentials });
  replace(database, () => inTurn(createDatabase(client, LOCAL_TABLE), turns));
  replace(tablePages, () => createTablePages(client, LOCAL_TABLE));
  try {
    const connected = await connectServer(endpoint, options, accessKeyId);
    return { ...connected, beforeOutcome: turns.resume, stop: local.stop };
  } catch (error) {
    await local.stop();
    throw error;
  }
}

/** Connects to a server, and creates the table if it does not have it. */
export async function connectServer(
  endpoint: string,
  { nowMs, dataFolder }: DatabaseOptions,
  accessKeyId?: string,
): Promise<LocalDatabase> {
  const timeToLive = nowMs() >= Date.now() - 60_000;
  try {
    const arn = await createTable(endpoint, LOCAL_TABLE, { timeToLive, accessKeyId });
    return {
      source: openServerStream(endpoint, arn, accessKeyId),
      engine: undefined,
      beforeOutcome: async () => {},
      stop: async () => {},
    };
  } catch (error) {
    throw new Error(
      `The database ${accessKeyId && dataFolder ? `of ${dataFolder}` : `at ${endpoint}`} cannot be opened (${error instanceof Error ? error.message : 'unknown'}). Restore a copy of it, or use another with --data.`,
      { cause: error },
    );
  }
}

/** An access key id of DynamoDB Local is letters and digits. */
function newAccessKeyId(): string {
  return randomBytes(24).toString('hex');
}

/** Reads the secret that selects the folder's database. A database of a version without the secret is renamed to it. */
function openAccessKeyId(folder: string): string {
  const accessKeyId = Buffer.from(loadKeyFile(join(folder, '..', 'dynamodb.key'))).toString('hex');
  const shared = join(folder, 'shared-local-instance.db');
  const own = join(folder, `${accessKeyId}_local.db`);
  if (existsSync(shared) && !existsSync(own)) renameSync(shared, own);
  return accessKeyId;
}

/** A table whose calls wait for their turn in this process. Outcomes of messages wait for nothing. */
export function inTurn(table: Database, turns: Turns): Database {
  return {
    get: (...args) => turns.call(() => table.get(...args)),
    batchGet: (...args) => turns.call(() => table.batchGet(...args)),
    put(item, options) {
      const put = () => table.put(item, options);
      return isOutcome(String(item.sk)) ? turns.outcome(put) : turns.call(put);
    },
    batchPut: (...args) => turns.call(() => table.batchPut(...args)),
    update: (...args) => turns.call(() => table.update(...args)),
    delete: (...args) => turns.call(() => table.delete(...args)),
    query: (...args) => turns.call(() => table.query(...args)),
    queryAll: (...args) => turns.call(() => table.queryAll(...args)),
    transact: (...args) => turns.call(() => table.transact(...args)),
  };
}

function isOutcome(sk: string): boolean {
  const stage = readEventSk(sk)?.stage;
  return stage === 'sent' || stage === 'failed';
}
