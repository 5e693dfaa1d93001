import { describe, expect, it } from 'vitest';
import { handler as deleteWebhook } from '../../../../functions/webhooks/delete-event-webhook.ts';
import { handler as testWebhook } from '../../../../functions/webhooks/test-event-webhook.ts';
import { handler as makeReady } from '../../../../functions/workers/due/make-ready.ts';
import { findLostMessages, lostDependencies } from '../../../../functions/workers/redrive/lost.ts';
import { logs, ownerOf } from '../../../../shared/database/entities/logs/logs.ts';
import { webhookCallKey } from '../../../../shared/database/keys/environment.ts';
import { eventKey, headKey } from '../../../../shared/database/keys/log.ts';
import { WEBHOOK_QUEUE } from '../../../../shared/messaging/queue-names.ts';
import { type Resolved, resolve, resolveAll } from '../../../../shared/runtime/dependency.ts';
import { call, createTestAccount, type TestAccount } from '../../../support/app.ts';
import { useStarted } from '../../../support/use-started.ts';
import { Webhook } from '../../../support/webhook.ts';
import { deliver, recordOf, withSettings } from '../../../support/workers.ts';
import { accept, accountWithWebhook, app, attemptsOf, opened, receiver, useWebhooks } from './call-setup.ts';
import { deliverCalls, dispatchItem, takeMessages } from './receiver.ts';

useWebhooks();
const account = useStarted(async () => (await accountWithWebhook()).account, 'test');

type Lost = Resolved<typeof lostDependencies>;

async function outcomeOf(account: TestAccount, trackingId: string) {
  return JSON.parse((await recordOf(account, trackingId)).email_opened_webhook_res);
}

/** Makes the waiting call of a message ready; returns the messages that result. */
async function becomeDue(id: string) {
  expect(await deliver(makeReady, { pk: webhookCallKey(id).pk, dueAtMs: 0 })).toEqual([]);
  return takeMessages(app);
}

