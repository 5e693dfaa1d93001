import { afterEach, expect, it } from 'vitest';
import { createClient } from '../../client/src/client.ts';
import { SendManyError } from '../../client/src/send-many.ts';
import { startDouble } from './service-double.ts';

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const notifications = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ type: 'news', to: { id: `user-${index}` }, ...more }));
const results = (from: number, count: number) => ({
  status: 200,
  body: { results: Array.from({ length: count }, (_, index) => ({ trackingId: `t${from + index}` })) },
});

async function clientOn(...replies: Parameters<typeof startDouble>) {
  const double = await startDouble(...replies);
  stops.push(double.stop);
  const client = createClient({ baseUrl: double.baseUrl, key: 'nds_sk_test', retriesMax: 1 });
  const sent = () =>
    double.received.map(({ url, headers, body }) => ({
      url,
      key: headers['idempotency-key'],
      users: JSON.parse(body).notifications.map(({ to }: { to: { id: string } }) => to.id),
    }));
  return { client, sent };
}

it('sends 100 per request and returns one result for each, in order', async () => {
  const { client, sent } = await clientOn(results(0, 100), results(100, 100), results(200, 1));
  const found = await client.sendMany(notifications(201), { idempotencyKey: 'run-7' });
  expect(found).toEqual(notifications(201).map((_, index) => ({ trackingId: `t${index}` })));
  expect(sent().flatMap(({ users }) => users)).toEqual(notifications(201).map(({ to }) => to.id));
  expect(sent().map(({ url, key, users }) => [url, key, users.length])).toEqual([
    ['/send/bulk', 'run-7-1', 100],
    ['/send/bulk', 'run-7-2', 100],
    ['/send/bulk', 'run-7-3', 1],
  ]);
});

it('repeats a failed request under its key, and uses another for each call without one', async () => {
  const { client, sent } = await clientOn({ status: 503 }, results(0, 2));
  await client.sendMany(notifications(2));
  await client.sendMany(notifications(2));
  const [first, repeated, other] = sent().map(({ key }) => key);
  expect(repeated).toBe(first);
  expect(other).not.toBe(first);
});

it('reports the results so far and the key to repeat with when a request fails', async () => {
  const failure = { status: 403, body: { error: { code: 'FORBIDDEN_KEY_TYPE', message: 'No.' } } };
  const { client, sent } = await clientOn(results(0, 100), failure);
  const error = await client.sendMany(notifications(250)).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(SendManyError);
  expect(error).toMatchObject({ results: { length: 100 }, cause: { code: 'FORBIDDEN_KEY_TYPE' } });
  const { idempotencyKey } = error as SendManyError;
  expect(sent().map(({ key }) => key)).toEqual([`${idempotencyKey}-1`, `${idempotencyKey}-2`]);
});

it('keeps a request under the size that the service accepts', async () => {
  const { client, sent } = await clientOn(results(0, 2), results(2, 1));
  await client.sendMany(notifications(3, { parameters: { text: 'ü'.repeat(1_200_000) } }));
  expect(sent().map(({ users }) => users.length)).toEqual([2, 1]);
});

it('passes dryRun on and makes no request for no notifications', async () => {
  const { client, sent } = await clientOn(results(0, 1));
  expect(await client.sendMany([])).toEqual([]);
  await client.sendMany(notifications(1), { dryRun: true });
  expect(sent().map(({ url }) => url)).toEqual(['/send/bulk?dryRun=true']);
});

it('reports one notification that is too large and sends the others', async () => {
  const tooLarge = { status: 413, body: { message: 'Request Entity Too Large' } };
  const { client, sent } = await clientOn(results(0, 1), tooLarge, results(2, 1));
  const [small, , last] = notifications(3);
  const large = { type: 'news', to: { id: 'user-1' }, parameters: { text: 'x'.repeat(6_000_000) } };
  const found = await client.sendMany([small, large, last].filter((each) => each !== undefined));
  expect(found).toMatchObject([
    { trackingId: 't0' },
    { error: { code: 'INVALID_REQUEST' } },
    { trackingId: 't2' },
  ]);
  expect(sent().map(({ users }) => users)).toEqual([['user-0'], ['user-1'], ['user-2']]);
});

it('counts a body as the gateway passes it on, where each quote is two characters', async () => {
  const { client, sent } = await clientOn(results(0, 1), results(1, 1));
  await client.sendMany(notifications(2, { parameters: { text: '"'.repeat(800_000) } }));
  expect(sent().map(({ users }) => users.length)).toEqual([1, 1]);
});

it('takes every key that the service takes', async () => {
  const { client, sent } = await clientOn(results(0, 1));
  const keys = ['k'.repeat(255), `${'k'.repeat(254)}j`];
  for (const idempotencyKey of [...keys, ...keys])
    await client.sendMany(notifications(1), { idempotencyKey });
  const [first, second, ...again] = sent().map(({ key }) => String(key));
  expect(first).not.toBe(second);
  expect(again).toEqual([first, second]);
  expect([first, second].every((key) => key !== undefined && key.length <= 255)).toBe(true);
});
