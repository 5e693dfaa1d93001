import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { simulateGrowth } from '../../../../../bench/growth.ts';
import { handler as listKeys } from '../../../../../functions/keys/list-api-keys.ts';
import { handler as listLogs } from '../../../../../functions/logs/list-logs.ts';
import { handler as send } from '../../../../../functions/sending/send.ts';
import { handler as dispatch } from '../../../../../functions/workers/dispatch/dispatch.ts';
import { apiKeys } from '../../../../../shared/database/entities/access/api-keys.ts';
import { createKeyVerifier } from '../../../../../shared/database/entities/access/key-verifier.ts';
import { accountGrowth } from '../../../../../shared/database/entities/accounts/account-growth.ts';
import { accountSwitch } from '../../../../../shared/database/entities/accounts/account-switch.ts';
import { accounts } from '../../../../../shared/database/entities/accounts/accounts.ts';
import { logs } from '../../../../../shared/database/entities/logs/logs.ts';
import { dueItems } from '../../../../../shared/database/entities/sending/due-items.ts';
import { apiKeyCopyKey } from '../../../../../shared/database/keys/account.ts';
import type { Key } from '../../../../../shared/database/keys/key.ts';
import { resolve } from '../../../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../../../shared/runtime/values/ids.ts';
import { parseKeyText } from '../../../../../shared/tokens/api-key-text.ts';
import { call, createTestAccount, type TestAccount, type TestApp } from '../../../../support/app.ts';
import { inLanes } from '../../../../support/lanes.ts';
import { useAccount, useApp } from '../../../../support/use-app.ts';

const app = useApp();
const account = useAccount(app, 'test');

const SMS = { type: 'news', to: { id: 'ada', number: '+15005551234' }, sms: { message: 'Hello' } };
const sendOne = async ({ secret }: TestAccount, body: object = {}) =>
  (await call(send, { key: secret.key, body: { ...SMS, ...body } })).json.trackingId as string;
const feedShardsOf = async ({ account }: TestAccount) =>
  (await resolve(accounts).get(account.accountId)).feedShards;
const grow = ({ account }: TestAccount, perSecond: number) =>
  resolve(accountGrowth).grow(account.accountId, perSecond, app.clock.nowMs);

/** A batch of the stream with `count` heads that were just accepted, as copies of one. */
async function batchOf(trackingId: string, count: number, sequence: number): Promise<DynamoDBStreamEvent> {
  const head = await resolve(logs).findHead(trackingId, app.clock.nowMs);
  if (!head) throw new Error('the notification is not stored');
  const Records = await inLanes(Array.from({ length: count }), async (_, index) => {
    const copy = { ...head, trackingId: newTrackingId(app.clock.nowMs) };
    const item = await resolve(logs).headItem(copy, { feedShards: 1, ...head });
    return {
      eventName: 'INSERT' as const,
      dynamodb: {
        Keys: marshall({ pk: item.pk, sk: item.sk }),
        NewImage: marshall(item, { removeUndefinedValues: true }),
        SequenceNumber: String(sequence + index),
      },
    };
  });
  return Object.assign({ Records }, { shardId: 'shard-1' }) as unknown as DynamoDBStreamEvent;
}

describe('an account that becomes busy', () => {
  it('gets shards from the rate that dispatch counts, once per window with many notifications', async () => {
    const one = await sendOne(account);
    const batches = [1, 2, 3].map((number) => batchOf(one, 700, number * 1000));
    for (const batch of await Promise.all(batches)) await dispatch(batch);
    expect(await feedShardsOf(account)).toBe(1);
    app.clock.nowMs += 10_000;
    await dispatch(await batchOf(one, 20, 9000));
    // 210 per second.
    expect(await feedShardsOf(account)).toBe(2);
  });

  it('keeps one shard at a low rate, which costs no write', async () => {
    const one = await sendOne(account);
    for (let second = 0; second < 30; second += 1) {
      app.clock.nowMs += 1000;
      await dispatch(await batchOf(one, 1, second + 1));
    }
    expect(await feedShardsOf(account)).toBe(1);
    expect(await app.database.queryAll(`USAGE#${account.account.accountId}#2026-11`, '')).toEqual([]);
  });

  it('never loses shards, and lists everything newest first', async () => {
    const sent: string[] = [];
    for (const perSecond of [10, 1000, 10_000, 10]) {
      await grow(account, perSecond);
      for (let index = 0; index < 5; index += 1) {
        app.clock.nowMs += 4000;
        sent.unshift(await sendOne(account));
      }
    }
    expect(await feedShardsOf(account)).toBe(64);
    const { json } = await call(listLogs, { key: account.secret.key });
    expect(json.messages.map(({ trackingId }: { trackingId: string }) => trackingId)).toEqual(sent);
  });

  it('gets its scheduled notifications swept from every shard', async () => {
    await grow(account, 10_000);
    app.clock.nowMs += 4000;
    const dueAtMs = app.clock.nowMs + 3_600_000;
    const schedule = new Date(dueAtMs).toISOString();
    const scheduled = await inLanes(Array.from({ length: 40 }), () => sendOne(account, { schedule }));
    const swept: string[] = [];
    for await (const page of resolve(dueItems).pagesBetween(0, dueAtMs))
      swept.push(...page.map(({ pk }) => pk));
    expect(scheduled.filter((trackingId) => !swept.includes(`LOG#${trackingId}`))).toEqual([]);
  });
});

