import type { Database } from '../database.ts';
import { INAPP_PREFIX } from '../keys/user.ts';
import type { Item } from '../table.ts';

type PageRead = { Limit?: number; ProjectionExpression?: string };

/** Above every sort key of an item: digits end it. */
export const AFTER_ALL = `${INAPP_PREFIX}~`;

/** Pages of a user's items, newest first; `filter` names attributes as #opened and #archived. */
export async function* readPages(
  table: Database,
  {
    pk,
    before,
    nowMs,
    filter,
    read,
  }: { pk: string; before: string; nowMs: number; filter: string; read: PageRead },
) {
  const names = [...(AWAKE + filter).matchAll(/#(\w+)/g)].map(([name, attribute]) => [name, attribute]);
  let lastKey: Item | undefined;
  do {
    const page = await table.query({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      FilterExpression: `#expiresAt > :now${AWAKE}${filter}`,
      ExpressionAttributeNames: { '#expiresAt': 'expiresAt', ...Object.fromEntries(names) },
      ExpressionAttributeValues: {
        ':pk': pk,
        ':first': INAPP_PREFIX,
        ':last': before,
        ':now': Math.floor(nowMs / 1000),
      },
      ...read,
      ScanIndexForward: false,
      ConsistentRead: true,
      ExclusiveStartKey: lastKey,
    });
    yield page.items;
    lastKey = page.lastKey;
  } while (lastKey);
}

export const unread = (table: Database, pk: string, nowMs: number) =>
  readPages(table, {
    pk,
    before: AFTER_ALL,
    nowMs,
    filter: UNREAD,
    read: { ProjectionExpression: 'pk, sk' },
  });

/** Neither snoozed nor moved to another time. */
export const AWAKE = ' AND attribute_not_exists(#snoozedUntil) AND attribute_not_exists(#movedTo)';

export const IN_SIGHT = ' AND attribute_not_exists(#archived)';

const UNREAD = `${IN_SIGHT} AND attribute_not_exists(#opened)`;
