import { afterEach, beforeEach, vi } from 'vitest';
import { createInbox, type Inbox } from '../../client/src/inbox/inbox.ts';
import type { createFakeService } from './inbox-double.ts';

export const opened: Inbox[] = [];

export const settle = () => vi.advanceTimersByTimeAsync(0);

export async function open(
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

/** Starts this set-up for the tests of a file. */
export function useInboxes(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse('2026-11-22T10:00:00Z') });
  });
  afterEach(() => {
    for (const inbox of opened.splice(0)) inbox.close();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
}
