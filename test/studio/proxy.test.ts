import { afterEach, describe, expect, it } from 'vitest';
import { buildAssets } from '../../studio/server/assets.ts';
import { createStudio, type StudioOptions } from '../../studio/server/studio.ts';
import { startDouble } from '../client/service-double.ts';

const KEY = 'nds_sk_secret';
const stops: (() => void)[] = [];

async function studioOn(options: Partial<StudioOptions> = {}) {
  const double = await startDouble({ status: 200, body: { ok: true } });
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
    const sizes = [...(await buildAssets())].map(([name, { bytes }]) => ({ name, size: bytes.length }));
    const sum = (list: { size: number }[]) => list.reduce((total, { size }) => total + size, 0);
    const isFirst = ({ name }: { name: string }) => /^(?:index\.html|main\.js|style\.css)$/.test(name);
    const first = sizes.filter(isFirst);
    expect(first).toHaveLength(3);
    expect(sum(first)).toBeLessThan(60 * 1024);
    expect(sizes.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^code-mirror/));
    expect(sum(sizes)).toBeLessThan(300 * 1024);
  });
});
