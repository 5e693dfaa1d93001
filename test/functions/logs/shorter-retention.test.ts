import { beforeEach, describe, expect, it } from 'vitest';
import { handler as getAccount } from '../../../functions/account/get-account.ts';
import { handler as updateAccount } from '../../../functions/account/update-account.ts';
import { handler as getAttachment } from '../../../functions/logs/get-attachment.ts';
import { handler as getLogs } from '../../../functions/logs/get-logs.ts';
import { handler as listLogs } from '../../../functions/logs/list-logs.ts';
import { handler as tailLogs } from '../../../functions/logs/tail-logs.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as updateType } from '../../../functions/types/update-type.ts';
import { handler as makeReady } from '../../../functions/workers/due/make-ready.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { logPk } from '../../../shared/database/keys/key.ts';
import { inappKey, retentionPassKey } from '../../../shared/database/keys/user.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { deliver } from '../../support/workers.ts';
import {
  app,
  headOf,
  inbound,
  noise,
  partition,
  SECRET,
  sent,
  useErasing,
} from '../users/erase-logs-setup.ts';

useErasing();

const DAY_MS = 86_400_000;
let account: TestAccount;
let key: string;
beforeEach(async () => {
  account = await createTestAccount(app);
  key = account.secret.key;
});

type Named = { trackingId: string };
const set = (body: object) => call(updateAccount, { key, body });
const found = async ({ trackingId }: Named) =>
  (await call(getLogs, { key, path: { trackingIds: trackingId } })).json.logs[0];
const listed = async () =>
  (await call(listLogs, { key })).json.messages.map(({ trackingId }: Named) => trackingId);
const tailed = async () =>
  (await call(tailLogs, { key })).json.logs.map(({ trackingId }: Named) => trackingId);
const passKey = () => retentionPassKey(account.environment.environmentId);
/** Runs the pass as the sweeper does, once. */
const run = () => deliver(makeReady, { pk: passKey().pk, dueAtMs: app.clock.nowMs });
const isStored = async (log: Named) => (await partition(log)) !== '[]';
const daysLater = (days: number) => {
  app.clock.nowMs += days * DAY_MS;
};

describe('a shorter retention', () => {
  it.each([{ retentionInDays: 10 }, { contentDays: 3 }])(
    'is applied again when %j is saved again, which a request does that was interrupted',
    async (body) => {
      await set(body);
      await app.database.delete(passKey());
      await set({ timezone: 'UTC' });
      expect(await app.database.get(passKey())).toBeUndefined();
      await set(body);
      expect(await app.database.get(passKey())).toBeDefined();
    },
  );

  it('hides earlier logs from each list at once, and removes them and their large parts in the background', async () => {
    const old = await sent(account, { request: { parameters: { word: noise() } } });
    const { trackingId: oldInbound } = await inbound(account);
    daysLater(20);
    const fresh = await sent(account);
    expect((await listed()).sort()).toEqual([fresh.trackingId, oldInbound, old.trackingId].sort());
    expect([...app.blobs.keys()].filter((name) => name.includes(old.trackingId))).toHaveLength(1);
    expect((await set({ retentionInDays: 19 })).status).toBe(200);
    expect(await found(old)).toBeUndefined();
    expect(await listed()).toEqual([fresh.trackingId]);
    expect(await tailed()).toEqual([fresh.trackingId]);
    const file = { trackingId: oldInbound, index: '0' };
    expect((await call(getAttachment, { key, path: file })).status).toBe(400);
    await run();
    expect(await isStored(old)).toBe(false);
    expect(await isStored({ trackingId: oldInbound })).toBe(false);
    expect([...app.blobs.keys()].filter((name) => /requests|attachments/.test(name))).toEqual([]);
    expect(await found(fresh)).toMatchObject({ user_id: fresh.userId });
  });

  it('removes what passes it on later days, and ends when nothing is left to remove', async () => {
    const log = await sent(account);
    daysLater(5);
    await set({ retentionInDays: 20 });
    await run();
    expect(await isStored(log)).toBe(true);
    daysLater(16);
    expect(await found(log)).toBeUndefined();
    await run();
    expect(await isStored(log)).toBe(false);
    daysLater(5);
    await run();
    expect(await app.database.get(passKey())).toBeUndefined();
  });

  it('of a type applies to its logs only', async () => {
    await call(createType, {
      key,
      body: { notificationId: 'welcome', title: 'W', channels: ['EMAIL'], retention: 25 },
    });
    const log = await sent(account);
    const other = await sent(account, { notificationId: 'other' });
    daysLater(17);
    const change = { key, path: { notificationId: 'welcome' }, body: { retention: 16 } };
    expect((await call(updateType, change)).status).toBe(200);
    expect([await found(log), await found(other)]).toEqual([undefined, expect.anything()]);
    await run();
    expect([await isStored(log), await isStored(other)]).toEqual([false, true]);
  });

  it('leaves what waits, and the longer life of what waited', async () => {
    const scheduled = await sent(account, {
      state: 'scheduled',
      scheduledForMs: app.clock.nowMs + 25 * DAY_MS,
      routing: {},
    });
    const held = await sent(account);
    const stored = await resolve(logs).findHead(held.trackingId, app.clock.nowMs);
    expect(stored).toBeDefined();
    if (stored) await resolve(logs).prolong(stored, app.clock.nowMs + 28 * DAY_MS);
    daysLater(20);
    await set({ retentionInDays: 10 });
    await run();
    expect([await found(scheduled), await found(held)]).toEqual([expect.anything(), expect.anything()]);
    daysLater(19);
    expect(await found(held)).toBeUndefined();
  });

  it.each([
    ['removes the in-app item of a log', 20, {}, false],
    ['removes the in-app item of a log that may lack an outcome', 8, {}, false],
    ['leaves a snoozed in-app item of such a log', 8, { snoozedUntil: 'x' }, true],
  ])('%s', async (_, days, fields, isLeft) => {
    const head = headOf(account, { routing: { INAPP_WEB: { routing: 'SEND' } } });
    const item = inappKey(
      head.environmentId,
      head.userId,
      new Date(head.receivedAtMs).toISOString(),
      head.trackingId,
    );
    await sent(account, head);
    await app.database.put({ ...item, title: SECRET, ...fields });
    daysLater(days);
    await set({ retentionInDays: 7 });
    await run();
    expect((await app.database.get(item)) !== undefined).toBe(isLeft);
  });
});

