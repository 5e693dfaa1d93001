import { Webhook } from 'svix';
import { expect, it } from 'vitest';
import {
  accountWithWebhook,
  app,
  opened,
  receiver,
  useWebhooks,
} from '../functions/workers/webhooks/call-setup.ts';
import { deliverCalls } from '../functions/workers/webhooks/receiver.ts';

useWebhooks();

it('accepts the signature of a webhook call under its own names of the headers', async () => {
  const { account, secret } = await accountWithWebhook();
  app.clock.nowMs = Date.now();
  const { messages } = await opened(account);
  await deliverCalls(app, messages);
  const { headers = {}, body = '' } = receiver.received[0] ?? {};
  const named = Object.entries(headers).map(([name, value]) => [name.replace('webhook-', 'svix-'), value]);
  const svix = Object.fromEntries(named);
  expect(() => new Webhook(secret).verify(body, svix)).not.toThrow();
  expect(() => new Webhook(secret).verify(`${body} `, svix)).toThrow();
});
