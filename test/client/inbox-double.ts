import type { InboxClient, InboxItem } from '../../client/src/inbox/api.ts';

const START_MS = Date.parse('2026-11-22T09:00:00Z');

type Operation = 'list' | 'mark';

/** A socket that the test opens, closes and pushes over. */
class FakeSocket {
  readyState = 0;
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  push(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  accept(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }
}

/** The inbox's operations and WebSocket in memory, with `count` unread items a second apart. */
export function createFakeService(count: number) {
  const items: InboxItem[] = [];
  const sockets: FakeSocket[] = [];
  const failing = new Set<Operation>();
  let held: Promise<void> | undefined;

  function add(): InboxItem {
    const index = items.length;
    const id = `id-${index}`;
    const date = new Date(START_MS + index * 1000).toISOString();
    const item = { id, trackingId: id, notificationId: 'comment', title: `title ${index}`, date };
    items.push(item);
    return { ...item };
  }

  function item(index: number): InboxItem {
    const found = items[index];
    if (!found) throw new RangeError(`there is no item ${index}`);
    return found;
  }

  async function perform<T>(operation: Operation, action: () => T): Promise<T> {
    if (failing.delete(operation)) throw new Error(`${operation} failed`);
    const result = structuredClone(action());
    if (operation === 'list') await held;
    return result;
  }

  const isUnread = ({ opened, archived, snoozedUntil }: InboxItem) => !opened && !archived && !snoozedUntil;
  const inapp = {
    list: ({ before, count = 50 }: { before?: string; count?: number } = {}) =>
      perform('list', () => {
        const found = items.filter(
          ({ archived, snoozedUntil, date }) => !archived && !snoozedUntil && (!before || date < before),
        );
        return { notifications: found.reverse().slice(0, count) };
      }),
    countUnread: async () => ({ count: items.filter(isUnread).length }),
    mark: ({ trackingIds, ...marks }: { trackingIds: string[] } & Record<string, unknown>) =>
      perform('mark', () => {
        const marked = items.filter(({ trackingId }) => trackingIds.includes(trackingId));
        for (const each of marked)
          for (const [name, value] of Object.entries(marks))
            Object.assign(each, {
              [name]: value === null ? undefined : value === true ? new Date().toISOString() : value,
            });
        return { notifications: marked };
      }),
    openAll: async () => {
      const unread = items.filter(isUnread);
      for (const each of unread) each.opened = new Date().toISOString();
      return { count: unread.length };
    },
  };

  for (let index = 0; index < count; index += 1) add();
  return {
    add,
    item,
    sockets,
    // The tests call these four operations only.
    client: { inapp } as unknown as InboxClient,
    WebSocket: class extends FakeSocket {
      constructor(url: string) {
        super(url);
        sockets.push(this);
      }
    } as unknown as typeof WebSocket,
    failNext: (operation: Operation) => failing.add(operation),
    /** Pages are read, and not returned until the returned function is called. */
    hold(_operation: 'list'): () => void {
      let release = () => {};
      held = new Promise((resume) => (release = resume));
      return release;
    },
    push(route: 'new' | 'updated', notifications: InboxItem[]): void {
      const message = { route: `inapp_web/${route}_notifications`, payload: { notifications } };
      sockets.at(-1)?.onmessage?.({ data: JSON.stringify(message) });
    },
  };
}
