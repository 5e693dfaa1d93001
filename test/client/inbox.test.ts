import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OPERATIONS } from '../../client/src/generated/operations.ts';
import { INBOX_OPERATIONS } from '../../client/src/inbox/api.ts';
import { createInbox, type Inbox } from '../../client/src/inbox/inbox.ts';
import { preferenceRows } from '../../client/src/inbox/preferences.ts';
import { createFakeService } from './inbox-double.ts';

const opened: Inbox[] = [];

const settle = () => vi.advanceTimersByTimeAsync(0);

async function open(
  service: ReturnType<typeof createFakeService>,
  {
    live = true,
    pageSize = 3,
    ...scope
  }: { live?: boolean; pageSize?: number; subNotificationId?: string } = {},
) {
  const inbox = createInbox({
    client: service.client,
    user: { id: 'ada ü', hash: 'a+b=' },
    pageSize,
    ...scope,
    WebSocket: service.WebSocket,
    ...(live ? { socketUrl: 'https://live.example.com', envId: 'env' } : {}),
  });
  opened.push(inbox);
  if (live) service.sockets.at(-1)?.accept();
  await settle();
  return { inbox, titles: () => inbox.getState().items.map(({ title }) => title) };
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-22T10:00:00Z') });
});
afterEach(() => {
  for (const inbox of opened.splice(0)) inbox.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('calls operations of the service', () => {
  for (const [name, row] of Object.entries(INBOX_OPERATIONS)) expect(OPERATIONS[name]).toEqual(row);
});

describe('loading the inbox', () => {
  it('shows the newest page without archived items, and the unread count of all pages', async () => {
    const service = createFakeService(7);
    service.item(6).archived = 'now';
    service.item(5).opened = 'now';
    const { inbox, titles } = await open(service, { live: false });
    expect(titles()).toEqual(['title 5', 'title 4', 'title 3']);
    expect(inbox.getState()).toMatchObject({ unread: 5, hasMore: true, isLoaded: true, isLive: false });
  });

  it('pages until the end', async () => {
    const { inbox, titles } = await open(createFakeService(5));
    await inbox.loadMore();
    expect(titles()).toEqual(['title 4', 'title 3', 'title 2', 'title 1', 'title 0']);
    expect(inbox.getState().hasMore).toBe(false);
  });

  it('leaves no gap when an older page arrives after another view was shown and left', async () => {
    const service = createFakeService(12);
    const { inbox, titles } = await open(service);
    await inbox.loadMore();
    const release = service.hold('list');
    const more = inbox.loadMore();
    service.hold('list')();
    await inbox.show('unread');
    await inbox.show('all');
    release();
    await more;
    await inbox.loadMore();
    expect(titles()).toEqual([11, 10, 9, 8, 7, 6].map((index) => `title ${index}`));
  });

  it('reports a failure, and clears it with the next success', async () => {
    const service = createFakeService(1);
    service.failNext('list');
    const { inbox, titles } = await open(service);
    expect(inbox.getState()).toMatchObject({ isLoaded: false, error: { message: 'list failed' } });
    await inbox.reload();
    expect(inbox.getState()).toMatchObject({ isLoaded: true, isLoading: false, error: undefined });
    expect(titles()).toEqual(['title 0']);
  });

  it('reads again when that was asked for during a read that then fails', async () => {
    const service = createFakeService(1);
    const { inbox, titles } = await open(service);
    service.failNext('list');
    inbox.reload();
    service.add();
    await inbox.reload();
    expect(inbox.getState()).toMatchObject({ isLoading: false, error: undefined });
    expect(titles()).toEqual(['title 1', 'title 0']);
  });

  it('does not wait for a live connection that fails to open', async () => {
    const service = createFakeService(1);
    const inbox = createInbox({
      client: service.client,
      user: { id: 'ada' },
      socketUrl: 'wss://live.example.com',
      envId: 'env',
      WebSocket: service.WebSocket,
    });
    opened.push(inbox);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(inbox.getState()).toMatchObject({ isLoaded: true, isLive: false });
  });
});

it('counts again after a change during a count that fails', async () => {
  const service = createFakeService(5);
  const { inbox } = await open(service);
  const failing = Promise.withResolvers<never>();
  const counts = vi.spyOn(service.client.inapp, 'countUnread');
  counts.mockReturnValueOnce(failing.promise as never);
  service.item(0).opened = 'now';
  service.push('updated', [service.item(0)]);
  await settle();
  expect(counts).toHaveBeenCalledTimes(1);
  service.item(1).opened = 'now';
  service.push('updated', [service.item(1)]);
  failing.reject(new Error('down'));
  await settle();
  expect(counts).toHaveBeenCalledTimes(2);
  expect(inbox.getState()).toMatchObject({ unread: 3, error: undefined });
});

describe('marks in the inbox', () => {
  it('show immediately and lower the count', async () => {
    const service = createFakeService(3);
    const { inbox } = await open(service);
    const done = inbox.open('id-2');
    expect(inbox.getState().unread).toBe(2);
    expect(inbox.getState().items[0]?.opened).toBeDefined();
    await done;
    expect(inbox.getState().unread).toBe(2);
    expect(service.item(2).opened).toBeDefined();
    await inbox.mark(['id-2'], { opened: null });
    expect(inbox.getState().unread).toBe(3);
  });

  it.each([
    ['archived', (inbox: Inbox, ids: string[]) => inbox.archive(...ids)],
    ['snoozed', (inbox: Inbox, ids: string[]) => inbox.snooze(new Date(Date.now() + 60_000), ...ids)],
    [
      'archived one after the other',
      async (inbox: Inbox, ids: string[]) => {
        for (const id of ids) await inbox.archive(id);
      },
    ],
  ])('load the next page when the loaded items are %s', async (_, leave) => {
    const service = createFakeService(50);
    const { inbox, titles } = await open(service, { live: false, pageSize: 25 });
    const shown = inbox.getState().items.map(({ trackingId }) => trackingId);
    await leave(inbox, shown);
    await settle();
    expect(titles()).toEqual(Array.from({ length: 25 }, (_, index) => `title ${24 - index}`));
    expect(inbox.getState()).toMatchObject({ unread: 25, isLoaded: true, error: undefined });
    await leave(
      inbox,
      titles().map((title) => title.replace('title ', 'id-')),
    );
    await settle();
    expect(inbox.getState()).toMatchObject({ items: [], unread: 0, hasMore: false });
  });

  it('load the next page when the loaded items are archived elsewhere, and keep the error of a mark', async () => {
    const service = createFakeService(5);
    const { inbox, titles } = await open(service);
    for (const index of [4, 3, 2]) service.item(index).archived = 'now';
    service.push('updated', [4, 3, 2].map(service.item));
    await settle();
    expect(titles()).toEqual(['title 1', 'title 0']);
    service.failNext('mark');
    await inbox.archive('id-1');
    expect(inbox.getState().error).toBeDefined();
  });

  it('of one notification are sent one after the other, and those of another at once', async () => {
    const service = createFakeService(2);
    const { inbox } = await open(service);
    const { inapp } = service.client;
    const { mark } = inapp;
    const sent: string[] = [];
    const first = Promise.withResolvers<void>();
    Object.assign(inapp, {
      mark: async (body: Parameters<typeof mark>[0]) => {
        sent.push(`${body.trackingIds} ${body.archived}`);
        if (sent.length === 1) await first.promise;
        return mark(body);
      },
    });
    inbox.archive('id-1');
    const undone = inbox.mark(['id-1'], { archived: null });
    await inbox.archive('id-0');
    expect(sent).toEqual(['id-1 true', 'id-0 true']);
    first.resolve();
    await undone;
    expect(sent.at(-1)).toBe('id-1 null');
    expect(service.item(1).archived).toBeUndefined();
  });

  it('revert when the request fails, and others remain', async () => {
    const service = createFakeService(3);
    const { inbox, titles } = await open(service);
    service.failNext('mark');
    const failing = inbox.archive('id-2');
    const working = inbox.open('id-1');
    expect(titles()).toEqual(['title 1', 'title 0']);
    await Promise.all([failing, working]);
    expect(titles()).toEqual(['title 2', 'title 1', 'title 0']);
    expect(inbox.getState().unread).toBe(2);
  });

  it('keep the error of the first hundred while the second hundred succeeds', async () => {
    const service = createFakeService(150);
    const { inbox } = await open(service, { live: false });
    service.failNext('mark');
    await inbox.archive(...Array.from({ length: 150 }, (_, index) => service.item(index).trackingId));
    expect(inbox.getState().error).toMatchObject({ message: 'mark failed' });
    expect(service.item(0).archived).toBeUndefined();
    expect(service.item(149).archived).toBeDefined();
  });

  it('stay when an older copy of the item arrives later, as a repeated first push does', async () => {
    const service = createFakeService(3);
    const { inbox } = await open(service);
    const [first] = inbox.getState().items;
    if (!first) throw new Error('no item');
    const marks = { opened: '2026-11-22T10:00:01.000Z' };
    const route = 'inapp_web/new_notifications';
    const push = (notification: object) =>
      service.sockets.at(-1)?.push({ route, payload: { notifications: [notification] } });
    push({ ...first, ...marks, version: 3 });
    const read = inbox.getState().unread;
    for (const late of [first, { ...first, version: 1 }, { ...first, opened: 'x', version: 2 }]) push(late);
    await settle();
    expect(inbox.getState().items.find(({ id }) => id === first.id)).toMatchObject(marks);
    expect(inbox.getState().unread).toBe(read);
    push({ ...first, version: 4 });
    expect(inbox.getState().items.find(({ id }) => id === first.id)?.opened).toBeUndefined();
    expect(inbox.getState().unread).toBe(read + 1);
  });

  it('snooze an item, which is not counted and returns first when the service pushes it', async () => {
    const service = createFakeService(3);
    const { inbox, titles } = await open(service);
    const until = new Date(Date.now() + 3_600_000);
    const done = inbox.snooze(until, 'id-0');
    expect([titles(), inbox.getState().unread]).toEqual([['title 2', 'title 1'], 2]);
    await done;
    expect(service.item(0).snoozedUntil).toBe(until.toISOString());
    expect([titles(), inbox.getState().unread]).toEqual([['title 2', 'title 1'], 2]);
    const { snoozedUntil: _, ...item } = service.item(0);
    service.push('new', [{ ...item, date: new Date(Date.now() + 3_600_000).toISOString() }]);
    expect([titles(), inbox.getState().unread]).toEqual([['title 0', 'title 2', 'title 1'], 3]);
  });

  it('leave the item in place when the snooze fails', async () => {
    const service = createFakeService(2);
    const { inbox, titles } = await open(service);
    service.failNext('mark');
    await inbox.snooze(new Date(Date.now() + 1000), 'id-1');
    expect([titles(), inbox.getState().unread]).toEqual([['title 1', 'title 0'], 2]);
  });

  it('open all items, including those of pages that are not loaded', async () => {
    const { inbox } = await open(createFakeService(9));
    const done = inbox.openAll();
    expect(inbox.getState().unread).toBe(0);
    await done;
    expect(inbox.getState().unread).toBe(0);
    expect(inbox.getState().items.every((item) => item.opened)).toBe(true);
  });
});

describe('preferenceRows', () => {
  const type = {
    notificationId: 'news',
    title: 'News',
    channels: ['EMAIL' as const, 'SMS' as const],
    options: {
      EMAIL: { defaultDeliveryOption: 'daily' as const, daily: { enabled: true }, off: { enabled: false } },
    },
  };

  it('returns the enabled channels, and the default without a choice', () => {
    expect(preferenceRows({ notifications: [type], preferences: [] })).toEqual([
      {
        notificationId: 'news',
        title: 'News',
        cells: [
          { channel: 'EMAIL', options: ['instant', 'daily'], delivery: 'daily' },
          { channel: 'SMS', options: ['off', 'instant'], delivery: 'instant' },
        ],
      },
    ]);
  });

  it('returns the choice, and a row for each sub-notification with a choice', () => {
    const preferences = [
      { notificationId: 'news', channel: 'SMS' as const, delivery: 'off' as const },
      {
        notificationId: 'news',
        subNotificationId: 's1',
        channel: 'EMAIL' as const,
        delivery: 'instant' as const,
      },
    ];
    const rows = preferenceRows({ notifications: [type], preferences });
    expect(rows.map(({ title, cells }) => [title, ...cells.map(({ delivery }) => delivery)])).toEqual([
      ['News', 'daily', 'off'],
      ['News: s1', 'instant', 'off'],
    ]);
  });
});

it('asks for and shows the items of its sub-notification only, live ones included', async () => {
  const service = createFakeService(2);
  const { inapp } = service.client;
  const [list, count, all] = [
    vi.spyOn(inapp, 'list'),
    vi.spyOn(inapp, 'countUnread'),
    vi.spyOn(inapp, 'openAll'),
  ];
  const { inbox, titles } = await open(service, { subNotificationId: 'acme' });
  expect(list).toHaveBeenCalledWith(expect.objectContaining({ subNotificationId: 'acme' }));
  expect(count).toHaveBeenCalledWith({ subNotificationId: 'acme' });
  const pushed = (id: string, subNotificationId?: string) => ({
    ...{ ...service.item(0), id, trackingId: id, title: id, date: '2026-11-22T09:59:00.000Z' },
    ...(subNotificationId ? { subNotificationId } : {}),
  });
  service.push('new', [pushed('other', 'globex'), pushed('none'), pushed('own', 'acme')]);
  await settle();
  expect(titles()[0]).toBe('own');
  expect(titles()).not.toContain('other');
  expect(titles()).not.toContain('none');
  await inbox.openAll();
  expect(all).toHaveBeenCalledWith({ subNotificationId: 'acme' });
});

const MINUTE_MS = 60_000;

describe('the live connection', () => {
  it('connects with the user, the environment and the hash', async () => {
    const service = createFakeService(0);
    await open(service);
    const url = new URL(service.sockets[0]?.url ?? '');
    expect([url.protocol, url.host]).toEqual(['wss:', 'live.example.com']);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      userId: 'ada ü',
      envId: 'env',
      userIdHash: 'a+b=',
    });
  });

  it('adds a new notification once, however often it is pushed', async () => {
    const service = createFakeService(1);
    const { inbox, titles } = await open(service);
    const item = service.add();
    for (let times = 0; times < 2; times += 1) service.push('new', [item]);
    expect(titles()).toEqual(['title 1', 'title 0']);
    expect(inbox.getState().unread).toBe(2);
  });

  it('applies marks that were set elsewhere, even to items that are not loaded', async () => {
    const service = createFakeService(5);
    const { inbox, titles } = await open(service);
    for (const index of [4, 0]) service.item(index).opened = 'now';
    service.item(3).archived = 'now';
    service.push('updated', [service.item(4), service.item(3), service.item(0)]);
    await settle();
    expect(titles()).toEqual(['title 4', 'title 2']);
    expect(inbox.getState().unread).toBe(2);
  });

  it('reconnects with growing pauses and loads what was missed', async () => {
    const service = createFakeService(1);
    const { inbox, titles } = await open(service);
    service.sockets[0]?.close();
    expect(inbox.getState().isLive).toBe(false);
    service.add();
    service.item(0).opened = 'now';
    await vi.advanceTimersByTimeAsync(1_000);
    service.sockets[1]?.close();
    await vi.advanceTimersByTimeAsync(990);
    expect(service.sockets).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1_010);
    service.sockets[2]?.accept();
    await settle();
    expect(titles()).toEqual(['title 1', 'title 0']);
    expect(inbox.getState()).toMatchObject({ isLive: true, unread: 1 });
  });

  it('keeps what is pushed while the pages are being read', async () => {
    const service = createFakeService(1);
    const { inbox, titles } = await open(service);
    const release = service.hold('list');
    const reloading = inbox.reload();
    await settle();
    service.push('new', [service.add()]);
    release();
    await reloading;
    await settle();
    expect(titles()).toEqual(['title 1', 'title 0']);
    expect(inbox.getState().unread).toBe(2);
  });

  it('pings every nine minutes, before the ten of API Gateway, and replaces a connection after sleep', async () => {
    const service = createFakeService(0);
    await open(service);
    await vi.advanceTimersByTimeAsync(18 * MINUTE_MS);
    expect(service.sockets[0]?.sent).toEqual(['ping', 'ping']);
    vi.setSystemTime(Date.now() + 60 * MINUTE_MS);
    await vi.advanceTimersByTimeAsync(9 * MINUTE_MS + 1_000);
    expect(service.sockets).toHaveLength(2);
  });

  it('ignores unknown messages', async () => {
    const service = createFakeService(1);
    const { titles } = await open(service);
    for (const data of ['', 'null', '[]', '{"route":"x","payload":{"notifications":[{}]}}'])
      service.sockets[0]?.onmessage?.({ data });
    expect(titles()).toEqual(['title 0']);
  });

  /** A page that is shown or hidden, and whose events the test dispatches. */
  function stubPage() {
    const events = new EventTarget();
    const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
    vi.stubGlobal('document', document);
    vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
    vi.stubGlobal('removeEventListener', events.removeEventListener.bind(events));
    return {
      show(state: 'visible' | 'hidden') {
        document.visibilityState = state;
        document.dispatchEvent(new Event('visibilitychange'));
      },
      fire: (name: string) => events.dispatchEvent(new Event(name)),
    };
  }

  type Page = ReturnType<typeof stubPage>;
  const SIGNS: [string, (page: Page, inbox: Inbox) => unknown][] = [
    ['comes online', (page) => page.fire('online')],
    ['is shown again', (page) => [page.show('hidden'), page.show('visible')]],
    ['comes from the back/forward cache', (page) => page.fire('pageshow')],
    ['opens the list', (_, inbox) => inbox.refresh()],
  ];

  it.each(SIGNS)('that died silently is noticed when the page %s', async (_, happen) => {
    const page = stubPage();
    const service = createFakeService(1);
    const { inbox, titles } = await open(service);
    await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
    service.add();
    service.item(0).opened = 'now';
    await happen(page, inbox);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(titles()).toEqual(['title 1', 'title 0']);
    expect(inbox.getState()).toMatchObject({ isLive: false, unread: 1 });
    expect(service.sockets.map(({ readyState }) => readyState)).toEqual([3, 0]);
    service.sockets[1]?.accept();
    service.push('new', [service.add()]);
    await settle();
    expect(titles()).toEqual(['title 2', 'title 1', 'title 0']);
    expect(inbox.getState().isLive).toBe(true);
  });

  it.each(SIGNS.slice(1))(
    'is kept, and one that had news a moment ago reads nothing, when the page %s',
    async (_, happen) => {
      const page = stubPage();
      const service = createFakeService(1);
      const { inbox } = await open(service);
      const list = vi.spyOn(service.client.inapp, 'list');
      await vi.advanceTimersByTimeAsync(MINUTE_MS - 1_000);
      await happen(page, inbox);
      expect(list).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1_000);
      await happen(page, inbox);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(list).toHaveBeenCalledTimes(1);
      expect(service.sockets).toHaveLength(1);
      expect(inbox.getState().isLive).toBe(true);
    },
  );

  it('that nothing came over for an hour is checked over HTTP while the page is shown', async () => {
    const page = stubPage();
    const service = createFakeService(1);
    const { titles } = await open(service);
    page.show('hidden');
    service.add();
    await vi.advanceTimersByTimeAsync(70 * MINUTE_MS);
    expect(titles()).toEqual(['title 0']);
    page.show('visible');
    await settle();
    service.sockets.at(-1)?.accept();
    service.add();
    await vi.advanceTimersByTimeAsync(70 * MINUTE_MS);
    expect(titles()).toEqual(['title 2', 'title 1', 'title 0']);
  });

  it('is replaced within a minute of the machine waking', async () => {
    const service = createFakeService(1);
    const { titles } = await open(service);
    vi.setSystemTime(Date.now() + 5 * MINUTE_MS);
    service.add();
    await vi.advanceTimersByTimeAsync(31_000);
    expect(service.sockets).toHaveLength(2);
    expect(titles()).toEqual(['title 1', 'title 0']);
  });

  it('without one the list is read again when the page comes online or is shown', async () => {
    const page = stubPage();
    const service = createFakeService(1);
    const { titles } = await open(service, { live: false });
    service.add();
    page.fire('online');
    await settle();
    expect(titles()).toEqual(['title 1', 'title 0']);
    service.add();
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    page.show('visible');
    await settle();
    expect(titles()).toHaveLength(3);
  });

  it.each([
    [
      'a page that may open none',
      'ws://live.example.com',
      () => new DOMException('insecure', 'SecurityError'),
    ],
    ['an address without a scheme', 'live.example.com', undefined],
    ['an address that is none', '//', undefined],
    ['a browser without WebSocket', 'wss://live.example.com', () => new TypeError('not a constructor')],
  ])('is done without for %s: the list is read over HTTP at once', async (_, socketUrl, problem) => {
    const service = createFakeService(1);
    const inbox = createInbox({
      client: service.client,
      user: { id: 'ada' },
      socketUrl,
      envId: 'env',
      WebSocket: problem
        ? ((() => {
            throw problem();
          }) as unknown as typeof WebSocket)
        : service.WebSocket,
    });
    opened.push(inbox);
    await settle();
    expect(inbox.getState()).toMatchObject({ isLoaded: true, isLive: false, unread: 1 });
    service.add();
    await inbox.refresh();
    expect(inbox.getState().unread).toBe(2);
    expect(service.sockets).toEqual([]);
  });

  it('ends with the inbox', async () => {
    const service = createFakeService(0);
    const { inbox } = await open(service);
    inbox.close();
    await vi.advanceTimersByTimeAsync(20 * MINUTE_MS);
    expect(service.sockets).toHaveLength(1);
    expect(service.sockets[0]?.readyState).toBe(3);
  });
});
