import type { InboxItem } from './api.ts';
import { type Filter, type Items, isUnread } from './items.ts';

/** The state to render. A new object for each change. */
export type InboxState = {
  /** Those of the view, newest first. */
  items: readonly InboxItem[];
  /** The view: all without archived and snoozed items, or only unread, archived or snoozed items. */
  filter: Filter;
  /** Unread notifications, also on pages that are not loaded. */
  unread: number;
  /** False until the first page is loaded. */
  isLoaded: boolean;
  isLoading: boolean;
  hasMore: boolean;
  isLive: boolean;
  /** Why the last request failed; undefined after the next success. */
  error: Error | undefined;
};

type Flags = Pick<InboxState, 'isLoaded' | 'isLoading' | 'isLive' | 'error'>;

/** Returns the items that arrived after the state `before`, oldest first. */
export function arrivedItems(before: InboxState | undefined, { items, filter }: InboxState): InboxItem[] {
  if (!before?.isLoaded || before.filter !== filter) return [];
  const known = new Set(before.items.map(({ id }) => id));
  const newest = before.items[0]?.date ?? '';
  return items.filter((item) => isUnread(item) && item.date > newest && !known.has(item.id)).reverse();
}

/** The state of an inbox and its listeners. A closed one no longer changes. */
export function createInboxState(items: Items) {
  const listeners = new Set<(state: InboxState) => void>();
  let flags: Flags = { isLoaded: false, isLoading: false, isLive: false, error: undefined };
  let state = stateNow();
  let isClosed = false;

  function stateNow(): InboxState {
    return { ...items.view(), filter: items.filter(), hasMore: items.hasMore(), ...flags };
  }

  function update(change: Partial<Flags> = {}): void {
    if (isClosed) return;
    flags = { ...flags, ...change };
    state = stateNow();
    for (const listener of listeners) listener(state);
  }

  return {
    current: () => state,
    isClosed: () => isClosed,
    update,
    /** Shows with the next update that the first page is loaded. */
    setLoaded(): void {
      flags = { ...flags, isLoaded: true };
    },
    /** Runs `action`; its failure becomes the state's error. */
    async attempt(action: () => Promise<void>): Promise<void> {
      try {
        await action();
        update({ error: undefined });
      } catch (error) {
        update({ error: error instanceof Error ? error : new Error(String(error)) });
      }
    },
    subscribe(listener: (state: InboxState) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close(): void {
      isClosed = true;
      listeners.clear();
    },
  };
}

export type StateOfInbox = ReturnType<typeof createInboxState>;
