import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { KEY_FILE } from '../files/key-file.ts';

export const DATABASE_KINDS = ['embedded', 'dynamodb-local'] as const;
export type DatabaseKind = (typeof DATABASE_KINDS)[number];

/** Of a data folder: the files of the embedded table and of the queues, and the folder of DynamoDB Local. */
export const TABLE_FILE = 'table.sqlite';
export const QUEUES_FILE = 'local.sqlite';
export const DYNAMODB_FOLDER = 'dynamodb';

/** Throws one line if another database has written the folder: its data would seem to be gone. */
export function assertOwnFolder(folder: string, kind: DatabaseKind): void {
  const other = kind === 'embedded' ? hasDynamoDbLocal(folder) : existsSync(join(folder, TABLE_FILE));
  if (!other) return;
  throw new Error(
    kind === 'embedded'
      ? `The data in ${folder} was written by DynamoDB Local. Use it with --database dynamodb-local, or begin anew in another folder with --data.`
      : `The data in ${folder} was written by the embedded table. Use it without --database, or begin anew in another folder with --data.`,
  );
}

/** Throws one line if a database of the folder lost its content: the key is written after both are. */
export function assertNotEmptied(folder: string): void {
  const isEmpty = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.size === 0;
  const emptied = existsSync(join(folder, KEY_FILE)) ? [TABLE_FILE, QUEUES_FILE].find(isEmpty) : undefined;
  if (emptied === undefined) return;
  throw new Error(
    `The database ${join(folder, emptied)} has lost its content. Restore a copy of the folder, or choose another with --data.`,
  );
}

function hasDynamoDbLocal(folder: string): boolean {
  const data = join(folder, DYNAMODB_FOLDER);
  return existsSync(data) && readdirSync(data).some((name) => name.endsWith('.db'));
}
