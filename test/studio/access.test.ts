import { describe, expect, it } from 'vitest';
import { createAccess } from '../../studio/server/access.ts';

const HOST = '127.0.0.1:4100';

function opened() {
  const access = createAccess();
  const ask = (path: string, { search = '', method = 'GET', ...headers }: Record<string, string> = {}) =>
    access.check({
      method,
      path,
      search,
      headers: new Headers({ host: HOST, ...headers }),
      body: Buffer.alloc(0),
    });
  const exchanged = ask('/', { search: access.search });
  const cookie = exchanged?.headers['set-cookie'] ?? '';
  return { access, ask, exchanged, cookie: cookie.split(';')[0] ?? '', attributes: cookie };
}

describe('the access to the studio of a stage', () => {
  it('exchanges the token of the printed address for a cookie that scripts and other sites do not get', () => {
    const { exchanged, attributes, access } = opened();
    expect([exchanged?.statusCode, exchanged?.headers.location]).toEqual([303, '/']);
    expect(attributes).toMatch(/^studio-4100=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(attributes).not.toContain(access.search.slice('?token='.length));
  });

  it.each(['/', '/_sandbox/studio/config', '/_sandbox/studio/main.js', '/_sandbox/studio/api/logs', '/x'])(
    'rejects %s without the cookie, and lets it through with it',
    (path) => {
      const { ask, cookie } = opened();
      expect(ask(path)?.statusCode).toBe(401);
      expect(ask(path, { cookie: 'studio-4100=guess' })?.statusCode).toBe(401);
      expect(ask(path, { cookie: `${cookie}x` })?.statusCode).toBe(401);
      expect(ask(path, { cookie: `other=1; ${cookie}` })).toBeUndefined();
    },
  );

  it.each(['', '?token=', '?token=guess', '?Token=x'])('rejects the token %j', (search) => {
    expect(opened().ask('/', { search })?.statusCode).toBe(401);
  });

  it('accepts the token at the page only, and neither token nor cookie of another start', () => {
    const { access, ask } = opened();
    expect(ask('/_sandbox/studio/api/logs', { search: access.search })?.statusCode).toBe(401);
    const other = opened();
    expect(ask('/', { search: other.access.search })?.statusCode).toBe(401);
    expect(ask('/', { cookie: other.cookie })?.statusCode).toBe(401);
  });

  it.each<[string, Record<string, string>]>([
    ['another name', { host: 'studio.example:4100' }],
    ['another origin', { origin: 'http://127.0.0.1:4101' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['a form', { method: 'POST' }],
  ])('rejects a request of %s although it has the cookie', (_, headers) => {
    const { ask, cookie } = opened();
    expect(ask('/_sandbox/studio/api/logs', { cookie, ...headers })?.statusCode).toBe(403);
  });
});
