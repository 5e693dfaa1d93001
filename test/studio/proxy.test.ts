import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { pathSegmentOf } from '../../client/src/path-segment.ts';
import { ROUTES } from '../../functions/routes.ts';
import { buildAssets, createStudio, type StudioOptions } from '../../studio/server/studio.ts';
import { startDouble } from '../client/service-double.ts';

const KEY = 'nds_sk_secret';
const stops: (() => void)[] = [];

async function studioOn(options: Partial<StudioOptions> = {}, body: unknown = { ok: true }, status = 200) {
  const double = await startDouble({ status, body });
  stops.push(double.stop);
  const studio = createStudio({
    mode: 'stage',
    name: 'stage prod',
    isReadOnly: false,
    apiUrl: double.baseUrl,
    publicUrl: () => double.baseUrl,
    key: () => KEY,
    ...options,
  });
  const ask = (
    method: string,
    path: string,
    more: { search?: string; headers?: object; body?: string } = {},
  ) =>
    studio({
      method,
      path,
      search: more.search ?? '',
      headers: new Headers({ ...more.headers }),
      body: Buffer.from(more.body ?? ''),
    });
  return { ask, received: double.received };
}

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

it.each([
  ['gzip, br', 'gzip'],
  ['*', 'gzip'],
  ['br', null],
  ['', null],
])('compresses the page only for a client that accepts it: %s', async (accepted, encoding) => {
  const { ask } = await studioOn();
  const page = await ask('GET', '/', { headers: { 'accept-encoding': accepted } });
  expect([page?.headers['content-encoding'] ?? null, page?.headers.vary]).toEqual([
    encoding,
    'accept-encoding',
  ]);
  const html = encoding ? gunzipSync(page?.body ?? '') : page?.body;
  expect(html?.toString()).toMatch(/^<!doctype html>/i);
});

