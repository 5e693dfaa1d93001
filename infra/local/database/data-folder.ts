import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const DATABASE_KINDS = ['embedded', 'dynamodb-local'] as const;
export type DatabaseKind = (typeof DATABASE_KINDS)[number];

/** The file of the embedded table in a data folder, and the folder of DynamoDB Local. */
export const TABLE_FILE = 'table.sqlite';
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

function hasDynamoDbLocal(folder: string): boolean {
  const data = join(folder, DYNAMODB_FOLDER);
  return existsSync(data) && readdirSync(data).some((name) => name.endsWith('.db'));
}
