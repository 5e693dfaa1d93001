import { describe, expect, it } from 'vitest';
import { handler as reschedule } from '../../../functions/sending/reschedule.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { packPreview } from '../../../shared/database/entities/logs/log-event.ts';
import { logs, ownerOf } from '../../../shared/database/entities/logs/logs.ts';
import { logPk, userPk } from '../../../shared/database/keys/key.ts';
import { erasureJobKey } from '../../../shared/database/keys/user.ts';
import type { LogHead } from '../../../shared/domain/logs/log.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useAccount } from '../../support/use-app.ts';
import { recordOf } from '../../support/workers.ts';
import {
  app,
  createAda,
  EMAIL,
  erase,
  headOf,
  inbound,
  noise,
  partition,
  runDue,
  SECRET,
  sent,
  USER_ID,
  useErasing,
  WEEK_MS,
} from './erase-logs-setup.ts';

useErasing();
const account = useAccount(app, 'test');

describe('DELETE /users/{userId}', () => {
  it('erases the user from old logs immediately and keeps anonymous records and other users', async () => {
    await createAda(account);
    const [mine, theirs] = [
      await sent(account),
      await sent(account, { userId: 'bob', email: 'bob@example.com' }),
    ];
    const large = await sent(account, { request: { parameters: { word: SECRET, noise: noise() } } });
    const reply = await inbound(account, mine);
    const stranger = await inbound(account);
    expect(app.blobs.size).toBeGreaterThanOrEqual(3);
    app.clock.nowMs += WEEK_MS;
    const before = await partition(theirs);
    const { status, json } = await erase(account);
    expect([status, json.erasure]).toEqual([200, { state: 'done', erasedLogs: 3 }]);
    for (const each of [mine, large, reply, stranger]) {
      const text = await partition(each);
      for (const trace of [USER_ID, 'ada.txt', EMAIL, SECRET, '203.0.113.7', 'browser'])
        expect(text).not.toContain(trace);
    }
    expect([...app.blobs.keys()].filter((name) => /requests|attachments/.test(name))).toEqual([]);
    expect(await partition(theirs)).toBe(before);
    const record = await recordOf(account, mine.trackingId);
    expect(record).toMatchObject({ type: 'welcome', email_routing: 'SEND', email_sent_after: 12 });
    expect(record).not.toHaveProperty('user_id');
    expect((await erase(account)).json.error.code).toBe('RESOURCE_NOT_FOUND');
  });

  it('deletes the stored content of a request that was changed since', async () => {
    const key = account.secret.key;
    const schedule = new Date(app.clock.nowMs + 3_600_000).toISOString();
    const body = {
      type: 'later',
      to: { id: USER_ID, email: EMAIL },
      schedule,
      email: { subject: 'Large', html: noise() },
    };
    const { trackingId } = (await call(send, { key, body })).json;
    const change = { email: { subject: 'Small', html: SECRET } };
    expect((await call(reschedule, { key, path: { trackingId }, body: change })).status).toBe(200);
    const stored = () => [...app.blobs.keys()].filter((name) => name.includes(trackingId));
    expect(stored()).toHaveLength(1);
    await erase(account);
    expect(stored()).toEqual([]);
  });

  it('erases records that a delivery in progress stores later, and returns running until then', async () => {
    await createAda(account);
    const head = headOf(account);
    const expiresAtSeconds = Math.ceil(app.clock.nowMs / 1000) + 86_400;
    await resolve(logs).accept(head, { feedShards: 1, expiresAtSeconds });
    expect((await erase(account)).json.erasure.state).toBe('running');
    const fields = { email_sent_to: EMAIL };
    const event = { channel: 'EMAIL', stage: 'sent', atMs: app.clock.nowMs, fields } as const;
    await resolve(logs).append(
      head.trackingId,
      ownerOf({ ...head, expiresAtSeconds }),
      event as never,
      packPreview(SECRET),
    );
    expect((await erase(account)).json.erasure.state).toBe('running');
    app.clock.nowMs += 121_000;
    expect(await runDue(account)).toEqual([]);
    expect(await partition(head)).not.toMatch(/ada-lovelace|rosebud/);
    expect((await erase(account)).status).toBe(400);
  });

  it('completes a deletion that was interrupted after any write', async () => {
    for (let failing = 1; failing <= 4; failing += 1) {
      const account = await createTestAccount(app);
      await createAda(account);
      const log = await sent(account, { receivedAtMs: app.clock.nowMs - WEEK_MS });
      const { put } = app.database;
      let writes = 0;
      app.database.put = async (...item) => {
        writes += 1;
        if (writes > failing) throw new Error('the table is down');
        return put(...item);
      };
      const interrupted = await erase(account);
      app.database.put = put;
      if (interrupted.status === 500) await runDue(account);
      app.clock.nowMs += 121_000;
      await runDue(account);
      const { environmentId } = account.environment;
      expect(await app.database.queryAll(userPk(environmentId, USER_ID), '')).toEqual([]);
      expect(await partition(log)).not.toMatch(/ada-lovelace|rosebud/);
    }
  });

  it('finds a log that the index shows only after the deletion, and one that is stored after it', async () => {
    await createAda(account);
    const lagging = await sent(account, { receivedAtMs: app.clock.nowMs - 1000 });
    const { query } = app.database;
    app.database.query = async (input) => {
      const page = await query(input);
      const isShown = ({ pk }: { pk?: unknown }) => pk !== logPk(lagging.trackingId);
      return input.IndexName === 'feed' ? { ...page, items: page.items.filter(isShown) } : page;
    };
    const { json } = await erase(account);
    app.database.query = query;
    expect(json.erasure).toEqual({ state: 'done', erasedLogs: 0 });
    const late = await sent(account, { receivedAtMs: app.clock.nowMs - 5 });
    const afterwards = await sent(account, { receivedAtMs: app.clock.nowMs + 5 });
    expect((await erase(account)).json.error.code).toBe('RESOURCE_NOT_FOUND');
    app.clock.nowMs += 121_000;
    expect(await runDue(account)).toEqual([]);
    for (const each of [lagging, late]) expect(await partition(each)).not.toMatch(/ada-lovelace|rosebud/);
    expect(await partition(afterwards)).toContain(USER_ID);
    expect(await app.database.get(erasureJobKey(account.environment.environmentId, USER_ID))).toBeUndefined();
  });

  it('continues an interrupted erasure in bounded steps', async () => {
    await createAda(account);
    const heads: LogHead[] = [];
    for (let index = 0; index < 350; index += 1) {
      const head = headOf(account, { receivedAtMs: app.clock.nowMs - WEEK_MS - index, routing: {} });
      heads.push(head);
    }
    await Promise.all(
      heads.map((head) =>
        resolve(logs).accept(head, {
          feedShards: 1,
          expiresAtSeconds: Math.ceil(app.clock.nowMs / 1000) + 86_400,
        }),
      ),
    );
    const first = (await erase(account)).json.erasure;
    expect(first).toMatchObject({ state: 'running' });
    expect(first.erasedLogs).toBeLessThan(350);
    await runDue(account);
    app.clock.nowMs += 121_000;
    await runDue(account);
    expect(await app.database.get(erasureJobKey(account.environment.environmentId, USER_ID))).toBeUndefined();
    for (const head of [heads[0], heads.at(-1)])
      if (head) expect(await partition(head)).not.toContain(USER_ID);
  });

  it('erases a log again that another step of the same deletion met in transition', async () => {
    await createAda(account);
    const head = headOf(account);
    const expiresAtSeconds = Math.ceil(app.clock.nowMs / 1000) + 86_400;
    await resolve(logs).accept(head, { feedShards: 1, expiresAtSeconds });
    const { put, query } = app.database;
    app.database.put = async (item, options) => {
      if (item.erasedAtMs !== undefined) throw new Error('the table is down');
      return put(item, options);
    };
    expect((await erase(account)).status).toBe(500);
    app.database.put = put;
    app.database.query = async (input) => {
      if (input.IndexName !== 'feed') return query(input);
      app.database.query = query;
      expect((await erase(account)).json.erasure.state).toBe('running');
      return query(input);
    };
    expect(await runDue(account)).toEqual([]);
    expect(app.database.query).toBe(query);
    const event = { channel: 'EMAIL', stage: 'sent', atMs: app.clock.nowMs, fields: {} } as const;
    await resolve(logs).append(
      head.trackingId,
      ownerOf({ ...head, expiresAtSeconds }),
      event,
      packPreview(SECRET),
    );
    for (const _ of [1, 2]) {
      app.clock.nowMs += 121_000;
      await runDue(account);
    }
    expect(await partition(head)).not.toMatch(/ada-lovelace|rosebud/);
  });

  it('erases a log until a delivery that takes long stores nothing more', async () => {
    await createAda(account);
    const head = await sent(account);
    await erase(account);
    const expiresAtSeconds = Math.ceil(app.clock.nowMs / 1000) + 86_400;
    for (const seq of ['1', '2']) {
      app.clock.nowMs += 119_000;
      const event = { channel: 'EMAIL', stage: 'opened', seq, atMs: app.clock.nowMs, fields: {} } as const;
      const owner = ownerOf({ ...head, expiresAtSeconds });
      await resolve(logs).append(head.trackingId, owner, event, packPreview(SECRET));
      app.clock.nowMs += 2000;
      await runDue(account);
    }
    expect(await partition(head)).not.toMatch(/ada-lovelace|rosebud/);
    app.clock.nowMs += 121_000;
    await runDue(account);
    expect(await app.database.get(erasureJobKey(account.environment.environmentId, USER_ID))).toBeUndefined();
  });

  it('cancels a scheduled notification that becomes due while it is erased', async () => {
    await createAda(account);
    const head = await sent(account, { state: 'scheduled', scheduledForMs: app.clock.nowMs, revision: 1 });
    const { update } = app.database;
    app.database.update = async (key, ...change) => {
      if (key.sk !== 'HEAD') return update(key, ...change);
      app.database.update = update;
      const item = await app.database.get(key, { consistent: true });
      await app.database.put({ ...item, ...key, state: 'accepted', rev: 2 });
      return update(key, ...change);
    };
    expect((await erase(account)).json.erasure.state).toBe('running');
    expect(app.database.update).toBe(update);
    app.clock.nowMs += 121_000;
    await runDue(account);
    expect(await partition(head)).not.toMatch(/ada-lovelace|ada@example|rosebud/);
  });
});
