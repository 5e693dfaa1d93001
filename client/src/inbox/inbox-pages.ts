import type { InboxClient, InboxItem } from './api.ts';
import type { StateOfInbox } from './inbox-state.ts';
import type { Items } from './items.ts';

/** Limit of the service for a page and for one change of marks. */
export const ITEMS_MAX = 100;
/** Pages loaded beyond this are read again on demand. */
const RELOAD_MAX = 300;

/** The sub-notification whose items are shown; all without one. */
export type InboxScope = { subNotificationId?: string };

/** Reads the pages of an inbox and its number of unread notifications. */
export function createPages(
  { inapp }: InboxClient,
  items: Items,
  state: StateOfInbox,
  pageSize: number,
  scope: InboxScope,
) {
  let reloading: Promise<void> | undefined;
  let isReloadDue = false;
  let counting: Promise<void> | undefined;
  let isCountDue = false;
  let isFilling = false;

  /** One count at a time: a change during a count requests another, also during one that fails. */
  function recount(): Promise<void> {
    isCountDue = true;
    counting ??= (async () => {
      while (isCountDue && !state.isClosed()) {
        isCountDue = false;
        try {
          const { count } = await inapp.countUnread(scope);
          if (!isCountDue) items.setUnread(count);
        } catch (error) {
          if (!isCountDue) throw error;
        }
      }
    })().finally(() => {
      counting = undefined;
    });
    return counting;
  }

  async function readPages(): Promise<void> {
    const since = items.now();
    const filter = items.filter();
    const countMax = Math.min(Math.max(items.size(), pageSize), RELOAD_MAX);
    const read: InboxItem[] = [];
    let isLast = false;
    const counted = recount();
    counted.catch(() => {});
    while (!isLast && read.length < countMax) {
      const count = Math.min(countMax - read.length, ITEMS_MAX);
      const page = await pageBefore(read.at(-1)?.date, count);
      read.push(...page);
      isLast = page.length < count;
    }
    await counted;
    if (filter === items.filter()) items.replace(read, isLast, since);
  }

  async function pageBefore(before: string | undefined, count: number): Promise<InboxItem[]> {
    const filter = items.filter();
    const shown = filter === 'all' ? { archived: false } : { filter };
    const query = { ...scope, ...shown, count, ...(before === undefined ? {} : { before }) };
    return (await inapp.list(query)).notifications;
  }

  /** A reload requested during another follows it, also one that failed. */
  function reload(): Promise<void> {
    isReloadDue = true;
    reloading ??= (async () => {
      state.update({ isLoading: true });
      await state.attempt(async () => {
        while (isReloadDue && !state.isClosed()) {
          isReloadDue = false;
          await readPages().catch((error) => {
            if (!isReloadDue) throw error;
          });
        }
        state.setLoaded();
      });
      reloading = undefined;
      state.update({ isLoading: false });
    })();
    return reloading;
  }

  async function readOlder(): Promise<void> {
    const [filter, before] = [items.filter(), items.oldest()];
    const page = await pageBefore(before, pageSize);
    // After a list that was read anew in the meantime, it would leave a gap.
    if (filter === items.filter() && before === items.oldest()) items.append(page, page.length < pageSize);
  }

  async function loadMore(): Promise<void> {
    if (state.current().isLoading) return;
    if (!items.hasMore()) return reload();
    state.update({ isLoading: true });
    await state.attempt(readOlder);
    state.update({ isLoading: false });
  }

  /** Reads older pages while few of the loaded items are left to show. What fails can be asked for by `loadMore`. */
  async function fill(): Promise<void> {
    if (isFilling) return;
    isFilling = true;
    const isDue = () => items.hasMore() && items.view().items.length < pageSize / 4;
    try {
      for (let oldest: string | undefined = ''; isDue() && oldest !== items.oldest(); ) {
        oldest = items.oldest();
        await readOlder();
        state.update();
      }
    } catch {}
    isFilling = false;
  }

  return { fill, recount, isCounting: () => counting !== undefined, readPages, reload, loadMore };
}
