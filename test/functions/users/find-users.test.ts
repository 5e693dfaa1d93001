import { describe, expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as deleteUser } from '../../../functions/users/delete-user.ts';
import { handler } from '../../../functions/users/list-users.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { tablePages } from '../../../shared/database/client/table-pages.ts';
import { profileKey } from '../../../shared/database/keys/user.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();

async function open() {
  const account = await createTestAccount(app);
  const { key } = account.secret;
  const { environmentId } = account.environment;
  return {
    key,
    environmentId,
    save: (userId: string, body: object) => call(saveUser, { key, path: { userId }, body }),
    find: async (query: Record<string, string>) =>
      (await call(handler, { key, query })).json.users.map(({ id }: { id: string }) => id),
    /** The items that refer to users by their addresses. */
    /** References from addresses that users have; `FORMER#` from those that they had. */
    references: async (to = 'USER#') => {
      const { items } = await resolve(tablePages).read(undefined);
      const found = items.filter(({ pk }) => String(pk).startsWith(`CONTACT#${environmentId}#`));
      return found.filter(({ sk }) => String(sk).startsWith(to)).length;
    },
  };
}

describe('GET /users?email= and ?number=', () => {
  it.each([
    [{ email: 'Ada.L@Example.com' }, { email: 'ada.l@example.COM' }],
    [{ email: 'ada+news@example.com' }, { email: 'ada news@example.com' }],
    [{ email: 'ada@bücher.example' }, { email: 'ada@xn--bcher-kva.example' }],
    [{ number: '(415) 555-0123' }, { number: '+14155550123' }],
    [{ number: '+14155550123' }, { number: ' 14155550123' }],
    [{ number: '+14155550123' }, { number: '415-555-0123' }],
    [{ number: '+447911123456' }, { number: ' 447911123456' }],
    [{ number: '+447911123456' }, { number: ' 44 7911 123456' }],
  ])('finds the user saved with %j by %j', async (saved, query) => {
    const { save, find } = await open();
    await save('ada', saved);
    await save('bob', { email: 'bob@example.com', number: '+14155550199' });
    expect(await find(query)).toEqual(['ada']);
  });

  it('returns nobody for an address that nobody has, and none of another environment', async () => {
    const [one, other] = [await open(), await open()];
    await one.save('ada', { email: 'ada@example.com' });
    expect(await one.find({ email: 'ada@example.co' })).toEqual([]);
    expect(await other.find({ email: 'ada@example.com' })).toEqual([]);
  });

  it('finds every user with the address, by ID, in pages', async () => {
    const { key, save, find } = await open();
    for (const userId of ['c#1', 'a', 'b']) await save(userId, { email: 'team@example.com' });
    expect(await find({ email: 'team@example.com' })).toEqual(['a', 'b', 'c#1']);
    const query = { email: 'team@example.com', limit: '2' };
    const first = await call(handler, { key, query });
    expect(first.json.users.map(({ id }: { id: string }) => id)).toEqual(['a', 'b']);
    const cursor = first.json.nextToken;
    const second = await call(handler, { key, query: { ...query, cursor } });
    expect(second.json.users).toMatchObject([{ id: 'c#1', email: 'team@example.com' }]);
    expect(second.json).not.toHaveProperty('nextToken');
    const foreign = await call(handler, { key, query: { email: 'x@example.com', cursor } });
    expect([foreign.status, foreign.json.error.code]).toEqual([400, 'INVALID_CURSOR']);
  });

  it('follows changes of the address, whoever makes them, and leaves no reference behind', async () => {
    const { key, save, find, references } = await open();
    const to = { id: 'ada', email: 'first@example.com', number: '+14155550123' };
    await call(send, { key, body: { type: 'welcome', to, inapp: { title: 'Hi' } } });
    expect(await find({ email: 'first@example.com' })).toEqual(['ada']);
    await save('ada', { email: 'second@example.com', number: null });
    expect(await find({ email: 'first@example.com' })).toEqual([]);
    expect(await find({ number: '+14155550123' })).toEqual([]);
    expect(await find({ email: 'second@example.com' })).toEqual(['ada']);
    expect(await references()).toBe(1);
    await save('ada', { email: null });
    expect(await references()).toBe(0);
  });

  it('finds a user under one of 20 addresses saved concurrently', async () => {
    const { save, find, references } = await open();
    const emails = Array.from({ length: 20 }, (_, index) => `ada-${index}@example.com`);
    await Promise.all(emails.map((email) => save('ada', { email })));
    const found = await Promise.all(emails.map((email) => find({ email })));
    expect(found.flat()).toEqual(['ada']);
    expect(await references()).toBe(1);
  });

  it('is erased with the user', async () => {
    const { key, save, find, references } = await open();
    const pushTokens = Array.from({ length: 50 }, (_, index) => ({ type: 'FCM', token: `t-${index}` }));
    await save('ada', { email: 'before@example.com' });
    await save('ada', { email: 'ada@example.com', number: '+14155550123', pushTokens });
    expect(await references('FORMER#')).toBe(1);
    await call(deleteUser, { key, path: { userId: 'ada' } });
    expect(await find({ email: 'ada@example.com' })).toEqual([]);
    expect([await references(), await references('FORMER#')]).toEqual([0, 0]);
  });

  it('finds a user whom an earlier release stored once their address is saved again', async () => {
    const { save, find, environmentId, references } = await open();
    await save('ada', { timezone: 'UTC' });
    const key = profileKey(environmentId, 'ada');
    await app.database.put({ ...(await app.database.get(key)), ...key, email: 'ada@example.com' });
    await save('ada', { timezone: 'Europe/Berlin' });
    expect(await find({ email: 'ada@example.com' })).toEqual([]);
    await save('ada', { email: 'ada@example.com' });
    expect(await find({ email: 'ada@example.com' })).toEqual(['ada']);
    await save('ada', { email: 'other@example.com' });
    expect([await find({ email: 'ada@example.com' }), await references()]).toEqual([[], 1]);
  });

  it('costs a send nothing: repeated contact data writes no reference', async () => {
    const { key, environmentId } = await open();
    const to = { id: 'ada', email: 'ada@example.com' };
    const body = { type: 'welcome', to, inapp: { title: 'Hi' } };
    await call(send, { key, body });
    const before = await app.database.get(profileKey(environmentId, 'ada'));
    await call(send, { key, body });
    expect(await app.database.get(profileKey(environmentId, 'ada'))).toEqual(before);
  });

  it.each([
    [{ email: 'ada' }, 'query.email'],
    [{ email: '' }, 'query.email'],
    [{ number: '12' }, 'query.number'],
    [{ number: '' }, 'query.number'],
    [{ prefix: '' }, 'query.prefix'],
    [{ email: 'ada@example.com', number: '+14155550123' }, 'query.number'],
    [{ email: 'ada@example.com', prefix: 'a' }, 'query.prefix'],
  ])('returns 400 for %j', async (query, named) => {
    const { key } = await open();
    const { status, json } = await call(handler, { key, query });
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toContain(named);
  });
});

describe('GET /users?prefix=', () => {
  it('finds IDs that start with it in any case, newest first, in pages', async () => {
    const { key, save, find } = await open();
    for (const userId of ['ada', 'Adam', 'bob', 'a#1', 'nada']) {
      app.clock.nowMs += 1;
      await save(userId, {});
    }
    expect(await find({ prefix: 'AD' })).toEqual(['Adam', 'ada']);
    expect(await find({ prefix: 'a#' })).toEqual(['a#1']);
    expect(await find({ prefix: 'x' })).toEqual([]);
    const query = { prefix: 'ad', limit: '1' };
    const first = await call(handler, { key, query });
    const second = await call(handler, { key, query: { ...query, cursor: first.json.nextToken } });
    expect([first.json.users[0].id, second.json.users[0].id]).toEqual(['Adam', 'ada']);
    expect(second.json).not.toHaveProperty('nextToken');
  });
});
