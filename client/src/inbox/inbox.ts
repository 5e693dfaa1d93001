import type { ClientOptions } from '../request.ts';
import { type InboxClient, type InboxItem, inboxClient } from './api.ts';
import { createItems, type Marks } from './items.ts';
import { type LiveOptions, startLive } from './start-live.ts';

/** The connection to the inbox of one user: a client, or the address of the API and a public key. */
export type InboxOptions = {
  /** Items per page; 20 by default, at most 100. */
  pageSize?: number;
} & LiveOptions &
  ({ client: InboxClient } | Omit<ClientOptions, 'user'>);

/** The state to render. A new object for each change. */
export type InboxState = {
  /** Newest first, without archived and snoozed ones. */
  items: readonly InboxItem[];
  /** Unread notifications, including those of pages that are not loaded. */
  unread: number;
  /** False until the first page is loaded. */
  isLoaded: boolean;
  isLoading: boolean;
  hasMore: boolean;
  /** New notifications arrive live. */
  isLive: boolean;
  /** Why the last request failed; undefined after the next success. */
  error: Error | undefined;
};

export type Inbox = {
  getState(): InboxState;
  /** Calls `listener` for each change until the returned function is called. */
  subscribe(listener: (state: InboxState) => void): () => void;
  /** Reads the pages loaded so far again, and the number of unread notifications. */
  reload(): Promise<void>;
  loadMore(): Promise<void>;
  /** Sets marks; null clears one. They show immediately, and are reverted if the request fails. */
  mark(trackingIds: readonly string[], marks: Marks): Promise<void>;
  open(...trackingIds: string[]): Promise<void>;
  archive(...trackingIds: string[]): Promise<void>;
  /** Hides notifications until a time within a year; they then return unread and at the top. */
  snooze(until: Date, ...trackingIds: string[]): Promise<void>;
  openAll(): Promise<void>;
  /** Ends the live connection. */
  close(): void;
};

const PAGE_SIZE = 20;
/** Limit of the service for a page and for one change of marks. */
const ITEMS_MAX = 100;
/** Pages loaded beyond this are read again on demand. */
const RELOAD_MAX = 300;

/** Returns the inbox of one user and starts to load it. No method throws: `error` has the reason of a failure. */
export function createInbox(options: InboxOptions): Inbox {
  const { inapp } = 'client' in options ? options.client : inboxClient(options);
  const pageSize = Math.min(options.pageSize ?? PAGE_SIZE, ITEMS_MAX);
  const items = createItems();
  const listeners = new Set<(state: InboxState) => void>();
  let flags = { isLoaded: false, isLoading: false, isLive: false, error: undefined as Error | undefined };
  let state = stateNow();
  let isClosed = false;
  let reloading: Promise<void> | undefined;
  let isReloadDue = false;
  let counting: Promise<void> | undefined;
  let isCountDue = false;

  function stateNow(): InboxState {
    return { ...items.view(), hasMore: items.hasMore(), ...flags };
  }

  function update(change: Partial<typeof flags> = {}): void {
    if (isClosed) return;
    flags = { ...flags, ...change };
    state = stateNow();
    for (const listener of listeners) listener(state);
  }

  async function attempt(action: () => Promise<void>): Promise<void> {
    try {
      await action();
      update({ error: undefined });
    } catch (error) {
      update({ error: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  /** One count at a time: a change during a count requests another. */
  function recount(): Promise<void> {
    isCountDue = true;
    counting ??= (async () => {
      while (isCountDue && !isClosed) {
        isCountDue = false;
        const { count } = await inapp.countUnread();
        if (!isCountDue) items.setUnread(count);
      }
    })().finally(() => {
      counting = undefined;
    });
    return counting;
  }

  async function readPages(): Promise<void> {
    const since = items.now();
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
    items.replace(read, isLast, since);
  }

  async function pageBefore(before: string | undefined, count: number): Promise<InboxItem[]> {
    const query = { archived: false, count, ...(before === undefined ? {} : { before }) };
    return (await inapp.list(query)).notifications;
  }

  /** A reload requested during another follows it. */
  function reload(): Promise<void> {
    isReloadDue = true;
    reloading ??= (async () => {
      update({ isLoading: true });
      await attempt(async () => {
        while (isReloadDue && !isClosed) {
          isReloadDue = false;
          await readPages();
        }
        flags.isLoaded = true;
      });
      reloading = undefined;
      update({ isLoading: false });
    })();
    return reloading;
  }

  async function loadMore(): Promise<void> {
    if (flags.isLoading || !items.hasMore()) return;
    update({ isLoading: true });
    await attempt(async () => {
      const page = await pageBefore(items.oldest(), pageSize);
      items.append(page, page.length < pageSize);
    });
    update({ isLoading: false });
  }

  /** Counts again if the change of an item's mark cannot be determined from the loaded items. */
  function receive(received: readonly InboxItem[], areNew: boolean): void {
    let isUncertain = counting !== undefined;
    for (const item of received) {
      const found = items.apply(item);
      if (found === 'known') continue;
      if (areNew) items.countNew(item);
      else isUncertain = true;
    }
    update();
    if (isUncertain)
      recount().then(
        () => update(),
        () => {},
      );
  }

  async function mark(trackingIds: readonly string[], marks: Marks): Promise<void> {
    for (let start = 0; start < trackingIds.length; start += ITEMS_MAX) {
      const part = trackingIds.slice(start, start + ITEMS_MAX);
      const remove = items.overlay(part, marks);
      update();
      await attempt(async () => {
        try {
          receive((await inapp.mark({ trackingIds: [...part], ...marks })).notifications, false);
        } finally {
          remove();
        }
      });
    }
  }

  async function openAll(): Promise<void> {
    const remove = items.overlay('all', { opened: true });
    update();
    await attempt(async () => {
      try {
        await inapp.openAll();
        await readPages();
      } finally {
        remove();
      }
    });
  }

  const stop = startLive(options, {
    setLive: (isLive) => update({ isLive }),
    reload,
    receive,
  });
  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    reload,
    loadMore,
    mark,
    open: (...trackingIds) => mark(trackingIds, { opened: true }),
    archive: (...trackingIds) => mark(trackingIds, { archived: true }),
    snooze: (until, ...trackingIds) => mark(trackingIds, { snoozedUntil: until.toISOString() }),
    openAll,
    close() {
      isClosed = true;
      listeners.clear();
      stop();
    },
  };
}
