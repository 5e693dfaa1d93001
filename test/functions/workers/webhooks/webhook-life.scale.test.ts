import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as getWebhook } from '../../../../functions/webhooks/get-event-webhook.ts';
import { handler as saveWebhook } from '../../../../functions/webhooks/save-event-webhook.ts';
import { call, createTestAccount, type TestAccount } from '../../../support/app.ts';
import { createPipeline, type Pipeline } from '../../../support/pipeline.ts';
import { Webhook } from '../../../support/webhook.ts';
import { recordOf } from '../../../support/workers.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let pipeline: Pipeline;
let receiver: Receiver;
let account: TestAccount;
beforeAll(async () => {
  receiver = await startReceiver();
  process.env.EGRESS_ALLOW_HOSTS = receiver.host;
  pipeline = await createPipeline();
});
afterAll(async () => {
  await pipeline.stop();
  await receiver.close();
  delete process.env.EGRESS_ALLOW_HOSTS;
});
beforeEach(async () => {
  account = await createTestAccount(pipeline);
  receiver.received.splice(0);
  receiver.replies.splice(0);
  pipeline.outbox.splice(0);
});

const save = (more = {}) =>
  call(saveWebhook, {
    key: account.secret.key,
    body: { webhook: `${receiver.url}?token=hidden`, events: ['EMAIL_DELIVERED'], ...more },
  });
const webhook = async () => (await call(getWebhook, { key: account.secret.key })).json;
const failing = (status = 500) => receiver.replies.push(...Array.from({ length: 30 }, () => ({ status })));
const emails = () =>
  pipeline.outbox
    .filter(({ to }) => to.includes(account.admin.email))
    .map(({ message }) => message as { subject: string; html: string });

async function deliverMail(): Promise<string> {
  const to = { id: 'ada', email: 'ada@example.com' };
  const body = { type: 'welcome', to, email: { subject: 's', html: 'h' } };
  const { json } = await call(send, { key: account.secret.key, body });
  await pipeline.settle();
  await pipeline.goTo(pipeline.clock.nowMs + 2000);
  return json.trackingId;
}

async function goOn(ms: number): Promise<void> {
  const untilMs = pipeline.clock.nowMs + ms;
  while (pipeline.clock.nowMs < untilMs) await pipeline.goTo(pipeline.clock.nowMs + HOUR_MS);
}

describe('a receiver that fails', () => {
  it('gets the event under the same ID once it works again after a day, and nobody is emailed', async () => {
    await save();
    failing();
    const trackingId = await deliverMail();
    await goOn(DAY_MS);
    const tries = receiver.received.length;
    expect(tries).toBeGreaterThanOrEqual(5);
    receiver.replies.splice(0);
    await goOn(DAY_MS);
    expect(receiver.received).toHaveLength(tries + 1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(emails()).toEqual([]);
    const log = await recordOf(account, trackingId);
    expect(JSON.parse(log.email_delivered_webhook_res)).toMatchObject({
      status: 200,
      attempt: tries + 1,
    });
  });

  it('leads to an email to its administrators, once until it responds again', async () => {
    await save();
    failing();
    await deliverMail();
    await deliverMail();
    await goOn(4.5 * DAY_MS);
    expect(receiver.received).toHaveLength(20);
    expect(emails()).toMatchObject([{ subject: 'Your webhook does not respond' }]);
    expect(emails()[0]?.html).toContain(receiver.url);
    expect(emails()[0]?.html).not.toContain('hidden');
    expect((await webhook()).disabled).toBe(false);
  });

  it('stays off after 410, and its administrators are emailed once', async () => {
    await save();
    failing(410);
    await deliverMail();
    await deliverMail();
    expect(receiver.received).toHaveLength(1);
    expect(emails()).toMatchObject([{ subject: 'Your webhook was disabled' }]);
    expect(await webhook()).toMatchObject({ disabled: true, disabledReason: 'gone' });
  });
});

describe('the webhook secret', () => {
  /** Which of the secrets sign the last call. The clock is days ahead of the clock that `verify` reads. */
  const signers = (...secrets: string[]): string[] => {
    const { headers = {}, body = '' } = receiver.received.at(-1) ?? {};
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000);
    const signatures = headers['webhook-signature']?.split(' ');
    return secrets.filter((secret) =>
      signatures?.includes(new Webhook(secret).sign(headers['webhook-id'] ?? '', sentAt, body)),
    );
  };

  it('changes with rotateSecret, and calls are signed with the former one too for a day', async () => {
    const { secret: former, webhookId } = (await save()).json;
    const saved = (await save({ rotateSecret: true })).json;
    expect(saved).toMatchObject({ webhookId, events: ['EMAIL_DELIVERED'] });
    expect(saved.secret).not.toBe(former);
    expect(await webhook()).toMatchObject({
      secret: saved.secret,
      formerSecretUntil: new Date(pipeline.clock.nowMs + DAY_MS).toISOString(),
    });
    await deliverMail();
    expect(signers(former, saved.secret)).toEqual([former, saved.secret]);
    expect((await save()).json.secret).toBe(saved.secret);
    await pipeline.goTo(pipeline.clock.nowMs + DAY_MS);
    expect(await webhook()).not.toHaveProperty('formerSecretUntil');
    await deliverMail();
    expect(signers(former, saved.secret)).toEqual([saved.secret]);
    expect(receiver.received.at(-1)?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  });

  it('starts with the first one of a new webhook', async () => {
    const { json, status } = await save({ rotateSecret: true });
    expect(status).toBe(200);
    expect((await webhook()).secret).toBe(json.secret);
    expect((await save({ rotateSecret: 'yes' })).status).toBe(400);
  });
});
