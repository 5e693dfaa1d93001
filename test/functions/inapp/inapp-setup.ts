import type { InappItem } from '../../../shared/database/entities/inapp/inapp-item.ts';
import { inappItems } from '../../../shared/database/entities/inapp/inapp-items.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
import type { TestAccount, TestApp } from '../../support/app.ts';

/** Milliseconds an item lives in these tests. */
export const LIFE_MS = 3_600_000;

/** An accepted notification with its stored in-app item, at the clock's time unless given. */
export async function notify(
  app: TestApp,
  account: TestAccount,
  over: {
    userId?: string;
    title?: string;
    atMs?: number;
    scheduledAtMs?: number;
    subNotificationId?: string;
    parameters?: Record<string, unknown>;
  } = {},
): Promise<InappItem> {
  const { userId = 'ada', title = 'Hello', atMs = app.clock.nowMs, scheduledAtMs } = over;
  const { environmentId } = account.environment;
  const trackingId = newTrackingId(atMs);
  const expiresAtSeconds = Math.ceil((atMs + LIFE_MS) / 1000);
  await resolve(logs).accept(
    {
      trackingId,
      accountId: account.account.accountId,
      environmentId,
      userId,
      notificationId: 'comment',
      state: 'accepted',
      receivedAtMs: scheduledAtMs ?? atMs,
      processedAtMs: atMs,
      routing: { INAPP_WEB: { routing: 'SEND' } },
      messages: [],
      request: {},
    },
    { feedShards: 1, expiresAtSeconds },
  );
  const item: InappItem = {
    id: trackingId,
    trackingId,
    notificationId: 'comment',
    title,
    ...(over.subNotificationId ? { subNotificationId: over.subNotificationId } : {}),
    date: isoOf(atMs),
    ...(over.parameters ? { parameters: over.parameters } : {}),
    expDate: expiresAtSeconds,
  };
  await resolve(inappItems).add({ environmentId, userId, item, atMs, expiresAtSeconds });
  return item;
}