describe('a webhook call', () => {
  it('carries the event with a signature that the Standard Webhooks library accepts', async () => {
    const { account, secret } = await accountWithWebhook();
    app.clock.nowMs = Date.now();
    const { trackingId, messages } = await opened(account);
    await deliverCalls(app, messages);
    expect(receiver.received).toHaveLength(1);
    const { headers = {}, body = '' } = receiver.received[0] ?? {};
    const fields = {
      eventType: 'EMAIL_OPEN',
      channel: 'EMAIL',
      userId: 'ada',
      notificationId: 'welcome',
      trackingId,
    };
    expect(new Webhook(secret).verify(body, headers)).toEqual({
      ...fields,
      id: headers['webhook-id'],
      type: 'EMAIL_OPEN',
      timestamp: new Date(app.clock.nowMs).toISOString(),
      data: fields,
    });
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    expect(headers['content-type']).toBe('application/json');
    expect(headers['webhook-id']).not.toContain('.');
  });

  it('records its outcome in the log and in the attempts', async () => {
    receiver.replies.push({ status: 202 });
    const { trackingId, messages } = await opened(account);
    expect(await deliverCalls(app, messages)).toEqual([]);
    const at = new Date(app.clock.nowMs).toISOString();
    const outcome = { status: 202, at, attempt: 1, ms: expect.any(Number) };
    expect(await outcomeOf(account, trackingId)).toEqual(outcome);
    expect(await attemptsOf(account)).toEqual([
      { ...outcome, eventType: 'EMAIL_OPEN', webhookMessageId: receiver.received[0]?.headers['webhook-id'] },
    ]);
  });

  it('leaves a record even without a field for it, so redrive does not repeat it', async () => {
    const trackingId = await accept(account);
    const head = await resolve(logs).findHead(trackingId, app.clock.nowMs);
    if (!head) throw new Error('not accepted');
    const fields = { sms_failed_code: '30006' } as const;
    const event = { channel: 'SMS', stage: 'failed', atMs: app.clock.nowMs, fields } as const;
    await resolve(logs).append(trackingId, ownerOf(head), event);
    const accepted = await dispatchItem(app, headKey(trackingId));
    const messages = [...accepted, ...(await dispatchItem(app, eventKey(trackingId, 'SMS', 'failed')))];
    const laterMs = app.clock.nowMs + 3_600_000;
    const lostCalls = async () => {
      const lost = await findLostMessages(resolveAll<Lost>(lostDependencies), trackingId, laterMs);
      return lost.filter(({ queue }) => queue === WEBHOOK_QUEUE);
    };
    expect(await lostCalls()).toHaveLength(2);
    await deliverCalls(app, messages);
    expect(await lostCalls()).toEqual([]);
  });

  it("also reaches the deployment's event bus, whether or not a webhook wants it", async () => {
    app.sent.delete('publish-events');
    await opened(await createTestAccount(app));
    expect(app.sent.get('publish-events')).toBeUndefined();
    await withSettings({ EVENT_BUS: 'orders' }, async () => {
      const { account } = await accountWithWebhook();
      const { messages } = await opened(account);
      await opened(await createTestAccount(app));
      const [wanted, unwanted, ...more] = app.sent.get('publish-events') ?? [];
      expect(JSON.parse(wanted?.body ?? '{}')).toEqual(JSON.parse(messages[0]?.body ?? ''));
      expect(JSON.parse(unwanted?.body ?? '{}')).toMatchObject({ eventType: 'EMAIL_OPEN' });
      expect(more).toEqual([]);
    });
  });

  it('does not repeat for the events of its outcome', async () => {
    const { trackingId, messages } = await opened(account);
    await deliverCalls(app, messages);
    const stored = await app.database.queryAll(`LOG#${trackingId}`, 'EVENT#email#webhook#');
    expect(stored).toHaveLength(1);
    const key = { pk: `LOG#${trackingId}`, sk: String(stored[0]?.sk) };
    expect(await dispatchItem(app, key)).toEqual([]);
  });

  it.each([
    ['an error', { status: 500 }],
    ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example/' } }],
    ['a request it should not repeat', { status: 400 }],
  ])('repeats with the same ID after about five seconds when the response is %s', async (_, reply) => {
    receiver.replies.push(reply);
    const { trackingId, messages } = await opened(account);
    const [next] = await deliverCalls(app, messages);
    expect(next?.delaySeconds).toBeGreaterThanOrEqual(4);
    expect(next?.delaySeconds).toBeLessThanOrEqual(6);
    expect(await outcomeOf(account, trackingId)).toMatchObject({ status: reply.status, attempt: 1 });
    app.clock.nowMs += 5000;
    expect(await deliverCalls(app, next ? [next] : [])).toEqual([]);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(await outcomeOf(account, trackingId)).toMatchObject({ status: 200, attempt: 2 });
    const statuses = (await attemptsOf(account)).map((each: { status: number }) => each.status);
    expect(statuses).toEqual([200, reply.status]);
  });

  it('fails for an address that is not public', async () => {
    const { account } = await accountWithWebhook('https://hooks.example.com/');
    const { messages } = await opened(account);
    expect(await deliverCalls(app, messages)).toHaveLength(1);
    expect(await attemptsOf(account)).toMatchObject([{ status: 0, error: 'refused address' }]);
  });

  it('waits as long as the receiver asks, in the table when that is long', async () => {
    receiver.replies.push({ status: 429, headers: { 'retry-after': '3600' } });
    const { messages } = await opened(account);
    expect(await deliverCalls(app, messages)).toEqual([]);
    const id = receiver.received[0]?.headers['webhook-id'] ?? '';
    app.clock.nowMs += 3599_000;
    expect(await becomeDue(id)).toEqual([]);
    app.clock.nowMs += 2000;
    const both = await Promise.all([becomeDue(id), becomeDue(id)]);
    const due = both.flat();
    expect(due).toHaveLength(1);
    expect(await deliverCalls(app, due)).toEqual([]);
    expect(receiver.received).toHaveLength(2);
    expect(await app.database.get(webhookCallKey(id))).toBeUndefined();
    expect(await deliverCalls(app, due)).toEqual([]);
    expect(receiver.received).toHaveLength(2);
  });

  it('becomes due again when it was claimed and lost', async () => {
    receiver.replies.push({ status: 503, headers: { 'retry-after': '3600' } });
    const { messages } = await opened(account);
    await deliverCalls(app, messages);
    const id = receiver.received[0]?.headers['webhook-id'] ?? '';
    app.clock.nowMs += 3601_000;
    expect(await becomeDue(id)).toHaveLength(1);
    expect(await becomeDue(id)).toHaveLength(0);
    app.clock.nowMs += 601_000;
    expect(await becomeDue(id)).toHaveLength(1);
  });

  it('stops after ten attempts over three days', async () => {
    const startedAtMs = app.clock.nowMs;
    const { trackingId, messages } = await opened(account);
    let next = messages;
    let made = 0;
    for (; next.length > 0; made += 1) {
      receiver.replies.push({ status: 500 });
      const [queued] = await deliverCalls(app, next);
      const id = receiver.received[0]?.headers['webhook-id'] ?? '';
      const item = await app.database.get(webhookCallKey(id), { consistent: true });
      if (queued) app.clock.nowMs += 1000 * (queued.delaySeconds ?? 0);
      else if (item) app.clock.nowMs = Number(item.dueAtMs);
      next = queued ? [queued] : item ? await becomeDue(id) : [];
    }
    expect(made).toBe(10);
    expect(receiver.received).toHaveLength(10);
    const hours = (app.clock.nowMs - startedAtMs) / 3_600_000;
    expect(hours).toBeGreaterThan(75.5 * 0.8);
    expect(hours).toBeLessThan(75.6 * 1.2);
    expect(await outcomeOf(account, trackingId)).toMatchObject({ status: 500, attempt: 10 });
    expect(await attemptsOf(account)).toHaveLength(10);
  });

  it('ends when the webhook was deleted in the meantime', async () => {
    const { messages } = await opened(account);
    await call(deleteWebhook, { key: account.secret.key });
    expect(await deliverCalls(app, messages)).toEqual([]);
    expect(receiver.received).toEqual([]);
  });

  it('runs once for a sample event, without a log', async () => {
    const { json } = await call(testWebhook, { key: account.secret.key, body: { eventType: 'CHAT_FAILED' } });
    receiver.replies.push({ status: 500 });
    expect(await deliverCalls(app, takeMessages(app))).toEqual([]);
    expect(receiver.received[0]?.headers['webhook-id']).toBe(json.webhookMessageId);
    expect(await attemptsOf(account)).toMatchObject([{ status: 500, eventType: 'CHAT_FAILED' }]);
  });
});
