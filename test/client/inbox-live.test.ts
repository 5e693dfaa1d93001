import { describe, expect, it, vi } from 'vitest';
import { createInbox, type Inbox } from '../../client/src/inbox/inbox.ts';
import { createFakeService } from './inbox-double.ts';
import { open, opened, settle, useInboxes } from './inbox-setup.ts';

useInboxes();

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
