import { describe, expect, it } from 'vitest';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as getWebhook } from '../../../../functions/webhooks/get-event-webhook.ts';
import { handler as saveWebhook } from '../../../../functions/webhooks/save-event-webhook.ts';
import { handler as testWebhook } from '../../../../functions/webhooks/test-event-webhook.ts';
import { headKey } from '../../../../shared/database/keys/log.ts';
import { call, createTestAccount } from '../../../support/app.ts';
import { accountWithWebhook, app, attemptsOf, opened, receiver, useWebhooks } from './call-setup.ts';
import { deliverCalls, dispatchItem, takeMessages } from './receiver.ts';

useWebhooks();

describe('a webhook', () => {
  it('stops after a 410 response until it is saved again', async () => {
    const { account } = await accountWithWebhook();
    receiver.replies.push({ status: 410 });
    const { messages } = await opened(account);
    expect(await deliverCalls(app, messages)).toEqual([]);
    const { json } = await call(getWebhook, { key: account.secret.key });
    expect(json).toMatchObject({ disabled: true, disabledReason: 'gone' });
    expect((await opened(account)).messages).toEqual([]);
    const body = { webhook: receiver.url, events: ['EMAIL_OPEN'] };
    await call(saveWebhook, { key: account.secret.key, body });
    expect((await opened(account)).messages).toHaveLength(1);
  });

  it('stops after failing for five days, unless one call succeeds in between', async () => {
    const { account } = await accountWithWebhook();
    const failAt = async (status: number, daysLater: number) => {
      app.clock.nowMs += daysLater * 86_400_000;
      receiver.replies.push({ status });
      await deliverCalls(app, (await opened(account)).messages);
      return (await call(getWebhook, { key: account.secret.key })).json.disabledReason;
    };
    expect(await failAt(500, 0)).toBeUndefined();
    expect(await failAt(200, 3)).toBeUndefined();
    expect(await failAt(500, 3)).toBeUndefined();
    expect(await failAt(500, 4.9)).toBeUndefined();
    expect(await failAt(500, 0.2)).toBe('failing');
  });

  it('gets only its events, and unused events cost nothing', async () => {
    const { account } = await accountWithWebhook(receiver.url, ['EMAIL_CLICK']);
    expect((await opened(account)).messages).toEqual([]);
    expect((await opened(await createTestAccount(app))).messages).toEqual([]);
  });

  it('shows its last 20 attempts, newest first', async () => {
    const { account } = await accountWithWebhook();
    for (let index = 0; index < 22; index += 1) {
      app.clock.nowMs += 1000;
      await call(testWebhook, { key: account.secret.key, body: {} });
      await deliverCalls(app, takeMessages(app));
    }
    const attempts: { at: string }[] = await attemptsOf(account);
    expect(attempts).toHaveLength(20);
    expect(attempts[0]?.at).toBe(new Date(app.clock.nowMs).toISOString());
    expect(attempts).toEqual(attempts.toSorted((left, right) => (left.at < right.at ? 1 : -1)));
  });

  it('hears of a channel that fails at acceptance', async () => {
    const { account } = await accountWithWebhook();
    const body = { type: 'welcome', to: { id: 'eve' }, email: { subject: 's', html: 'h' } };
    const { json } = await call(send, { key: account.secret.key, body });
    const messages = await dispatchItem(app, headKey(json.trackingId));
    expect(messages.map(({ body }) => JSON.parse(JSON.parse(body).body))).toMatchObject([
      { eventType: 'NOTIFICATION_ACCEPTED', userId: 'eve' },
      { eventType: 'EMAIL_FAILED', userId: 'eve', failureCode: 'MISSING_EMAIL_RECIPIENT' },
      { eventType: 'NOTIFICATION_NOT_SENT', userId: 'eve', reason: 'NO_ADDRESS' },
    ]);
  });
});