describe('the studio’s proxy', () => {
  it('adds the key to a call of the page, and forwards nothing else that identifies the caller', async () => {
    const { ask, received } = await studioOn();
    const headers = { authorization: 'Bearer studio', cookie: 'a=b', 'x-user-id': 'ada' };
    const response = await ask('GET', '/_sandbox/studio/api/logs', { search: '?limit=5', headers });
    expect([response?.statusCode, response?.body.toString()]).toEqual([200, '{"ok":true}']);
    expect(received[0]).toMatchObject({ method: 'GET', url: '/logs?limit=5' });
    expect(received[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'x-user-id': 'ada' });
    expect(received[0]?.headers.cookie).toBeUndefined();
  });

  it('reports that the service is starting while it has no key, and calls nothing', async () => {
    const { ask, received } = await studioOn({ key: () => undefined });
    const response = await ask('GET', '/_sandbox/studio/api/logs');
    expect(response?.statusCode).toBe(503);
    expect(JSON.parse(response?.body.toString() ?? '').error.code).toBe('STARTING');
    expect(received).toEqual([]);
  });

  it('returns 204 for what is not there if the page says that it may be missing, and any other error as it is', async () => {
    const asked = { headers: { 'x-may-be-missing': 'yes' } };
    const statusOf = async (status: number, code: string, more = asked as object) => {
      const { ask } = await studioOn({}, { error: { code } }, status);
      return (await ask('GET', '/_sandbox/studio/api/webhooks/events', more))?.statusCode;
    };
    expect(await statusOf(400, 'RESOURCE_NOT_FOUND')).toBe(204);
    expect(await statusOf(400, 'RESOURCE_NOT_FOUND', {})).toBe(400);
    expect(await statusOf(400, 'INVALID_REQUEST')).toBe(400);
    expect(await statusOf(401, 'UNAUTHORIZED')).toBe(401);
  });

  it('never returns the key', async () => {
    const { ask } = await studioOn();
    const responses = await Promise.all(
      ['/', '/_sandbox/studio/config', '/_sandbox/studio/main.js'].map((path) => ask('GET', path)),
    );
    for (const response of responses) {
      expect(response?.statusCode).toBe(200);
      expect(response?.body.includes(KEY)).toBe(false);
    }
  });

  it('rejects every change when it is read-only, and lets reads, previews and dry runs through', async () => {
    const { ask, received } = await studioOn({ isReadOnly: true });
    const api = '/_sandbox/studio/api';
    const statusOf = async (...given: Parameters<typeof ask>) => (await ask(...given))?.statusCode;
    expect(await statusOf('POST', `${api}/send`)).toBe(403);
    expect(await statusOf('POST', `${api}/send`, { search: '?dryRun=false' })).toBe(403);
    expect(await statusOf('DELETE', `${api}/users/ada`)).toBe(403);
    expect(received).toEqual([]);
    expect(await statusOf('POST', `${api}/send`, { search: '?dryRun=true' })).toBe(200);
    expect(await statusOf('POST', `${api}/logs/bulk`)).toBe(200);
    expect(await statusOf('GET', `${api}/users`)).toBe(200);
  });

  it.each([
    ['POST', 'users%2Fada'],
    ['POST', 'logs%2Fbulk%2F..%2F..%2Fsend'],
    ['POST', 'send%3FdryRun=true'],
    ['POST', 'send%253FdryRun=true'],
    ['DELETE', 'users%2Fada'],
    ['DELETE', 'users/a%2Flogs%2Fbulk'],
    ['POST', 'notifications/n/EMAIL%2Ftemplates%3Fx/templates/preview'],
    ['POST', 'notifications%2Fn%2FEMAIL%2Ftemplates'],
    ['PUT', 'topics/logs%2Fbulk/users'],
    ['DELETE', 'users/%2e%2e'],
    ['DELETE', 'users/%252e%252e'],
    ['PATCH', 'logs/bulk'],
  ])('never reaches a writing route in a read-only studio: %s %s', async (method, path) => {
    const { ask, received } = await studioOn({ isReadOnly: true });
    const response = await ask(method, `/_sandbox/studio/api/${path}`, { search: '?dryRun=false' });
    expect([403, 404]).toContain(response?.statusCode);
    expect(received).toEqual([]);
  });

  it.each(['?dryRun=true&dryRun=false', '?dryRun=false&dryRun=true', '?dryRun=1', '?dryrun=true', ''])(
    'does not take %j for a dry run in a read-only studio',
    async (search) => {
      const { ask, received } = await studioOn({ isReadOnly: true });
      const response = await ask('POST', '/_sandbox/studio/api/send', { search });
      expect([response?.statusCode, received]).toEqual([403, []]);
    },
  );

  it('decides for every endpoint by its row', async () => {
    const { ask, received } = await studioOn({ isReadOnly: true });
    for (const row of ROUTES) {
      const before = received.length;
      const path = row.path.replace(/\{\w+\}/g, 'x');
      await ask(row.method, `/_sandbox/studio/api${path}`);
      const isPassed =
        row.access !== 'none' && row.secrets !== 'all' && (row.method === 'GET' || row.readOnly);
      expect([row.id, received.length - before]).toEqual([row.id, isPassed ? 1 : 0]);
    }
  });

  it('passes on the IDs of a path as they are', async () => {
    const { ask, received } = await studioOn();
    const ids = ['a b', 'a%b', 'a/b', 'a?b', 'ä@x', '..a', '~AbC', 'a,b'];
    for (const id of ids) await ask('GET', `/_sandbox/studio/api/users/${pathSegmentOf(id)}`);
    expect(received.map(({ url }) => url)).toEqual(ids.map((id) => `/users/${pathSegmentOf(id)}`));
  });

  it('keeps keys, client secrets and push credentials from the page', async () => {
    const { ask, received } = await studioOn();
    for (const path of [
      'keys',
      'environments',
      'settings/push/fcm',
      'settings/push/apn',
      'settings%2Fpush/apn',
      'keys%3F',
    ])
      expect((await ask('GET', `/_sandbox/studio/api/${path}`))?.statusCode).toBe(403);
    expect(received).toEqual([]);
  });

  it.each([
    ['users/ada', { id: 'ada', chatToken: { access_token: 'xoxb-1', team: { id: 'T1' } } }, 'T1'],
    [
      'users',
      { users: [{ id: 'ada', chatToken: { incoming_webhook: { url: 'https://h/xoxb-1' } } }] },
      'ada',
    ],
    [
      'webhooks/events',
      { webhookId: 'w', webhook: 'https://a', events: [], secret: 'whsec_xoxb-1' },
      'https://a',
    ],
  ])('redacts the credentials in %s', async (path, body, kept) => {
    const { ask } = await studioOn({}, body);
    const response = await ask('GET', `/_sandbox/studio/api/${path}`);
    expect(response?.body.toString()).toContain('[redacted]');
    expect(response?.body.toString()).toContain(kept);
    expect(response?.body.toString()).not.toContain('xoxb-1');
  });

  it('returns 502 with a reason when the service does not respond', async () => {
    const { ask } = await studioOn({ apiUrl: 'http://127.0.0.1:1' });
    expect((await ask('GET', '/_sandbox/studio/api/logs'))?.statusCode).toBe(502);
  });

  it('allows only its own scripts, and no frame around the page', async () => {
    const { ask } = await studioOn();
    const policy = (await ask('GET', '/'))?.headers['content-security-policy'];
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("default-src 'none'");
  });
});

describe('the page', () => {
  it('loads less than 60 KB compressed at first, and less than 300 KB with the editor and the charts', async () => {
    const assets = await buildAssets();
    // A chunk that the first file imports is loaded with it.
    const firstNames = new Set(['index.html', 'style.css', 'main.js']);
    for (const name of firstNames) {
      const code = gunzipSync(assets.get(name)?.bytes ?? '').toString();
      for (const [, chunk = ''] of code.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)) firstNames.add(chunk);
    }
    const sizes = [...assets].map(([name, { bytes }]) => ({ name, size: bytes.length }));
    const sum = (list: { size: number }[]) => list.reduce((total, { size }) => total + size, 0);
    const isFirst = ({ name }: { name: string }) => firstNames.has(name);
    const first = sizes.filter(isFirst);
    expect(first.length).toBeGreaterThan(3);
    expect(sum(first)).toBeLessThan(60 * 1024);
    expect(sizes.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^code-mirror/));
    expect(sum(sizes)).toBeLessThan(300 * 1024);
  });

  it('is asked for again by a browser, with all but the chunks whose names change with their contents', async () => {
    const { ask } = await studioOn();
    const names = [...(await buildAssets()).keys(), 'config', 'absent-ABCDEFGH.js'];
    const responses = await Promise.all(names.map((name) => ask('GET', `/_sandbox/studio/${name}`)));
    const headers = responses.map((response) => response?.headers['cache-control']);
    expect(names.filter((_, at) => headers[at] === 'no-store').sort()).toEqual([
      'absent-ABCDEFGH.js',
      'config',
      'index.html',
      'main.js',
      'style.css',
    ]);
    expect(headers.filter((each) => each === 'private, max-age=31536000, immutable')).toHaveLength(
      names.length - 5,
    );
  });
});
