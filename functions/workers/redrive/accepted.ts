import { accountList } from '../../../shared/database/entities/accounts/account-list.ts';
import { accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import { environments } from '../../../shared/database/entities/accounts/environments.ts';
import { type FeedEntry, feed } from '../../../shared/database/entities/logs/feed.ts';
import { OUTBOUND_FEED } from '../../../shared/database/entities/logs/log-head-items.ts';
import { INBOUND_FEED, SMS_INBOUND_FEED } from '../../../shared/database/entities/logs/messages.ts';
import { indexTime } from '../../../shared/database/keys/indexes.ts';
import { trackingIdOfPk } from '../../../shared/database/keys/key.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';

/** The maximum number of notifications per page: as many as an invocation can check in its time. */
export const PAGE_MAX = 500;
const ACCOUNTS_MAX = 200;

export const acceptedDependencies = { accountList, accounts, environments, feed };
type Deps = Resolved<typeof acceptedDependencies>;

/** Start of the next page: an account, and the position in its feed after which to resume. */
export type Place = { accountId: string; position?: string | undefined };

/** Tracking IDs of a page, by account and newest first; the last page has no `next`. */
export type AcceptedPage = { trackingIds: string[]; next?: Place };

/** Feeds of inbound events, which are in logs of notifications that may be older. */
export const INBOUND_FEEDS = [INBOUND_FEED, SMS_INBOUND_FEED] as const;

type Range = { fromMs: number; toMs: number; countMax: number; feeds?: readonly string[] };

/**
 * The notifications of all accounts accepted from `fromMs` to before `toMs`, page by page, by the feed index; other `feeds` are
 * selected by the times of their own entries.
 */
export async function listAccepted(
  deps: Deps,
  range: Range,
  start: Place | undefined,
): Promise<AcceptedPage> {
  const all = await deps.accountList.listIds();
  const accountIds = start ? all.filter((id) => id >= start.accountId) : all;
  const trackingIds: string[] = [];
  for (const accountId of accountIds.slice(0, ACCOUNTS_MAX)) {
    const limit = range.countMax - trackingIds.length;
    const after = accountId === start?.accountId ? start.position : undefined;
    const page = { limit, after: after ?? indexTime(range.toMs) };
    const entries = await readFeed(deps, accountId, range.feeds ?? [], page);
    const within = entries.filter(({ position }) => position >= indexTime(range.fromMs));
    trackingIds.push(...within.map(({ key }) => trackingIdOfPk(key.pk)));
    if (within.length === limit)
      return { trackingIds, next: { accountId, position: within.at(-1)?.position } };
  }
  const nextAccountId = accountIds[ACCOUNTS_MAX];
  return {
    trackingIds,
    ...defined({ next: nextAccountId === undefined ? undefined : { accountId: nextAccountId } }),
  };
}

async function readFeed(
  { accounts, environments, feed }: Deps,
  accountId: string,
  more: readonly string[],
  page: { limit: number; after: string },
): Promise<FeedEntry[]> {
  const account = await accounts.find(accountId);
  if (!account) return [];
  const all = await environments.listAll(accountId);
  const feeds = all.flatMap(({ environmentId }) => [
    { environmentId, kind: OUTBOUND_FEED, shards: account.feedShards },
    ...more.map((kind) => ({ environmentId, kind, shards: 1 })),
  ]);
  return feed.listNewestFirst(feeds, page);
}
