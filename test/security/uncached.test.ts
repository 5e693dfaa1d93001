import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROUTES } from '../../functions/routes.ts';
import { handler as getUser } from '../../functions/users/get-user.ts';
import { handler as saveUser } from '../../functions/users/save-user.ts';
import { call, createTestAccount, httpEvent } from '../support/app.ts';
import { useApp } from '../support/use-app.ts';

const app = useApp();
const ROOT = join(import.meta.dirname, '../..');
const guarded = ROUTES.filter(({ access }) => access !== 'none');

it.each(guarded.map(({ id }) => id))(
  'responses of %s to a credential, right or wrong, are not cached',
  async (id) => {
    const file = id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const [path = ''] = globSync(`functions/*/${file}.ts`, { cwd: ROOT });
    const { handler } = await import(join(ROOT, path));
    const { secret, public: ours } = await createTestAccount(app);
    const ids = Object.fromEntries(
      Object.keys(Object(ROUTES.find((each) => each.id === id)).pathParameters?.entries ?? {}).map((name) => [
        name,
        'x',
      ]),
    );
    for (const key of [undefined, 'wrong', ours.key, secret.key]) {
      const response = await handler(httpEvent({ key, path: ids, rawBody: '{' }));
      expect([response.statusCode, response.headers['cache-control']]).toEqual([
        response.statusCode,
        'no-store',
      ]);
    }
  },
);

it.each(['Etc/Unknown', 'etc/unknown'])('a browser whose timezone is %s keeps its user', async (timezone) => {
  const { secret } = await createTestAccount(app);
  const path = { userId: 'ada' };
  const save = (body: object) => call(saveUser, { key: secret.key, path, body });
  expect((await save({ timezone, email: 'ada@example.com' })).status).toBe(200);
  expect((await save({ timezone: 'Asia/Tokyo' })).status).toBe(200);
  expect((await save({ timezone })).status).toBe(200);
  const { json } = await call(getUser, { key: secret.key, path });
  expect(json).toMatchObject({ email: 'ada@example.com', timezone: 'Asia/Tokyo' });
});
