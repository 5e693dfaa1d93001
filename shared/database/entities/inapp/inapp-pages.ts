import type { InappFilter } from '../../../schemas/users/inapp.ts';
import type { Database } from '../../database.ts';
import { INAPP_PREFIX } from '../../keys/user.ts';
import type { Item } from '../../table.ts';

/** Whose items are read, and of which sub-notification only. */
export type PagesScope = { pk: string; nowMs: number; subNotificationId?: string | undefined };

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
    filter: view,
    read,
    subNotificationId,
  }: PagesScope & { before: string; filter: string; read: PageRead },
) {
  const isNarrow = subNotificationId !== undefined;
  const filter = isNarrow ? `${view} AND #subNotificationId = :sub` : view;
  const names = [...(IN_PLACE + filter).matchAll(/#(\w+)/g)].map(([name, attribute]) => [name, attribute]);
  let lastKey: Item | undefined;
  do {
    const page = await table.query({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      FilterExpression: `#expiresAt > :now${IN_PLACE}${filter}`,
      ExpressionAttributeNames: { '#expiresAt': 'expiresAt', ...Object.fromEntries(names) },
      ExpressionAttributeValues: {
        ':pk': pk,
        ':first': INAPP_PREFIX,
        ':last': before,
        ':now': Math.floor(nowMs / 1000),
        ...(isNarrow ? { ':sub': subNotificationId } : {}),
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

export const unread = (table: Database, scope: PagesScope) =>
  readPages(table, {
    ...scope,
    before: AFTER_ALL,
    filter: UNREAD,
    read: { ProjectionExpression: 'pk, sk' },
  });

/** Not moved to another time. */
const IN_PLACE = ' AND attribute_not_exists(#movedTo)';

/** Neither snoozed nor moved to another time. */
export const AWAKE = ` AND attribute_not_exists(#snoozedUntil)${IN_PLACE}`;

const NOT_SNOOZED = ' AND attribute_not_exists(#snoozedUntil)';
const NOT_ARCHIVED = ' AND attribute_not_exists(#archived)';
const UNREAD = `${NOT_SNOOZED}${NOT_ARCHIVED} AND attribute_not_exists(#opened)`;

/** The conditions of the views; `all` has archived items too. */
export const VIEWS: Readonly<Record<InappFilter | 'all' | 'inSight', string>> = {
  all: NOT_SNOOZED,
  inSight: `${NOT_SNOOZED}${NOT_ARCHIVED}`,
  unread: UNREAD,
  archived: ` AND attribute_exists(#archived)`,
  snoozed: `${NOT_ARCHIVED} AND attribute_exists(#snoozedUntil)`,
};
