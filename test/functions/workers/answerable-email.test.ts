import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answerableEmail } from '../../../functions/workers/delivery/answerable-email.ts';
import type { DeliveryOutcome, EmailDelivery } from '../../../shared/channels/channel.ts';
import { messageIds } from '../../../shared/database/entities/message-ids.ts';
import { replace, resolve } from '../../../shared/deps/dependency.ts';
import { emailProvider } from '../../../shared/deps/providers/email.ts';
import { newTrackingId } from '../../../shared/ids.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
beforeEach(() => {
  process.env.EMAIL_PROVIDER = 'ses';
  process.env.MAIL_DOMAIN = 'mail.example.net';
});
afterEach(() => {
  delete process.env.EMAIL_PROVIDER;
  delete process.env.MAIL_DOMAIN;
});

let count = 0;
/** What is known of the provider's number after a delivery with this outcome. */
async function deliver(outcomeOf: (messageId: string) => DeliveryOutcome<'EMAIL'>) {
  count += 1;
  const messageId = `0102019${count}-5e7f-000000`;
  const outcome = outcomeOf(messageId);
  replace(emailProvider, () => ({ name: 'ses', deliver: async () => outcome }));
  const delivery: EmailDelivery = {
    trackingId: newTrackingId(app.clock.nowMs),
    accountId: 'a',
    environmentId: 'e',
    notificationId: 'n',
    userId: 'u',
    attempt: 1,
    to: 'ada@example.com',
    from: { address: 'help@example.org' },
    subject: 'Hello',
    html: '<p>Hello</p>',
    text: 'Hello',
    replyToAddresses: [],
    ccAddresses: [],
    bccAddresses: [],
    attachments: [],
    headers: [],
    expiresAtSeconds: app.clock.nowMs / 1000 + 60,
  };
  expect(await resolve(answerableEmail).deliver(delivery)).toBe(outcome);
  const found = (nowMs: number) => resolve(messageIds).findTrackingId('ses', messageId, nowMs);
  return { trackingId: delivery.trackingId, found };
}

const sent = (messageId: string): DeliveryOutcome<'EMAIL'> => ({
  kind: 'sent',
  fields: { email_sent_message_id: messageId },
});

describe('the number of a sent message', () => {
  it('leads to its notification until the log ends', async () => {
    const { trackingId, found } = await deliver(sent);
    expect(await found(app.clock.nowMs)).toBe(trackingId);
    expect(await found(app.clock.nowMs + 60_000)).toBeUndefined();
  });

  it.each([
    ['for a provider that lets us number messages', { EMAIL_PROVIDER: 'smtp' }],
    ['where no mail comes in', { MAIL_DOMAIN: '' }],
  ])('is not kept %s', async (_, settings) => {
    Object.assign(process.env, settings);
    const { found } = await deliver(sent);
    expect(await found(app.clock.nowMs)).toBeUndefined();
  });

  it('is not kept of a message that was not sent', async () => {
    const { found } = await deliver(() => ({ kind: 'retry', code: 'UNDETERMINED_BOUNCE', internal: 'down' }));
    expect(await found(app.clock.nowMs)).toBeUndefined();
  });

  it('that cannot be kept does not have the message sent again', async () => {
    replace(messageIds, () => ({
      remember: async () => {
        throw new Error('the table is down');
      },
      findTrackingId: async () => undefined,
    }));
    await deliver(sent);
  });
});