describe('the key of a busy account', () => {
  /** A verifier that reads what `draw` picks, and the partitions that it read. */
  function verifying({ secret }: TestAccount, draw: () => number) {
    const read: string[] = [];
    const get = (key: Key, options?: { consistent?: boolean }) => {
      read.push(key.pk.split('#')[0] ?? '');
      return app.database.get(key, options);
    };
    const verifier = createKeyVerifier({ ...app.database, get }, draw);
    const parts = parseKeyText(secret.key) ?? { accountId: '', keyId: '' };
    return { read, parts, find: () => verifier.findValid(parts, secret.key), touch: verifier.touch };
  }

  async function busyAccount() {
    const account = await createTestAccount(app);
    await sendOne(account);
    await grow(account, 3000);
    return account;
  }

  it('comes from one of its copies and is listed once', async () => {
    const account = await busyAccount();
    const { find, read, parts } = verifying(account, () => 0.9);
    for (let time = 0; time < 3; time += 1) expect((await find())?.keyId).toBe(parts.keyId);
    expect(read).toEqual(['ACCOUNT', 'KEYCOPY', 'KEYCOPY']);
    const { json } = await call(listKeys, { key: account.secret.key });
    expect(json.keys).toHaveLength(2);
  });

  it('stops working immediately when it is revoked, whichever copy is read', async () => {
    const account = await busyAccount();
    const verifiers = [0, 0.3, 0.5, 0.7, 0.99].map((drawn) => verifying(account, () => drawn));
    for (const { find } of verifiers) expect(await find()).toBeDefined();
    for (const { find } of verifiers) expect(await find()).toBeDefined();
    const { accountId, keyId } = verifiers[0]?.parts ?? { accountId: '', keyId: '' };
    expect(await resolve(apiKeys).revoke(accountId, keyId, { memberId: undefined, nowMs: 0 })).toBe(true);
    for (const { find } of verifiers) expect(await find()).toBeUndefined();
    const copies = [1, 2, 3, 4].map((copy) => app.database.get(apiKeyCopyKey(accountId, keyId, copy)));
    expect((await Promise.all(copies)).filter(Boolean)).toEqual([]);
    await grow(account, 10_000);
    for (const { find } of verifiers) expect(await find()).toBeUndefined();
  });

  it('never works again when it is revoked while copies are made', async () => {
    const accountsAtOnce = await Promise.all(Array.from({ length: 10 }, () => busyAccount()));
    await Promise.all(
      accountsAtOnce.map(async (account) => {
        const { parts } = verifying(account, () => 0);
        await Promise.all([
          grow(account, 10_000).catch(() => undefined),
          resolve(apiKeys).revoke(parts.accountId, parts.keyId, { memberId: undefined, nowMs: 0 }),
          grow(account, 30_000).catch(() => undefined),
        ]);
        for (const drawn of [0, 0.2, 0.6, 0.99])
          expect(await verifying(account, () => drawn).find()).toBeUndefined();
        for (let copy = 1; copy <= 32; copy += 1)
          expect(await app.database.get(apiKeyCopyKey(parts.accountId, parts.keyId, copy))).toBeUndefined();
      }),
    );
  });

  it('stops working with its account, and resumes with it', async () => {
    const account = await busyAccount();
    const { find } = verifying(account, () => 0.9);
    for (let time = 0; time < 2; time += 1) expect(await find()).toBeDefined();
    const { accountId } = account.account;
    await resolve(accountSwitch).setDisabled(accountId, true);
    expect(await find()).toBeUndefined();
    await grow(account, 10_000);
    expect(await find()).toBeUndefined();
    await resolve(accountSwitch).setDisabled(accountId, false);
    expect(await find()).toBeDefined();
  });

  it('records its use once, although copies do not have it', async () => {
    const account = await busyAccount();
    app.clock.nowMs += 6 * 60_000;
    let updates = 0;
    const counting: TestApp['database'] = {
      ...app.database,
      update: (...given) => {
        updates += 1;
        return app.database.update(...given);
      },
    };
    const verifier = createKeyVerifier(counting, () => 0.9);
    const parts = parseKeyText(account.secret.key) ?? { accountId: '', keyId: '' };
    for (let time = 0; time < 5; time += 1) {
      const key = await verifier.findValid(parts, account.secret.key);
      if (key) await verifier.touch(key, app.clock.nowMs);
    }
    expect(updates).toBe(1);
  });
});

it('accepts 10,000 notifications per second within a minute of a sudden load', () => {
  const last = simulateGrowth([10, 10_000, 10_000], 40, 'environment').at(-1);
  expect(last).toMatchObject({ shards: 128, copies: 32, throttledReads: 0 });
  expect(last?.throttledWrites).toBeLessThan(0.05);
});
