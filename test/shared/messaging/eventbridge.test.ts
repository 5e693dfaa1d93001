import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createEventBridge } from '../../../shared/messaging/eventbridge.ts';
import { type HttpFake, startHttpFake } from '../../support/fakes/http-fake.ts';
import { withSettings } from '../../support/workers.ts';

type Entry = {
  DetailType: string;
  Detail: string;
  Source: string;
  EventBusName: string;
  Resources: string[];
};

const requests: Entry[][] = [];
/** Details that the bus throttles. */
const throttled = new Set<string>();
let server: HttpFake;
beforeAll(async () => {
  server = await startHttpFake(({ headers, body }) => {
    expect(headers['x-amz-target']).toBe('AWSEvents.PutEvents');
    const { Entries: entries }: { Entries: Entry[] } = JSON.parse(body.toString('utf8'));
    requests.push(entries);
    const results = entries.map(({ Detail }) =>
      throttled.has(Detail) ? { ErrorCode: 'ThrottlingException', ErrorMessage: 'slow' } : { EventId: 'e' },
    );
    return {
      status: 200,
      body: { FailedEntryCount: results.filter(({ ErrorCode }) => ErrorCode).length, Entries: results },
    };
  });
});
afterAll(() => server.close());
beforeEach(() => {
  requests.length = 0;
  throttled.clear();
});

const eventOf = (detail: object) => ({
  detailType: 'EMAIL_DELIVERED',
  resources: ['account/a', 'environment/e'],
  detail: JSON.stringify(detail),
  atMs: Date.UTC(2026, 10, 22),
});
const put = (...details: object[]) =>
  withSettings(
    {
      AWS_ENDPOINT_URL_EVENTBRIDGE: server.url,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      EVENT_BUS: 'orders',
      EVENT_SOURCE: 'notifications.prod',
    },
    () => createEventBridge().put(details.map(eventOf)),
  );

it('publishes ten events per request, with name, source and owner', async () => {
  const details = Array.from({ length: 23 }, (_, id) => ({ id }));
  expect(await put(...details)).toEqual([]);
  expect(requests.map((each) => each.length).sort()).toEqual([10, 10, 3]);
  const entries = requests.flat();
  expect(entries.map(({ Detail }) => JSON.parse(Detail).id).sort((a, b) => a - b)).toEqual(
    details.map(({ id }) => id),
  );
  expect(entries[0]).toMatchObject({
    EventBusName: 'orders',
    Source: 'notifications.prod',
    DetailType: 'EMAIL_DELIVERED',
    Resources: ['account/a', 'environment/e'],
    Time: Date.UTC(2026, 10, 22) / 1000,
  });
});

it('returns the events that the bus did not accept', async () => {
  for (const id of [3, 14]) throttled.add(JSON.stringify({ id }));
  const refused = await put(...Array.from({ length: 20 }, (_, id) => ({ id })));
  expect(refused.sort((a, b) => a - b)).toEqual([3, 14]);
});

it('sends no more bytes per request than EventBridge accepts', async () => {
  await put(...Array.from({ length: 5 }, (_, id) => ({ id, text: 'ü'.repeat(50_000) })));
  expect(requests.map((each) => each.length).sort()).toEqual([1, 2, 2]);
  for (const entries of requests)
    expect(entries.reduce((sum, { Detail }) => sum + Buffer.byteLength(Detail), 0)).toBeLessThan(256 * 1024);
});
