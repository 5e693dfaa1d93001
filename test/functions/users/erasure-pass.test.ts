import { expect, it, vi } from 'vitest';
import { handler } from '../../../functions/users/delete-user.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { handler as makeReady } from '../../../functions/workers/due/make-ready.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { accountKey } from '../../../shared/database/keys/account.ts';
import { erasureJobKey, erasurePassKey } from '../../../shared/database/keys/user.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { inLanes } from '../../support/lanes.ts';
import { deliver } from '../../support/workers.ts';
import { app, headOf, partition, useErasing, WEEK_MS } from './erase-logs-setup.ts';

useErasing();

const LOGS = 1200;
const PEOPLE = ['ann', 'ben', 'cem', 'never'];

/** An environment of a busy account: its feed has eight shards. */
async function busy() {
  const account = await createTestAccount(app);
  const ownKey = accountKey(account.account.accountId);
  await app.database.update(ownKey, 'SET feedShards = :shards', { values: { ':shards': 8 } });
  app.clock.nowMs += 4000;
  const stored = Array.from({ length: LOGS }, (_, index) =>
    headOf(account, {
      userId: PEOPLE[index % 100] === 'never' ? 'dan' : (PEOPLE[index % 100] ?? `other-${index}`),
      receivedAtMs: app.clock.nowMs - WEEK_MS + index,
    }),
  );
  const options = { feedShards: 8, expiresAtSeconds: Math.ceil(app.clock.nowMs / 1000) + 30 * 86_400 };
  await inLanes(stored, async (head) => void (await resolve(logs).accept(head, options)));
  for (const userId of PEOPLE)
    await call(saveUser, { key: account.secret.key, path: { userId }, body: { attributes: {} } });
  return { account, stored };
}

const erase = ({ secret }: TestAccount, userId: string) =>
  call(handler, { key: secret.key, path: { userId } });
const run = ({ pk }: { pk: string }) => deliver(makeReady, { pk, dueAtMs: app.clock.nowMs });
const environmentOf = (account: TestAccount) => account.environment.environmentId;
const isDone = async (account: TestAccount, userId: string) =>
  (await app.database.get(erasureJobKey(environmentOf(account), userId))) === undefined;

/** Counts what an action reads of the feed and of heads. */
async function readsOf(action: () => Promise<unknown>) {
  const query = vi.spyOn(app.database, 'query');
  const batchGet = vi.spyOn(app.database, 'batchGet');
  await action();
  const pages = query.mock.calls.filter(([{ ExpressionAttributeValues }]) =>
    /#(LOG|INBOUND|SMS\w*|REFUSED)#\d+$/.test(String(ExpressionAttributeValues?.[':pk'])),
  );
  const heads = batchGet.mock.calls.flatMap(([keys]) => keys.filter(({ sk }) => sk === 'HEAD'));
  query.mockRestore();
  batchGet.mockRestore();
  return { pages: pages.length, heads: heads.length };
}

it('reads the feed once for all users who wait, and the logs of these only', async () => {
  const { account, stored } = await busy();
  const asked = await readsOf(async () => {
    for (const userId of PEOPLE)
      expect((await erase(account, userId)).json.erasure).toEqual({ state: 'running', erasedLogs: 0 });
  });
  expect(asked).toEqual({ pages: 0, heads: 0 });
  app.clock.nowMs += 121_000;
  for (const userId of PEOPLE) await run(erasureJobKey(environmentOf(account), userId));
  const theirs = stored.filter(({ userId }) => PEOPLE.includes(userId));
  expect(theirs).toHaveLength(36);
  const pass = await readsOf(() => run(erasurePassKey(environmentOf(account))));
  // Ten shards, each a page; a few other users have the same short hash.
  expect(pass.pages).toBe(11);
  expect(pass.heads).toBeGreaterThanOrEqual(theirs.length);
  expect(pass.heads).toBeLessThan(theirs.length + 5);
  for (const head of theirs) expect(await partition(head)).not.toContain(`"u":"${head.userId}"`);
  for (const userId of PEOPLE) expect(await isDone(account, userId)).toBe(true);
  const other = stored.find(({ userId }) => userId.startsWith('other'));
  expect(other && (await partition(other))).toContain(other?.userId);
  app.clock.nowMs += 61_000;
  await run(erasurePassKey(environmentOf(account)));
  expect(await app.database.get(erasurePassKey(environmentOf(account)))).toBeUndefined();
});

it('goes on in each shard where a step stopped, and serves who comes later with the next pass', async () => {
  const { account, stored } = await busy();
  await erase(account, 'ann');
  app.clock.nowMs += 121_000;
  await run(erasureJobKey(environmentOf(account), 'ann'));
  // The clock passes the end of a step after the first eight shards.
  const { query } = app.database;
  app.database.query = async (input) => {
    app.clock.nowMs += 4000;
    return query(input);
  };
  await run(erasurePassKey(environmentOf(account)));
  app.database.query = query;
  const { positions = {} } = (await app.database.get(erasurePassKey(environmentOf(account)))) ?? {};
  expect(Object.keys(positions as object)).toHaveLength(8);
  expect(await isDone(account, 'ann')).toBe(false);
  await erase(account, 'ben');
  app.clock.nowMs += 121_000;
  await run(erasureJobKey(environmentOf(account), 'ben'));
  const rest = await readsOf(() => run(erasurePassKey(environmentOf(account))));
  expect(rest.pages).toBe(3);
  expect([await isDone(account, 'ann'), await isDone(account, 'ben')]).toEqual([true, false]);
  app.clock.nowMs += 61_000;
  await run(erasurePassKey(environmentOf(account)));
  expect(await isDone(account, 'ben')).toBe(true);
  for (const head of stored.filter(({ userId }) => ['ann', 'ben'].includes(userId)))
    expect(await partition(head)).not.toContain(`"u":"${head.userId}"`);
});

it('reads logs of earlier releases, whose entries have no hash of their user', async () => {
  const { account, stored } = await busy();
  for (const head of stored) {
    const key = { pk: `LOG#${head.trackingId}`, sk: 'HEAD' };
    const item = await app.database.get(key);
    await app.database.put({ ...item, ...key, feedSk: String(item?.feedSk).slice(0, -5) });
  }
  await erase(account, 'cem');
  app.clock.nowMs += 121_000;
  await run(erasureJobKey(environmentOf(account), 'cem'));
  await run(erasurePassKey(environmentOf(account)));
  expect(await isDone(account, 'cem')).toBe(true);
  for (const head of stored.filter(({ userId }) => userId === 'cem'))
    expect(await partition(head)).not.toContain('"u":"cem"');
});
