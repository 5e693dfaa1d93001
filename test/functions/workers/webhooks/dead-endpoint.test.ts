import { expect, it } from 'vitest';
import { handler as saveWebhook } from '../../../../functions/webhooks/save-event-webhook.ts';
import { handler as testWebhook } from '../../../../functions/webhooks/test-event-webhook.ts';
import { handler as callWebhooks } from '../../../../functions/workers/webhooks/call-webhooks.ts';
import { webhooks } from '../../../../shared/database/entities/webhooks.ts';
import type { GuardedAnswer } from '../../../../shared/http-client/guarded-client.ts';
import { guardedClient } from '../../../../shared/providers/http-clients.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { call, createTestAccount } from '../../../support/app.ts';
import { useApp } from '../../../support/use-app.ts';
import { deliver } from '../../../support/workers.ts';
import { takeMessages } from './receiver.ts';

const app = useApp();

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
  const hanging = Promise.withResolvers<GuardedAnswer>();
  const reached = Promise.withResolvers<void>();
  const answered: GuardedAnswer = {
    kind: 'answer',
    status: 200,
    headers: {},
    body: Buffer.alloc(0),
    truncated: false,
    durationMs: 1,
  };
  replace(guardedClient, () => ({
    async request({ url, timeoutMs }) {
      expect(timeoutMs).toBe(15_000);
      if (url.includes('dead')) return hanging.promise;
      reached.resolve();
      return answered;
    },
  }));
  const dead = await sampleCall('https://dead.example.com/');
  const live = await sampleCall('https://live.example.com/');
  const messages = [...dead.messages, ...live.messages, { body: 'no call' }];
  const batch = deliver(callWebhooks, ...messages.map(({ body }) => body));
  await reached.promise;
  expect(await resolve(webhooks).lastAttempts(dead.webhook)).toEqual([]);
  hanging.resolve({ kind: 'timeout' });
  expect(await batch).toEqual(['m2']);
  const outcomes = [dead, live].map((each) => resolve(webhooks).lastAttempts(each.webhook));
  expect(await Promise.all(outcomes)).toMatchObject([[{ status: 0, error: 'timeout' }], [{ status: 200 }]]);
});

it('makes at most ten concurrent calls to an endpoint that hangs, and postpones the others', async () => {
  const hanging = Promise.withResolvers<GuardedAnswer>();
  const urls: string[] = [];
  replace(guardedClient, () => ({
    async request({ url }) {
      urls.push(url);
      return url.includes('dead') ? hanging.promise : { kind: 'timeout' };
    },
  }));
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
