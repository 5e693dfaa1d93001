import type { ClientOptions } from '../request.ts';
import { type InboxClient, type InboxItem, inboxClient } from './api.ts';
import { createPages, type InboxScope, ITEMS_MAX } from './inbox-pages.ts';
import { createInboxState, type InboxState } from './inbox-state.ts';
import { createItems, type Filter, type Marks } from './items.ts';
import { type LiveOptions, startLive } from './start-live.ts';

/** The connection to the inbox of one user: a client, or the address of the API and a public key. */
export type InboxOptions = {
  /** Items per page; 20 by default, at most 100. */
  pageSize?: number;
  /** Only the notifications of this sub-notification. */
  subNotificationId?: string | undefined;
} & LiveOptions &
  ({ client: InboxClient } | Omit<ClientOptions, 'user'>);

export type Inbox = {
  getState(): InboxState;
  /** Calls `listener` for each change until the returned function is called. */
  subscribe(listener: (state: InboxState) => void): () => void;
  /** Reads the pages loaded so far again, and the number of unread notifications. */
  reload(): Promise<void>;
  /** Reads again unless what is shown is live, and has changed or been read within the last minute. */
  refresh(): Promise<void>;
  loadMore(): Promise<void>;
  /** Sets marks; null clears one. They show immediately, and are reverted if the request fails. */
  mark(trackingIds: readonly string[], marks: Marks): Promise<void>;
  open(...trackingIds: string[]): Promise<void>;
  /** Moves notifications to the view `archived`; `mark` with null moves them back. */
  archive(...trackingIds: string[]): Promise<void>;
  /** Shows another view: `all`, `unread`, `archived` or `snoozed`. */
  show(filter: Filter): Promise<void>;
  /** Hides notifications until a time within a year; they then return unread and at the top. */
  snooze(until: Date, ...trackingIds: string[]): Promise<void>;
  openAll(): Promise<void>;
  close(): void;
};

const PAGE_SIZE = 20;

/** Returns the inbox of a user and starts to load it. Methods never throw: `error` has the reason of a failure. */
export function createInbox(options: InboxOptions): Inbox {
  const client = 'client' in options ? options.client : inboxClient(options);
  const { inapp } = client;
  const pageSize = Math.min(options.pageSize ?? PAGE_SIZE, ITEMS_MAX);
  const items = createItems();
  const state = createInboxState(items);
  const { update, attempt } = state;
  const { subNotificationId } = options;
  const scope: InboxScope = subNotificationId ? { subNotificationId } : {};
  const pages = createPages(client, items, state, pageSize, scope);
  const { fill, recount, isCounting, readPages, reload, loadMore } = pages;

  /** Counts again if the change of an item's mark cannot be determined from the loaded items. */
  function receive(received: readonly InboxItem[], areNew: boolean): void {
    let isUncertain = isCounting();
    for (const item of received) {
      if (subNotificationId && item.subNotificationId !== subNotificationId) continue;
      const found = items.apply(item);
      if (found === 'known') continue;
      if (areNew) items.countNew(item);
      else isUncertain = true;
    }
    update();
    fill();
    if (isUncertain)
      recount().then(
        () => update(),
        () => {},
      );
  }

  /** The last change of each notification that is under way: requests that are sent together arrive in any order. */
  const marking = new Map<string, Promise<unknown>>();

  /** Marks every part, also after one that failed, whose error stays. */
  async function mark(trackingIds: readonly string[], marks: Marks): Promise<void> {
    await attempt(async () => {
      const failures: unknown[] = [];
      for (let start = 0; start < trackingIds.length; start += ITEMS_MAX)
        await markPart(trackingIds.slice(start, start + ITEMS_MAX), marks).catch((error) =>
          failures.push(error),
        );
      if (failures.length > 0) throw failures[0];
    });
  }

  async function markPart(trackingIds: readonly string[], marks: Marks): Promise<void> {
    const remove = items.overlay(trackingIds, marks);
    update();
    const before = trackingIds.flatMap((id) => marking.get(id) ?? []);
    const send = () => inapp.mark({ trackingIds: [...trackingIds], ...marks });
    const sent = before.length > 0 ? Promise.allSettled(before).then(send) : send();
    for (const id of trackingIds) marking.set(id, sent);
    try {
      receive((await sent).notifications, false);
    } finally {
      for (const id of trackingIds) if (marking.get(id) === sent) marking.delete(id);
      remove();
      update();
    }
  }

  async function openAll(): Promise<void> {
    const remove = items.overlay('all', { opened: true });
    update();
    await attempt(async () => {
      try {
        await inapp.openAll(scope);
        await readPages();
      } finally {
        remove();
      }
    });
  }

  const live = startLive(options, {
    setLive: (isLive) => update({ isLive }),
    reload,
    newest: () => `${state.current().items[0]?.id} ${state.current().unread}`,
    receive,
  });
  return {
    getState: state.current,
    subscribe: state.subscribe,
    reload,
    async refresh() {
      const { isLive, isLoading } = state.current();
      if (!isLoading) await (isLive ? live.refresh() : reload());
    },
    loadMore,
    mark,
    open: (...trackingIds) => mark(trackingIds, { opened: true }),
    archive: (...trackingIds) => mark(trackingIds, { archived: true }),
    async show(filter) {
      if (filter === items.filter()) return;
      items.show(filter);
      update({ isLoaded: false });
      await reload();
    },
    snooze: (until, ...trackingIds) => mark(trackingIds, { snoozedUntil: until.toISOString() }),
    openAll,
    close() {
      state.close();
      live.stop();
    },
  };
}
