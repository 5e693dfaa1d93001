import { describe, expect, it } from 'vitest';
import { handler as mark } from '../../../../functions/inapp/mark-inapp.ts';
import { handler as openAll } from '../../../../functions/inapp/open-all-inapp.ts';
import { messagesOf } from '../../../../shared/channels/inapp/realtime.ts';
import type { InappItem } from '../../../../shared/database/entities/inapp/inapp-item.ts';
import { call, createTestAccount } from '../../../support/app.ts';
import { notify } from '../../inapp/inapp-setup.ts';
import { app, open, openOf, publish, received, responses, useConnections } from './websocket-setup.ts';

useConnections();

const readMessages = (connectionId: string) =>
  (received.get(connectionId) ?? []).map((message) => JSON.parse(message));

describe('a new in-app item', () => {
  it('reaches each connection of the user and nobody else', async () => {
    const [account, stranger] = [await createTestAccount(app), await createTestAccount(app)];
    const [one, two] = [await open(account), await open(account)];
    const others = [await open(account, 'bob'), await open(stranger)];
    const item = await notify(app, account);
    expect(await publish(account, item)).toBe(true);
    const message = { route: 'inapp_web/new_notifications', payload: { notifications: [item] } };
    expect([readMessages(one), readMessages(two)]).toEqual([[message], [message]]);
    for (const other of others) expect(received.has(other)).toBe(false);
  });

  it('needs a connection to be delivered', async () => {
    const account = await createTestAccount(app);
    expect(await publish(account, await notify(app, account))).toBe(false);
  });

  it('removes dead connections, but none that is just opening', async () => {
    const account = await createTestAccount(app);
    const [dead, living] = [await open(account), await open(account)];
    app.clock.nowMs += 60_000;
    const opening = await open(account);
    for (const each of [dead, opening]) responses.set(each, 'gone');
    expect(await publish(account, await notify(app, account))).toBe(true);
    expect((await openOf(account)).sort()).toEqual([living, opening].sort());
  });

  it('fails only when no connection received it and one could not be reached', async () => {
    const account = await createTestAccount(app);
    const item = await notify(app, account);
    responses.set(await open(account), 'broken');
    await expect(publish(account, item)).rejects.toThrow('no open connection could be reached');
    await open(account);
    expect(await publish(account, item)).toBe(true);
  });
});

describe('changes of in-app items', () => {
  it('made by a request are pushed to the open connections', async () => {
    const account = await createTestAccount(app);
    const item = await notify(app, account);
    const connectionId = await open(account);
    responses.set(await open(account), 'broken');
    const { status, json } = await call(mark, {
      key: account.public.key,
      query: { userId: 'ada' },
      body: { trackingIds: [item.trackingId], archived: true },
    });
    expect(status).toBe(200);
    expect(readMessages(connectionId)).toEqual([
      { route: 'inapp_web/updated_notifications', payload: { notifications: json.notifications } },
    ]);
    expect(json.notifications[0].archived).toBeDefined();
  });

  it('pushes "mark all as read" once, and not when nothing was unread', async () => {
    const account = await createTestAccount(app);
    const items = [await notify(app, account), await notify(app, account)];
    const connectionId = await open(account);
    const request = { key: account.public.key, query: { userId: 'ada' } };
    expect((await call(openAll, request)).json).toEqual({ count: 2 });
    expect((await call(openAll, request)).json).toEqual({ count: 0 });
    const [message, ...more] = readMessages(connectionId);
    expect(more).toEqual([]);
    const ids = message.payload.notifications.map((each: InappItem) => each.trackingId);
    expect(ids.sort()).toEqual(items.map((item) => item.trackingId).sort());
  });
});

describe('pushed messages', () => {
  const itemOf = (sizeBytes: number): InappItem => ({
    id: 'i',
    trackingId: 't',
    notificationId: 'n',
    title: 'Hello',
    date: '2026-11-21T08:30:00.000Z',
    parameters: { text: 'x'.repeat(sizeBytes) },
  });

  it('stay below the size limit of the API and lose no item', () => {
    const items = [...Array(40).fill(itemOf(10_000)), itemOf(300_000), itemOf(1)];
    const messages = messagesOf('inapp_web/new_notifications', items);
    for (const message of messages) expect(Buffer.byteLength(message)).toBeLessThan(128 * 1024);
    const shown = messages.flatMap((message) => JSON.parse(message).payload.notifications);
    expect(shown).toHaveLength(items.length);
    expect(shown[40]).not.toHaveProperty('parameters');
    expect(shown[41]).toEqual(items[41]);
  });
});
