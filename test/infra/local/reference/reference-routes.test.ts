import { brotliDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { referenceRoutes } from '../../../../infra/local/reference/reference-routes.ts';

const routes = referenceRoutes();

async function get(path: string, method = 'GET', accepted: string | undefined = 'gzip, br') {
  const raw = { headers: { 'accept-encoding': accepted } };
  const response = await routes({ method, path, query: new URLSearchParams(), raw } as never);
  if (!response || 'stream' in response) return undefined;
  const bytes = Buffer.from(response.body ?? '', 'base64');
  const isCompressed = response.headers?.['content-encoding'] === 'br';
  const text = (isCompressed ? brotliDecompressSync(bytes) : bytes).toString();
  return { status: response.statusCode, headers: response.headers ?? {}, text };
}

let page: Awaited<ReturnType<typeof get>>;

beforeAll(async () => {
  page = await get('/docs');
});

describe('the API reference', () => {
  it('runs only its own scripts and cannot be framed', () => {
    const policy = String(page?.headers['content-security-policy']);
    expect(policy).toMatch(/default-src 'none'; script-src 'self';.*connect-src 'self';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page?.text).not.toMatch(/https?:\/\//);
  });

  it('serves each file that the page names', async () => {
    const names = [...(page?.text ?? '').matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, name = '']) => name);
    expect(names.length).toBe(2);
    for (const name of names) {
      const file = await get(name);
      expect(file?.headers['content-type']).toBe('text/javascript; charset=utf-8');
      expect(file?.text).toContain('createApiReference');
    }
  });

  it.each([
    ['gzip, br', 'br'],
    ['*', 'br'],
    ['', undefined],
    ['gzip', undefined],
    ['br;q=0, *', undefined],
    ['identity', undefined],
  ])('is compressed only for a client that accepts it: %s', async (accepted, encoding) => {
    const response = await get('/docs', 'GET', accepted);
    expect([response?.headers['content-encoding'], response?.headers.vary]).toEqual([
      encoding,
      'accept-encoding',
    ]);
    expect(response?.text).toBe(page?.text);
  });

  it('also responds with a trailing slash, and to nothing else', async () => {
    expect((await get('/docs/'))?.text).toBe(page?.text);
    expect(await get('/docs/../secret')).toBeUndefined();
    expect(await get('/docsearch')).toBeUndefined();
    expect(await get('/docs', 'POST')).toBeUndefined();
  });
});
