import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OPERATIONS } from '../../client/src/generated/operations.ts';
import { INBOX_OPERATIONS } from '../../client/src/inbox/api.ts';
import { createInbox, type Inbox } from '../../client/src/inbox/inbox.ts';
import { preferenceRows } from '../../client/src/inbox/preferences.ts';
import { createFakeService } from './inbox-double.ts';

const MINUTE_MS = 60_000;
const opened: Inbox[] = [];

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-22T10:00:00Z') });
});
afterEach(() => {
  for (const inbox of opened.splice(0)) inbox.close();
  vi.useRealTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(0);

async function open(service: ReturnType<typeof createFakeService>, { live = true, pageSize = 3 } = {}) {
  const inbox = createInbox({
    client: service.client,
    user: { id: 'ada ü', hash: 'a+b=' },
    pageSize,
    WebSocket: service.WebSocket,
    ...(live ? { socketUrl: 'https://live.example.com', envId: 'env' } : {}),
  });
  opened.push(inbox);
  if (live) service.sockets.at(-1)?.accept();
  await settle();
  return { inbox, titles: () => inbox.getState().items.map(({ title }) => title) };
}

it('calls operations as the service has them', () => {
  for (const [name, row] of Object.entries(INBOX_OPERATIONS)) expect(OPERATIONS[name]).toEqual(row);
});

describe('loading', () => {
  it('shows the newest page without archived ones, and the unread count of all pages', async () => {
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

  it('reports a failure, and clears it with the next success', async () => {
    const service = createFakeService(1);
    service.failNext('list');
    const { inbox, titles } = await open(service);
    expect(inbox.getState()).toMatchObject({ isLoaded: false, error: { message: 'list failed' } });
    await inbox.reload();
    expect(inbox.getState()).toMatchObject({ isLoaded: true, isLoading: false, error: undefined });
    expect(titles()).toEqual(['title 0']);
  });

  it('does not wait for a live connection that does not open', async () => {
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

describe('marks', () => {
  it('show immediately, and lower the count', async () => {
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

  it('are reverted when the request fails, others stay', async () => {
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

  it('snooze: the item goes and is not counted, and comes back on top when the service pushes it', async () => {
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

  it('that fail to snooze leave the item where it is', async () => {
    const service = createFakeService(2);
    const { inbox, titles } = await open(service);
    service.failNext('mark');
    await inbox.snooze(new Date(Date.now() + 1000), 'id-1');
    expect([titles(), inbox.getState().unread]).toEqual([['title 1', 'title 0'], 2]);
  });

  it('open all, also those of pages that are not loaded', async () => {
    const { inbox } = await open(createFakeService(9));
    const done = inbox.openAll();
    expect(inbox.getState().unread).toBe(0);
    await done;
    expect(inbox.getState().unread).toBe(0);
    expect(inbox.getState().items.every((item) => item.opened)).toBe(true);
  });
});

describe('the live connection', () => {
  it('shakes hands with the user, the environment and the hash', async () => {
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

  it('applies marks that were set elsewhere, also to items that are not loaded', async () => {
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

  it('keeps what is pushed while the pages are read', async () => {
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

  it('pings every five minutes, and replaces a connection that slept', async () => {
    const service = createFakeService(0);
    await open(service);
    await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
    expect(service.sockets[0]?.sent).toEqual(['ping', 'ping']);
    vi.setSystemTime(Date.now() + 60 * MINUTE_MS);
    await vi.advanceTimersByTimeAsync(5 * MINUTE_MS + 1_000);
    expect(service.sockets).toHaveLength(2);
  });

  it('ignores messages that it does not know', async () => {
    const service = createFakeService(1);
    const { titles } = await open(service);
    for (const data of ['', 'null', '[]', '{"route":"x","payload":{"notifications":[{}]}}'])
      service.sockets[0]?.onmessage?.({ data });
    expect(titles()).toEqual(['title 0']);
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

describe('preferenceRows', () => {
  const type = {
    notificationId: 'news',
    title: 'News',
    channels: ['EMAIL' as const, 'SMS' as const],
    options: {
      EMAIL: { defaultDeliveryOption: 'daily' as const, daily: { enabled: true }, off: { enabled: false } },
    },
  };

  it('offers what the type enables, and the default without a choice', () => {
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

  it('shows the choice, and a row for each sub-notification that has one', () => {
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
