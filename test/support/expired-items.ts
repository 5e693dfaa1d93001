import { tablePages } from '../../shared/database/client/table-pages.ts';
import type { Database } from '../../shared/database/database.ts';
import { keyOf } from '../../shared/database/keys/key.ts';
import { resolve } from '../../shared/runtime/dependency.ts';

/** Deletes what the table may have deleted by now: the table of the tests keeps what has expired. */
export async function deleteExpired(app: { database: Database; clock: { nowMs: number } }): Promise<void> {
  let after: Parameters<ReturnType<typeof pages>['read']>[0];
  const pages = () => resolve(tablePages);
  do {
    const page = await pages().read(after);
    for (const item of page.items)
      if (Number(item.expiresAt) * 1000 <= app.clock.nowMs) await app.database.delete(keyOf(item));
    after = page.next;
  } while (after);
}
