import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { requireSetting } from '../../runtime/config.ts';
import { dependency } from '../../runtime/dependency.ts';
import { defined } from '../../runtime/values/defined.ts';
import type { Key } from '../keys/key.ts';
import type { Item } from '../table.ts';
import { createDocumentClient } from './document-client.ts';

/** The whole table, page by page, in no order: only for the operator's rare work on everything that is stored. */
export type TablePages = ReturnType<typeof createTablePages>;

export function createTablePages(client: DynamoDBDocumentClient, tableName: string) {
  return {
    /** Up to 1 MB of items after `after`; `next` is undefined at the end. */
    async read(after: Key | undefined): Promise<{ items: Item[]; next: Key | undefined }> {
      const { Items = [], LastEvaluatedKey: last } = await client.send(
        new ScanCommand({ TableName: tableName, ...defined({ ExclusiveStartKey: after || undefined }) }),
      );
      return { items: Items, next: last && { pk: String(last.pk), sk: String(last.sk) } };
    },
  };
}

export const tablePages = dependency('tablePages', () =>
  createTablePages(createDocumentClient(), requireSetting('TABLE_NAME')),
);
