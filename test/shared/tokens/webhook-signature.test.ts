import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { newWebhookSecret, signWebhook } from '../../../shared/tokens/webhook-signature.ts';

it('signs as the example of Standard Webhooks', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
  expect(signWebhook([secret], id, 1614265330_900, '{"test": 2432232314}')).toEqual({
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

it('signs any text by any of its secrets as the library does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (body) => {
      const secret = newWebhookSecret();
      const atMs = Date.parse('2026-11-21T08:30:00.000Z');
      const own = signWebhook([secret], 'msg_1', atMs, body)['webhook-signature'];
      expect(own).toBe(new Webhook(secret).sign('msg_1', new Date(atMs), body));
    }),
  );
});
