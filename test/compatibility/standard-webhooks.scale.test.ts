import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { newWebhookSecret, signWebhook } from '../../shared/tokens/webhook-signature.ts';
import { Webhook as OwnWebhook } from '../support/webhook.ts';

const TEXTS = ['', '{"test": 2432232314}', 'Zażółć gęślą jaźń', '𝄞 👩‍👩‍👧', 'a\u0000b', 'x'.repeat(100_000)];

it.each(TEXTS)('signs as the library does, and so do our tests: %j', (body) => {
  const secret = newWebhookSecret();
  const atMs = Date.parse('2026-11-21T08:30:00.000Z');
  const theirs = new Webhook(secret).sign('msg_1', new Date(atMs), body);
  expect(signWebhook([secret], 'msg_1', atMs, body)['webhook-signature']).toBe(theirs);
  expect(new OwnWebhook(secret).sign('msg_1', new Date(atMs), body)).toBe(theirs);
});
