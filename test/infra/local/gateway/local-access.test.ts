import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { guarded } from '../../../../infra/local/gateway/local-access.ts';

const PATHS = [
  '/2015-03-31/functions/administer-accounts/invocations',
  '/_sandbox/messages',
  '/_sandbox/clock',
  '/_sandbox/queues',
  '/_sandbox/issuer/token',
  '/_sandbox/checkout/x',
  '/@connections/abc',
  '/%40connections/abc',
  '/live/@connections/abc',
  '/',
];

type Asked = {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  query?: string;
  body?: string;
};

async function statusOf(
  { method = 'GET', path = '/_sandbox/clock', headers = {}, query = '', body = '' }: Asked,
  token?: string,
): Promise<number | undefined> {
  const local = guarded({ token }, async () => ({ statusCode: 200, headers: {}, body: '' }));
  const raw = {
    method,
    url: path,
    headers: { host: 'localhost:3000', ...headers },
  } as unknown as IncomingMessage;
  const response = await local({
    method,
    path,
    query: new URLSearchParams(query),
    body: Buffer.from(body),
    raw,
  });
  return response && 'statusCode' in response ? response.statusCode : undefined;
}

const JSON_TYPE = { 'content-type': 'application/json' };

describe.each(PATHS)('%s', (path) => {
  it('rejects a host name that was rebound to this machine', async () => {
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      '10.0.0.7:3000',
      '127.0.0.1.evil.example',
      '',
    ])
      expect([host, await statusOf({ path, headers: { host } })]).toEqual([host, 403]);
    for (const host of ['localhost', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'app.localhost:1'])
      expect([host, await statusOf({ path, headers: { host } })]).toEqual([host, 200]);
  });

  it('rejects requests through a tunnel under another name', async () => {
    expect(await statusOf({ path, headers: { 'x-forwarded-host': 'abc.tunnel.example' } })).toBe(403);
  });

  it('rejects pages of other sites and ports', async () => {
    for (const origin of [
      'https://evil.example',
      'http://localhost:5173',
      'null',
      'http://localhost:3000.evil.example',
    ])
      expect([origin, await statusOf({ path, method: 'POST', headers: { ...JSON_TYPE, origin } })]).toEqual([
        origin,
        403,
      ]);
    expect(
      await statusOf({ path, headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' } }),
    ).toBe(403);
    expect(
      await statusOf({ path, method: 'POST', headers: { ...JSON_TYPE, origin: 'http://localhost:3000' } }),
    ).toBe(200);
  });

  it('requires the token from every address when the service is exposed', async () => {
    expect(await statusOf({ path }, 'secret')).toBe(403);
    expect(await statusOf({ path, headers: { 'x-sandbox-token': 'wrong!' } }, 'secret')).toBe(403);
    expect(await statusOf({ path, query: 'token=' }, 'secret')).toBe(403);
    expect(
      await statusOf({ path, headers: { 'x-sandbox-token': 'secret', host: '10.0.0.7' } }, 'secret'),
    ).toBe(200);
    expect(await statusOf({ path, headers: { cookie: 'a=1; sandbox_token=secret' } }, 'secret')).toBe(200);
    expect(await statusOf({ path, query: 'token=secret' }, 'secret')).toBe(200);
  });
});

describe('a local write', () => {
  it.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'TEXT/PLAIN;charset=utf-8',
  ])('fails as %s, which a form can send', async (type) => {
    const sent = { method: 'POST', headers: { 'content-type': type }, body: 'a=1' };
    expect(await statusOf(sent)).toBe(403);
    expect(await statusOf({ ...sent, headers: { ...sent.headers, 'x-requested-with': 'curl' } })).toBe(200);
  });

  it('passes as JSON, from an AWS client and without a body', async () => {
    expect(await statusOf({ method: 'POST', headers: JSON_TYPE, body: '{}' })).toBe(200);
    expect(
      await statusOf({ method: 'POST', headers: { authorization: 'AWS4-HMAC-SHA256 …' }, body: '{}' }),
    ).toBe(200);
    expect(await statusOf({ method: 'POST' })).toBe(200);
    expect(await statusOf({ method: 'POST', body: '{}' })).toBe(403);
  });

  it('passes as a form from the checkout page only', async () => {
    const form = { method: 'POST', path: '/_sandbox/checkout/x', body: '' };
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await statusOf({ ...form, headers: { ...type, origin: 'http://localhost:3000' } })).toBe(200);
    expect(await statusOf({ ...form, headers: { ...type, origin: 'https://shop.example' } })).toBe(403);
  });
});

it('allows a link from another site to a page, and no frame with it', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  const path = '/_sandbox/checkout/x';
  expect(await statusOf({ path, headers })).toBe(200);
  expect(await statusOf({ path, headers: { ...headers, 'sec-fetch-dest': 'document' } })).toBe(200);
  for (const destination of ['iframe', 'frame', 'object', 'embed', 'fencedframe'])
    expect(await statusOf({ path, headers: { ...headers, 'sec-fetch-dest': destination } })).toBe(403);
});

it('keeps responses out of caches and of frames of other pages', async () => {
  const responses = [{ 'content-type': 'application/json' }, { 'cache-control': 'no-cache' }].map(
    (headers) => {
      const local = guarded({ token: undefined }, async () => ({ statusCode: 200, headers, body: '' }));
      const raw = { method: 'GET', headers: { host: 'localhost' } } as unknown as IncomingMessage;
      const query = new URLSearchParams();
      return local({ method: 'GET', path: '/_sandbox/account', query, body: Buffer.alloc(0), raw });
    },
  );
  expect(await Promise.all(responses)).toMatchObject([
    {
      headers: {
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "frame-ancestors 'self'",
      },
    },
    { headers: { 'cache-control': 'no-cache' } },
  ]);
});

it('keeps the token of a link in a cookie that scripts cannot read', async () => {
  const local = guarded({ token: 'secret' }, async () => ({ statusCode: 200, headers: {}, body: '' }));
  const raw = { method: 'GET', url: '/', headers: {} } as unknown as IncomingMessage;
  const request = {
    method: 'GET',
    path: '/',
    query: new URLSearchParams('token=secret'),
    body: Buffer.alloc(0),
    raw,
  };
  expect(await local(request)).toMatchObject({
    headers: { 'set-cookie': expect.stringContaining('HttpOnly') },
  });
});

it('does not restrict the API or the public keys of the token issuer', async () => {
  const local = guarded({ token: 'secret' }, async ({ path }) => ({
    statusCode: 200,
    headers: {},
    body: path,
  }));
  const raw = { method: 'GET', headers: { host: 'evil.example' } } as unknown as IncomingMessage;
  const ask = (path: string) =>
    local({ method: 'GET', path, query: new URLSearchParams(), body: Buffer.alloc(0), raw });
  expect(await ask('/send')).toBeUndefined();
  expect(await ask('/users/@connections')).toBeUndefined();
  expect(await ask('/_sandbox/issuer/.well-known/jwks.json')).toMatchObject({ statusCode: 200 });
});
