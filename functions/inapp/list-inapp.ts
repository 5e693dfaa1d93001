import type { InappItem } from '../../shared/database/entities/inapp/inapp-item.ts';
import { inappItems } from '../../shared/database/entities/inapp/inapp-items.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { RESPONSE_BYTES_MAX, responseBytes } from '../../shared/runtime/response-size.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { LIMIT_DEFAULT } from '../../shared/schemas/fields/list.ts';
import { namedUser, userProblems } from './named-user.ts';
import { listInappRoute } from './routes.ts';

const TITLE_LENGTH_MAX = 1000;
const URL_LENGTH_MAX = 2048;

/**
 * Returns the items in at most `bytesMax` bytes of a response, newest first. Items that do not fit are returned without their
 * parameters and with at most 1,000 characters of their title and body, and without actions. The oldest items are omitted if even that does not fit.
 */
function fitItems(items: readonly InappItem[], bytesMax: number): InappItem[] {
  const sized = items.map((item) => {
    const short = shortOf(item);
    return { item, short, shortBytes: responseBytes(short) };
  });
  let leftBytes = bytesMax;
  const shown = sized.filter(({ shortBytes }) => {
    leftBytes -= shortBytes;
    return leftBytes >= 0;
  });
  return shown.map(({ item, short, shortBytes }) => {
    const moreBytes = responseBytes(item) - shortBytes;
    if (moreBytes > leftBytes) return short;
    leftBytes -= moreBytes;
    return item;
  });
}

function shortOf({
  parameters: _,
  template: __,
  actions: ___,
  redirectURL,
  imageURL,
  ...item
}: InappItem): InappItem {
  return {
    ...item,
    title: item.title.slice(0, TITLE_LENGTH_MAX).toWellFormed(),
    ...defined({
      body: item.body?.slice(0, TITLE_LENGTH_MAX).toWellFormed(),
      redirectURL: shortUrl(redirectURL),
      imageURL: shortUrl(imageURL),
    }),
  };
}

/** Half a URL leads nowhere. */
function shortUrl(url: string | undefined): string | undefined {
  return url !== undefined && url.length <= URL_LENGTH_MAX ? url : undefined;
}

export const handler = endpoint(
  listInappRoute,
  { inappItems },
  async ({ inappItems, caller, query, request }) => ({
    notifications: fitItems(
      await inappItems.listNewestFirst(caller.environmentId, namedUser(caller), {
        count: query.count ?? LIMIT_DEFAULT,
        beforeMs: query.before,
        view: query.filter ?? (query.archived === 'false' ? 'inSight' : 'all'),
        nowMs: request.receivedAtMs,
        subNotificationId: query.subNotificationId,
      }),
      RESPONSE_BYTES_MAX,
    ),
  }),
  userProblems,
);
