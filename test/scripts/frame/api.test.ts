import { expect, it, onTestFinished } from 'vitest';
import { openApi } from '../../../scripts/frame/api.ts';
import { callSandbox } from '../../../scripts/frame/local-run.ts';
import { startHttpFake } from '../../support/fakes/http-fake.ts';

it('repeats a throttled request after the time that the service asks for', async () => {
  const statuses = [429, 429, 200];
  const service = await startHttpFake(() => ({
    status: statuses.shift() ?? 500,
    headers: { 'retry-after': '0.01' },
    body: { trackingId: 'one' },
  }));
  onTestFinished(service.close);
  const api = await openApi({ url: service.url, key: 'nds_sk_1' });
  expect(await api.call('POST', '/send', {})).toEqual({ trackingId: 'one' });
  expect(statuses).toEqual([]);
});

it('reports a request that stays throttled', async () => {
  const service = await startHttpFake(() => ({
    status: 429,
    headers: { 'retry-after': '0.01' },
    body: { message: 'Too Many Requests' },
  }));
  onTestFinished(service.close);
  const api = await openApi({ url: service.url, key: 'nds_sk_1' });
  await expect(api.call('POST', '/send', {})).rejects.toThrow('POST /send: status 429');
});

it('reports a rejection in one line, whatever the service writes', async () => {
  const error = { code: 'X', message: 'No.\r\nDone: 0 problems', fix: 'Stop.\u2028Go.' };
  const service = await startHttpFake(() => ({ status: 400, body: { error } }));
  onTestFinished(service.close);
  const api = await openApi({ url: service.url, key: 'nds_sk_1' });
  const said = 'No.\\u{d}\\u{a}Done: 0 problems Stop.\\u{2028}Go.';
  await expect(api.call('POST', '/send', {})).rejects.toThrow(expect.objectContaining({ message: said }));
});

it.each([
  'http://api.example.com',
  'http://10.0.0.5:3000',
  'http://localhost.example.com',
  'http://127.0.0.1.example.com',
  'http://[::2]',
  'ftp://localhost',
  'localhost:3000',
  'http://localhost.',
  'http://localhost@example.com',
  // A name that this machine may ask the network for.
  'http://api.localhost',
])('sends no key to %s', async (url) => {
  await expect(openApi({ url, key: 'nds_sk_1' })).rejects.toThrow(/^--url must/);
});

it.each(['https://api.example.com', 'http://localhost:3000', 'http://127.8.0.1', 'http://[::1]:3000'])(
  'accepts the address %s',
  async (url) => {
    expect((await openApi({ url, key: 'nds_sk_1' })).url).toBe(url);
  },
);

it('follows no redirect, with the key or without', async () => {
  let followed = 0;
  const other = await startHttpFake(() => {
    followed += 1;
    return { status: 200 };
  });
  onTestFinished(other.close);
  const service = await startHttpFake(() => ({ status: 307, headers: { location: other.url } }));
  onTestFinished(service.close);
  const api = await openApi({ url: service.url, key: 'nds_sk_1' });
  await expect(api.call('POST', '/send', { to: 'ada' })).rejects.toThrow('POST /send: status 307');
  await expect(callSandbox(service.url, 'clock')).rejects.toThrow('is not a local run');
  expect(followed).toBe(0);
});
