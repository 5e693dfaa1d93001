import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as saveWebhook } from '../../../../functions/webhooks/save-event-webhook.ts';
import { handler as testWebhook } from '../../../../functions/webhooks/test-event-webhook.ts';
import { handler as callWebhooks } from '../../../../functions/workers/webhooks/call-webhooks.ts';
import { webhookHistory } from '../../../../shared/database/entities/webhooks/webhook-history.ts';
import { webhooks } from '../../../../shared/database/entities/webhooks/webhooks.ts';
import { WEBHOOK_ATTEMPT_SHARDS, webhookAttemptsPk } from '../../../../shared/database/keys/environment.ts';
import type { GuardedResponse } from '../../../../shared/http-client/guarded-client.ts';
import { guardedClient } from '../../../../shared/providers/clients/http-clients.ts';
import { webhookClient } from '../../../../shared/providers/clients/webhook-client.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { WebhookCall } from '../../../../shared/schemas/logs/webhook.ts';
import { call, createTestAccount } from '../../../support/app.ts';
import { useApp } from '../../../support/use-app.ts';
import { deliver } from '../../../support/workers.ts';
import { takeMessages } from './receiver.ts';

const app = useApp();

const answered = (status: number): GuardedResponse => ({
  kind: 'response',
  status,
  headers: {},
  body: Buffer.alloc(0),
  truncated: false,
  durationMs: 1,
});

/** Responses of endpoints, as a process that has called none of them gets them. */
function useEndpoints(request: (url: string) => GuardedResponse | Promise<GuardedResponse>) {
  replace(guardedClient, () => ({
    async request({ url, timeoutMs }) {
      expect(timeoutMs).toBe(15_000);
      return request(url);
    },
  }));
  replace(webhookClient, webhookClient.create);
}

async function sampleCall(url: string) {
  const account = await createTestAccount(app);
  const key = account.secret.key;
  await call(saveWebhook, { key, body: { webhook: url, events: ['EMAIL_OPEN'] } });
  await call(testWebhook, { key, body: {} });
  const webhook = await resolve(webhooks).find({ ...account.environment });
  if (!webhook) throw new Error('the webhook was not saved');
  return { webhook, messages: takeMessages(app) };
}

it('delays no other call of a batch with an endpoint that hangs, and keeps no message', async () => {
  const hanging = Promise.withResolvers<GuardedResponse>();
  const reached = Promise.withResolvers<void>();
  useEndpoints((url) => {
    if (url.includes('dead')) return hanging.promise;
    reached.resolve();
    return answered(200);
  });
  const dead = await sampleCall('https://dead.example.com/');
  const live = await sampleCall('https://live.example.com/');
  const messages = [...dead.messages, ...live.messages, { body: 'no call' }];
  const batch = deliver(callWebhooks, ...messages.map(({ body }) => body));
  await reached.promise;
  expect(await resolve(webhookHistory).lastAttempts(dead.webhook)).toEqual([]);
  hanging.resolve({ kind: 'timeout' });
  expect(await batch).toEqual(['m2']);
  const outcomes = [dead, live].map((each) => resolve(webhookHistory).lastAttempts(each.webhook));
  expect(await Promise.all(outcomes)).toMatchObject([[{ status: 0, error: 'timeout' }], [{ status: 200 }]]);
});

it('makes at most ten concurrent calls to an endpoint that hangs, and postpones the others', async () => {
  const hanging = Promise.withResolvers<GuardedResponse>();
  const urls: string[] = [];
  useEndpoints((url) => {
    urls.push(url);
    return url.includes('dead') ? hanging.promise : { kind: 'timeout' };
  });
  const dead = await sampleCall('https://dead.example.com/');
  const live = await sampleCall('https://live.example.com/');
  const [body = ''] = dead.messages.map((message) => message.body);
  const batchOf = (bodies: string[]) => deliver(callWebhooks, ...bodies);
  const ten = Array.from({ length: 10 }, () => body);
  const first = batchOf(ten);
  await expect.poll(() => urls).toHaveLength(10);
  expect(await batchOf([...ten.slice(1), ...live.messages.map((message) => message.body)])).toEqual([]);
  expect(urls.filter((url) => url.includes('dead'))).toHaveLength(10);
  expect(urls.filter((url) => url.includes('live'))).toHaveLength(1);
  const later = takeMessages(app);
  expect(later.map((message) => message.body)).toEqual(ten.slice(1));
  for (const { delaySeconds } of later) expect(delaySeconds).toBeGreaterThanOrEqual(5);
  hanging.resolve({ kind: 'timeout' });
  await first;
  await batchOf([body]);
  expect(urls.filter((url) => url.includes('dead'))).toHaveLength(11);
});

/** `count` calls of events, as dispatch enqueues them, to the webhook at `url`. */
async function eventCalls(url: string, count: number) {
  const { webhook, messages } = await sampleCall(url);
  const sample = v.parse(WebhookCall, JSON.parse(messages[0]?.body ?? ''));
  const calls = Array.from({ length: count }, (_, index): WebhookCall => {
    const trackingId = `${webhook.webhookId}-${index}`;
    const named = { trackingId, userId: 'ada', notificationId: 'welcome', expiresAtSeconds: 4_000_000_000 };
    const log = { ...named, prefix: 'email', stage: 'opened' } as const;
    return { ...sample, id: `${sample.id}-${index}`, attempt: 1, attemptsMax: 10, log };
  });
  return { webhook, bodies: calls.map((call) => JSON.stringify(call)) };
}

