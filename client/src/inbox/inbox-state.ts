import type { InboxItem } from './api.ts';
import { type Items, isUnread } from './items.ts';

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

type Flags = Pick<InboxState, 'isLoaded' | 'isLoading' | 'isLive' | 'error'>;

/** Returns the newest item if it arrived after the state `before`. */
export function arrivedItem(
  before: InboxState | undefined,
  { items: [newest] }: InboxState,
): InboxItem | undefined {
  const isKnown = before?.items.some(({ id }) => id === newest?.id);
  const isNew = newest && isUnread(newest) && newest.date > (before?.items[0]?.date ?? '');
  return before?.isLoaded && isNew && !isKnown ? newest : undefined;
}

/** The state of an inbox and its listeners. A closed one no longer changes. */
export function createInboxState(items: Items) {
  const listeners = new Set<(state: InboxState) => void>();
  let flags: Flags = { isLoaded: false, isLoading: false, isLive: false, error: undefined };
  let state = stateNow();
  let isClosed = false;

  function stateNow(): InboxState {
    return { ...items.view(), hasMore: items.hasMore(), ...flags };
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
