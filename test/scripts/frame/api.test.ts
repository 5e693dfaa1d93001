import { expect, it, onTestFinished } from 'vitest';
import { openApi } from '../../../scripts/frame/api.ts';
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

it.each([
  'http://api.example.com',
  'http://10.0.0.5:3000',
  'http://localhost.example.com',
  'http://127.0.0.1.example.com',
  'http://[::2]',
  'ftp://localhost',
  'localhost:3000',
])('sends no key to %s', async (url) => {
  await expect(openApi({ url, key: 'nds_sk_1' })).rejects.toThrow(/^--url must/);
});

it.each([
  'https://api.example.com',
  'http://localhost:3000',
  'http://127.8.0.1',
  'http://[::1]:3000',
  'http://api.localhost',
])('accepts the address %s', async (url) => {
  expect((await openApi({ url, key: 'nds_sk_1' })).url).toBe(url);
});