describe('a webhook that hangs', () => {
  const tried: string[] = [];
  let responseOfDead: () => GuardedResponse;
  beforeEach(() => {
    tried.splice(0);
    responseOfDead = () => ({ kind: 'timeout' });
    useEndpoints((url) => {
      tried.push(url);
      return url.includes('dead') ? responseOfDead() : answered(200);
    });
    takeMessages(app);
    app.sent.delete('follow-up');
  });
  const inBatches = async (bodies: readonly string[]) => {
    for (let from = 0; from < bodies.length; from += 10) {
      expect(await deliver(callWebhooks, ...bodies.slice(from, from + 10))).toEqual([]);
      // The next batch is another function's: it knows only what is stored.
      replace(webhookClient, webhookClient.create);
    }
  };

  it('takes the time of one batch, whichever function gets the next ones, and nothing of the others', async () => {
    const dead = await eventCalls('https://dead.example.com/', 30);
    const live = await eventCalls('https://live.example.com/', 30);
    await inBatches(dead.bodies.flatMap((body, index) => [body, live.bodies[index] ?? '']));
    expect(tried.filter((url) => url.includes('dead'))).toHaveLength(5);
    expect(tried.filter((url) => url.includes('live'))).toHaveLength(30);
    const next = takeMessages(app);
    expect(next).toHaveLength(30);
    // All come after the rest ends, so that it costs no attempt.
    for (const { delaySeconds = 0 } of next.slice(5)) expect(delaySeconds).toBeGreaterThanOrEqual(15);
  });

  it.each([
    ['stays silent', 1, { kind: 'timeout' }],
    ['refuses connections', 1, { kind: 'unreachable', reason: 'ECONNREFUSED' }],
    ['responds again', 10, answered(200)],
    ['responds again, if only with errors', 10, answered(500)],
  ] as const)(
    'is tried once after its rest, and rests for twice as long or no more, when it %s',
    async (...[, calls, response]) => {
      const dead = await eventCalls('https://dead.example.com/', 30);
      await inBatches(dead.bodies.slice(0, 10));
      tried.splice(0);
      app.clock.nowMs += 15_000;
      responseOfDead = () => response;
      await deliver(callWebhooks, dead.bodies[10] ?? '');
      await inBatches(dead.bodies.slice(11, 20));
      expect(tried).toHaveLength(calls);
      app.clock.nowMs += 29_000;
      tried.splice(0);
      await inBatches(dead.bodies.slice(20));
      expect(tried).toHaveLength(calls === 1 ? 0 : 10);
    },
  );

  it('keeps ten attempts for each event, of which those during a rest make no call', async () => {
    const dead = await eventCalls('https://dead.example.com/', 4);
    await inBatches(dead.bodies.slice(0, 3));
    const [body = ''] = dead.bodies.slice(3);
    tried.splice(0);
    takeMessages(app);
    await inBatches([JSON.stringify({ ...JSON.parse(body), attempt: 10 })]);
    expect(tried).toEqual([]);
    expect(takeMessages(app)).toEqual([]);
    const { trackingId } = JSON.parse(body).log;
    expect(await app.database.queryAll(`LOG#${trackingId}`, 'EVENT#email#webhook#')).toHaveLength(1);
  });

  it('is called by a sample event, whose success ends the rest', async () => {
    const dead = await eventCalls('https://dead.example.com/', 8);
    await inBatches(dead.bodies.slice(0, 5));
    responseOfDead = () => answered(200);
    const { log: _, ...sample } = JSON.parse(dead.bodies[5] ?? '');
    await inBatches([JSON.stringify({ ...sample, attemptsMax: 1 })]);
    tried.splice(0);
    await inBatches(dead.bodies.slice(6));
    expect(tried).toHaveLength(2);
  });

  it('is reported to the administrators once, after a day of rest', async () => {
    const dead = await eventCalls('https://dead.example.com/', 40);
    const notices = () => (app.sent.get('follow-up') ?? []).map((message) => JSON.parse(message.body));
    for (const body of dead.bodies.slice(0, 20)) {
      await inBatches([body]);
      app.clock.nowMs += 3_600_000;
    }
    expect(notices()).toEqual([]);
    for (const body of dead.bodies.slice(20, 30)) {
      await inBatches([body]);
      app.clock.nowMs += 3_600_000;
    }
    expect(notices()).toMatchObject([{ followUp: 'notice', warning: 'resting', url: dead.webhook.url }]);
  });

  it('has its last calls in many partitions, listed newest first', async () => {
    const live = await eventCalls('https://live.example.com/', 40);
    for (const body of live.bodies) {
      app.clock.nowMs += 1000;
      await inBatches([body]);
    }
    const { environmentId, webhookId } = live.webhook;
    const partitions = Array.from({ length: WEBHOOK_ATTEMPT_SHARDS }, (_, shard) =>
      app.database.queryAll(webhookAttemptsPk(environmentId, webhookId, shard), ''),
    );
    const counts = (await Promise.all(partitions)).map(({ length }) => length);
    expect(Math.max(...counts)).toBeLessThan(15);
    const shown = await resolve(webhookHistory).lastAttempts(live.webhook);
    const newest = live.bodies.map((body) => JSON.parse(body).id).reverse();
    expect(shown.map(({ webhookMessageId }) => webhookMessageId)).toEqual(newest.slice(0, 20));
  });
});
