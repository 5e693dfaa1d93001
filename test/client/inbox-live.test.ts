import { describe, expect, it, vi } from 'vitest';
import { createFakeService } from './inbox-double.ts';
import { open, settle, useInboxes } from './inbox-setup.ts';

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

  it('ends with the inbox', async () => {
    const service = createFakeService(0);
    const { inbox } = await open(service);
    inbox.close();
    await vi.advanceTimersByTimeAsync(20 * MINUTE_MS);
    expect(service.sockets).toHaveLength(1);
    expect(service.sockets[0]?.readyState).toBe(3);
  });
});
