import { serviceNowMs } from '../request.ts';
import type { InboxItem } from './api.ts';

/** Marks to set; null clears one. */
export type Marks = {
  opened?: true | null;
  clicked?: true | null;
  archived?: true | null;
  actioned1?: true | null;
  actioned2?: true | null;
  /** ISO 8601: out of sight until then. */
  snoozedUntil?: string | null;
};

/** The views of an inbox: all in sight, unread, archived or snoozed. */
export const FILTERS = ['all', 'unread', 'archived', 'snoozed'] as const;
export type Filter = (typeof FILTERS)[number];

const SHOWN: Record<Filter, (item: InboxItem) => boolean> = {
  all: ({ archived, snoozedUntil }) => !archived && !snoozedUntil,
  unread: isUnread,
  archived: ({ archived }) => Boolean(archived),
  snoozed: ({ archived, snoozedUntil }) => Boolean(!archived && snoozedUntil),
};

type Pending = { ids: ReadonlySet<string> | 'all'; marks: Marks; atMs: number };

/** The loaded items of an inbox. */
export type Items = ReturnType<typeof createItems>;

/**
 * The items as the service has them, with pending marks applied: a mark shows immediately, and one that fails
 * is reverted without affecting items that arrived in the meantime.
 */
export function createItems() {
  const base = new Map<string, InboxItem>();
  const changedAt = new Map<string, number>();
  const pending = new Set<Pending>();
  let unreadBase = 0;
  let changes = 0;
  let isComplete = false;
  let oldest: string | undefined;
  let filter: Filter = 'all';

  function viewOf(item: InboxItem): InboxItem {
    let view = item;
    for (const { ids, marks, atMs } of pending) {
      const applies =
        ids === 'all' ? !view.opened && Date.parse(item.date) <= atMs : ids.has(item.trackingId);
      if (applies) view = marked(view, marks, new Date(atMs).toISOString());
    }
    return view;
  }

  function apply(item: InboxItem): 'known' | 'new' | 'outside' {
    const known = base.get(item.id);
    if (known && isOlder(item, known)) return 'known';
    changes += 1;
    changedAt.set(item.id, changes);
    if (known) {
      unreadBase += Number(isUnread(item)) - Number(isUnread(known));
      base.set(item.id, item);
      return 'known';
    }
    if (!isComplete && oldest !== undefined && item.date < oldest) return 'outside';
    base.set(item.id, item);
    return 'new';
  }

  return {
    /** Applies an item from the service. `outside` is older than the pages loaded, `new` was not among them. */
    apply,
    /** A number for `replace`: later changes win over a page requested before. */
    now: () => changes,
    append(items: readonly InboxItem[], isLast: boolean): void {
      for (const item of items) if (!base.has(item.id)) base.set(item.id, item);
      oldest = items.at(-1)?.date ?? oldest;
      isComplete = isLast;
    },
    /** Replaces everything by pages read since `since`. */
    replace(items: readonly InboxItem[], isLast: boolean, since: number): void {
      const changedSince = [...base.values()].filter(({ id }) => (changedAt.get(id) ?? 0) > since);
      base.clear();
      changedAt.clear();
      oldest = undefined;
      for (const item of [...items, ...changedSince]) {
        const known = base.get(item.id);
        if (!known || !isOlder(item, known)) base.set(item.id, item);
      }
      for (const { id } of changedSince) changedAt.set(id, changes);
      oldest = items.at(-1)?.date;
      isComplete = isLast;
    },
    filter: () => filter,
    /** Shows another view and loads it anew. */
    show(next: Filter): void {
      filter = next;
      base.clear();
      oldest = undefined;
      isComplete = false;
    },
    setUnread(count: number): void {
      unreadBase = count;
    },
    /** Counts a new item that `apply` did not have. */
    countNew(item: InboxItem): void {
      unreadBase += Number(isUnread(item));
    },
    /** Lays marks over items, or over all unread items, until the returned function is called. */
    overlay(ids: readonly string[] | 'all', marks: Marks): () => void {
      const own: Pending = { ids: ids === 'all' ? ids : new Set(ids), marks, atMs: serviceNowMs() };
      pending.add(own);
      return () => pending.delete(own);
    },
    /** Items as shown, newest first. */
    view(): { items: InboxItem[]; unread: number } {
      const all = [...base.values()].map((item) => ({ item, view: viewOf(item) }));
      const delta = all.reduce(
        (sum, { item, view }) => sum + Number(isUnread(view)) - Number(isUnread(item)),
        0,
      );
      const isAllOpened = [...pending].some(({ ids }) => ids === 'all');
      const items = all.map(({ view }) => view).filter(SHOWN[filter]);
      items.sort((left, right) => compare(right.date, left.date) || compare(right.id, left.id));
      return { items, unread: isAllOpened ? items.filter(isUnread).length : Math.max(0, unreadBase + delta) };
    },
    hasMore: () => !isComplete,
    oldest: () => oldest,
    size: () => base.size,
  };
}

/** Unread means neither opened nor archived nor snoozed, as the service counts. */
export function isUnread({ opened, archived, snoozedUntil }: InboxItem): boolean {
  return !opened && !archived && !snoozedUntil;
}

/** Copies arrive in any order. */
const isOlder = ({ version = 1 }: InboxItem, known: InboxItem) => version < (known.version ?? 1);

function marked(item: InboxItem, marks: Marks, time: string): InboxItem {
  const next: Record<string, unknown> = { ...item };
  for (const [name, value] of Object.entries(marks)) {
    if (value === null) delete next[name];
    else if (value !== undefined) next[name] = value === true ? time : value;
  }
  return next as InboxItem;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
