import { describe, expect, it } from 'vitest';
import { handler as addUsers } from '../../../functions/topics/add-topic-users.ts';
import { handler as listUsers } from '../../../functions/topics/list-topic-users.ts';
import { handler as listTopics } from '../../../functions/topics/list-topics.ts';
import { handler as listUserTopics } from '../../../functions/topics/list-user-topics.ts';
import { handler as removeUsers } from '../../../functions/topics/remove-topic-users.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { signer } from '../../../shared/database/entities/access/deployment-secret.ts';
import { erasureMarks } from '../../../shared/database/entities/erasure/erasure-marks.ts';
import { topics } from '../../../shared/database/entities/users/topics.ts';
import { topicKey } from '../../../shared/database/keys/environment.ts';
import { userPk } from '../../../shared/database/keys/key.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useAccount, useApp } from '../../support/use-app.ts';

const app = useApp();
const account = useAccount(app);

type Owner = { secret: { key: string } };
const add = (userIds: unknown, topicId = 'news', by: Owner = account) =>
  call(addUsers, { key: by.secret.key, path: { topicId }, body: { userIds } });
const remove = (userIds: unknown, topicId = 'news', by: Owner = account) =>
  call(removeUsers, { key: by.secret.key, path: { topicId }, body: { userIds } });
const usersOf = async (topicId: string, by: Owner = account, query: Record<string, string> = {}) =>
  (await call(listUsers, { key: by.secret.key, path: { topicId }, query })).json;
const topicsOf = async (userId: string, by: Owner = account) =>
  (await call(listUserTopics, { key: by.secret.key, path: { userId } })).json.topics;
const idsOf = (list: { userId: string }[]) => list.map(({ userId }) => userId);

