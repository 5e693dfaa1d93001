import { describe, expect, it } from 'vitest';
import { handler as getUser } from '../../../functions/users/get-user.ts';
import { handler } from '../../../functions/users/save-many-users.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';

const app = useApp();

async function setUp() {
  const account = await createTestAccount(app);
  const { key } = account.secret;
  const post = (users: unknown, as = key) => call(handler, { key: as, body: { users } });
  const find = async (userId: string) => (await call(getUser, { key, path: { userId } })).json;
  return { account, key, post, find };
}

describe('POST /users', () => {
  it('saves each user as POST /users/{userId} does, in order', async () => {
    const { key, post, find } = await setUp();
    const body = { email: 'ada@example.com', number: '(415) 555-0123', attributes: { plan: 'pro' } };
    const { status, json } = await post([{ id: 'ada', ...body }, { id: 'bob' }, { id: 'a/b', locale: 'de' }]);
    expect(status).toBe(200);
    expect(json.results.map(({ user }: { user: { id: string } }) => user.id)).toEqual(['ada', 'bob', 'a/b']);
    const single = await call(saveUser, { key, path: { userId: 'eve' }, body });
    expect(json.results[0].user).toEqual({ ...single.json, id: 'ada' });
    expect(await find('a/b')).toMatchObject({ locale: 'de' });
  });

  it('returns the error of an entry that is rejected, which changes nothing and affects no other', async () => {
    const { post, find } = await setUp();
    const { json } = await post([
      { id: 'ada', email: 'not an address' },
      { email: 'bob@example.com' },
      { id: 'cyd', emial: 'cyd@example.com', number: 'x', pausedUntil: '2099-01-01T00:00:00Z' },
      'text',
      null,
      { id: 'dan', email: 'dan@example.com' },
    ]);
    const errors = json.results.map(({ error }: { error?: { code: string } }) => error?.code);
    expect(errors).toEqual([...Array.from({ length: 5 }, () => 'INVALID_REQUEST'), undefined]);
    expect(json.results[1].error.message).toContain('body.users[1].id is required');
    expect(json.results[2].error.message).toContain('did you mean email?');
    expect(json.results[2].error.message).toContain('body.users[2].number');
    expect((await find('ada')).error.code).toBe('RESOURCE_NOT_FOUND');
    expect(await find('dan')).toMatchObject({ email: 'dan@example.com' });
  });

  it('applies entries of one user in their order', async () => {
    const { post, find } = await setUp();
    const names = Array.from({ length: 50 }, (_, index) => String(index));
    const { json } = await post(names.map((n) => ({ id: 'ada', attributes: { n, [`k${n}`]: n } })));
    expect(json.results[7].user.attributes.n).toBe('7');
    const { attributes } = await find('ada');
    expect(attributes).toMatchObject({ n: '49', k0: '0', k49: '49' });
  });

  it.each([
    ['no users', []],
    ['101 users', Array.from({ length: 101 }, (_, index) => ({ id: `u${index}` }))],
    ['no list', { id: 'ada' }],
  ])('rejects %s', async (_, users) => {
    const { post, find } = await setUp();
    expect((await post(users)).status).toBe(400);
    expect((await find('u0')).error.code).toBe('RESOURCE_NOT_FOUND');
  });

  it('accepts 100 users, and no public key', async () => {
    const { account, post } = await setUp();
    const users = Array.from({ length: 100 }, (_, index) => ({ id: `u${index}` }));
    expect((await post(users)).json.results).toHaveLength(100);
    expect((await post(users, account.public.key)).status).toBe(401);
  });
});