describe('contentDays', () => {
  it('is the retention unless set, and no more than that', async () => {
    expect((await call(getAccount, { key })).json.contentDays).toBe(30);
    expect((await set({ contentDays: 31 })).json).toMatchObject({ error: { code: 'INVALID_REQUEST' } });
    expect((await set({ contentDays: -1 })).status).toBe(400);
    expect((await set({ contentDays: 60, retentionInDays: 60 })).json.contentDays).toBe(60);
    expect((await set({ retentionInDays: 7 })).json).toMatchObject({ contentDays: 7, retentionInDays: 7 });
    expect((await set({ contentDays: 0 })).json.contentDays).toBe(0);
    expect((await set({ contentDays: null })).json.contentDays).toBe(7);
  });

  it('hides the content of earlier logs at once, and removes it within a day', async () => {
    const log = await sent(account);
    const { trackingId } = await inbound(account, log);
    daysLater(3);
    expect(JSON.stringify([await found(log), (await call(listLogs, { key })).json])).toContain(SECRET);
    await set({ contentDays: 2 });
    const record = await found(log);
    expect(record).toMatchObject({ user_email: log.email, email_sent_at: expect.anything() });
    const shown = [record, (await call(listLogs, { key })).json, (await call(tailLogs, { key })).json];
    expect(JSON.stringify(shown)).not.toContain(SECRET);
    expect(JSON.parse(record.request)).toEqual({ parameters: { word: '…' } });
    expect((await call(getAttachment, { key, path: { trackingId, index: '0' } })).status).toBe(400);
    await run();
    expect(await partition(log)).not.toContain(SECRET);
    expect([...app.blobs.keys()].filter((name) => name.includes(trackingId))).toEqual([]);
    const later = await sent(account);
    expect((await found(later)).request).toContain(SECRET);
    daysLater(3);
    await run();
    expect(await partition(later)).not.toContain(SECRET);
    expect((await found(later)).email_sent_at).toBeDefined();
  });

  it('keeps what a channel that is still to be sent needs', async () => {
    const head = headOf(account);
    await resolve(logs).accept(head, {
      feedShards: 1,
      expiresAtSeconds: Math.ceil(app.clock.nowMs / 1000) + 30 * 86_400,
    });
    await set({ contentDays: 0 });
    daysLater(1);
    await run();
    expect((await resolve(logs).findHead(head.trackingId, app.clock.nowMs))?.request).toEqual(head.request);
    daysLater(15);
    await run();
    expect(await app.database.queryAll(logPk(head.trackingId), '')).toHaveLength(1);
    expect((await resolve(logs).findHead(head.trackingId, app.clock.nowMs))?.request).not.toEqual(
      head.request,
    );
  });

  it('removes the content of hidden logs when the retention is shorter than they are kept', async () => {
    await set({ retentionInDays: 1 });
    const log = await sent(account);
    daysLater(2);
    expect(await found(log)).toBeUndefined();
    await run();
    expect(await isStored(log)).toBe(true);
    expect(await partition(log)).not.toContain(SECRET);
  });
});