describe('the members of a topic', () => {
  it('join once, appear in both lists and leave; the topic ends with its last member', async () => {
    expect((await add(['bob', 'ada', 'ada'], 'both')).json).toEqual({
      topicId: 'both',
      added: 2,
      members: 2,
    });
    expect((await add(['ada', 'cyd'], 'both')).json).toEqual({ topicId: 'both', added: 1, members: 3 });
    const addedAt = '2026-11-21T08:30:00.000Z';
    expect(await usersOf('both')).toEqual({
      users: ['ada', 'bob', 'cyd'].map((userId) => ({ userId, addedAt })),
    });
    expect(await topicsOf('ada')).toEqual([{ topicId: 'both', addedAt }]);
    expect((await remove(['ada', 'nobody'], 'both')).json).toEqual({
      topicId: 'both',
      removed: 1,
      members: 2,
    });
    expect(await topicsOf('ada')).toEqual([]);
    expect((await remove(['bob', 'cyd'], 'both')).json).toEqual({ topicId: 'both', removed: 2, members: 0 });
    expect(await usersOf('both')).toEqual({ users: [] });
    const { environmentId } = account.environment;
    expect(await app.database.get(topicKey(environmentId, 'both'))).toBeUndefined();
    expect((await remove(['bob'], 'both')).json).toEqual({ topicId: 'both', removed: 0, members: 0 });
  });

  it('add up exactly when several requests add 100 concurrently', async () => {
    const ids = (from: number) => Array.from({ length: 100 }, (_, index) => `user-${from + index}`);
    const outcomes = await Promise.all([0, 50, 100].map((from) => add(ids(from), 'many')));
    expect(outcomes.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(outcomes.reduce((sum, { json }) => sum + json.added, 0)).toBe(200);
    await Promise.all([remove(ids(0), 'many'), add(ids(200), 'many')]);
    const list = (await call(listTopics, { key: account.secret.key })).json.topics;
    expect(list.find(({ topicId }: { topicId: string }) => topicId === 'many')).toMatchObject({
      members: 200,
    });
    const first = await usersOf('many', account, { limit: '100' });
    const second = await usersOf('many', account, { limit: '100', cursor: first.nextCursor });
    expect(second.nextCursor).toBeUndefined();
    const all = idsOf([...first.users, ...second.users]);
    expect(new Set(all).size).toBe(200);
    expect(all).toEqual(all.toSorted());
  });

  it('can have any ID, even with separators', async () => {
    const ids = ['a#b', '100%', 'ümlaut', 'MEMBER#x'];
    await add(ids, 'odd#topic%');
    expect(idsOf((await usersOf('odd#topic%')).users).toSorted()).toEqual(ids.toSorted());
    expect(await topicsOf('a#b')).toMatchObject([{ topicId: 'odd#topic%' }]);
  });

  it.each([
    [[], 'body.userIds'],
    [Array.from({ length: 101 }, (_, index) => `u${index}`), 'body.userIds'],
    [[''], 'body.userIds'],
    [[7], 'body.userIds'],
    ['ada', 'body.userIds'],
    [undefined, 'body.userIds'],
  ])('return 400 when they are %j', async (userIds, where) => {
    for (const change of [add, remove]) {
      const { status, json } = await change(userIds);
      expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(json.error.message).toContain(where);
    }
  });

  it('stay hidden from other accounts, and their cursors fail', async () => {
    const other = await createTestAccount(app);
    await add(['ada', 'bob'], 'mine');
    expect(await usersOf('mine', other)).toEqual({ users: [] });
    expect(await topicsOf('ada', other)).toEqual([]);
    expect((await remove(['ada'], 'mine', other)).json.removed).toBe(0);
    expect((await call(listTopics, { key: other.secret.key })).json).toEqual({ topics: [] });
    const { nextCursor } = await usersOf('mine', account, { limit: '1' });
    const request = { path: { topicId: 'mine' }, query: { cursor: nextCursor } };
    expect((await call(listUsers, { key: other.secret.key, ...request })).json.error.code).toBe(
      'INVALID_CURSOR',
    );
    const elsewhere = { key: account.secret.key, path: { topicId: 'many' }, query: { cursor: nextCursor } };
    expect((await call(listUsers, elsewhere)).json.error.code).toBe('INVALID_CURSOR');
    expect(idsOf((await usersOf('mine')).users)).toEqual(['ada', 'bob']);
  });

  it('require a secret key', async () => {
    const path = { topicId: 'news', userId: 'ada' };
    for (const handler of [addUsers, removeUsers, listTopics, listUsers, listUserTopics]) {
      for (const key of [undefined, 'nds_sk_wrong', account.public.key]) {
        const { status } = await call(handler, { key, path, body: { userIds: ['ada'] } });
        expect(status).toBe(401);
      }
    }
  });
});

describe('a deleted user of a topic', () => {
  const erase = (userId: string) => call(deleteUser, { key: account.secret.key, path: { userId } });

  it('leaves every topic, even as its last member, and can join again', async () => {
    await add(['gone', 'stays'], 'shared');
    await add(['gone'], 'alone');
    expect((await erase('gone')).status).toBe(200);
    expect(await topicsOf('gone')).toEqual([]);
    expect(idsOf((await usersOf('shared')).users)).toEqual(['stays']);
    expect(await usersOf('alone')).toEqual({ users: [] });
    const { environmentId } = account.environment;
    expect(await app.database.queryAll(userPk(environmentId, 'gone'), '')).toEqual([]);
    app.clock.nowMs += 1000;
    await add(['gone'], 'shared');
    expect(idsOf((await usersOf('shared')).users)).toEqual(['gone', 'stays']);
  });

  it('does not join by a request that began before the deletion and is written after it', async () => {
    const { environmentId } = account.environment;
    await resolve(erasureMarks).mark(environmentId, 'late', app.clock.nowMs, resolve(signer));
    expect((await add(['late', 'other'], 'race')).json).toMatchObject({ members: 1 });
    expect(idsOf((await usersOf('race')).users)).toEqual(['other']);
    expect(await topicsOf('late')).toEqual([]);
    expect(await resolve(topics).find(environmentId, 'race')).toMatchObject({ members: 1 });
  });
});
