import { dependency, resolve } from '../../../runtime/dependency.ts';
import type { EmailSuppressionStatus } from '../../../schemas/users/user.ts';
import { type Database, database } from '../../database.ts';
import { type Feed, feed } from '../logs/feed.ts';
import { readRecord, SUPPRESSION_FEED } from './suppressions.ts';

/** The suppressed addresses of an account, except the addresses of erased persons. */
function createSuppressedAddresses(table: Database, feeds: Feed) {
  return {
    /** Newest first. `next` continues the list; a page may be shorter than `limit`. */
    async list(
      accountId: string,
      { limit, after }: { limit: number; after?: string | undefined },
    ): Promise<{ suppressions: { address: string; status: EmailSuppressionStatus }[]; next?: string }> {
      const of = [{ environmentId: accountId, kind: SUPPRESSION_FEED, shards: 1 }];
      const entries = await feeds.listNewestFirst(of, { limit: limit + 1, after });
      const shown = entries.slice(0, limit);
      const items = await table.batchGet(shown.map(({ key }) => key));
      const last = entries.length > limit ? shown.at(-1) : undefined;
      return {
        suppressions: items.flatMap((item) => {
          const { address, status } = readRecord(item) ?? {};
          return address && status ? { address, status } : [];
        }),
        ...(last && { next: last.position }),
      };
    },
  };
}

export const suppressedAddresses = dependency('suppressedAddresses', () =>
  createSuppressedAddresses(resolve(database), resolve(feed)),
);
