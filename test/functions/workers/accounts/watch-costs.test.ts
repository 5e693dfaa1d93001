import { beforeEach, describe, expect, it } from 'vitest';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as saveWebhook } from '../../../../functions/webhooks/save-event-webhook.ts';
import { handler as watchCosts } from '../../../../functions/workers/accounts/watch-costs.ts';
import { environments } from '../../../../shared/database/entities/environments.ts';
import { logs } from '../../../../shared/database/entities/logs.ts';
import { usageCounters } from '../../../../shared/database/entities/usage-counters.ts';
import { webhooks } from '../../../../shared/database/entities/webhooks.ts';
import { webhookCallId } from '../../../../shared/domain/webhook-event.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../../shared/runtime/ids.ts';
import { metricsOutput } from '../../../../shared/runtime/metrics.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import { CHANNELS } from '../../../../shared/schemas/channel.ts';
import { call, createTestAccount, type TestAccount } from '../../../support/app.ts';
import { useApp } from '../../../support/use-app.ts';
import { recordOf, withSettings } from '../../../support/workers.ts';

const app = useApp();
const DAY_MS = 86_400_000;
let lines: string[] = [];
let sequence = 0;

beforeEach(() => {
  lines = [];
  replace(metricsOutput, () => (line) => void lines.push(line));
  app.clock.nowMs = Math.ceil(app.clock.nowMs / DAY_MS) * DAY_MS + DAY_MS / 2;
});

const watch = (settings: Record<string, string> = {}) =>
  withSettings({ METRICS_NAMESPACE: 'test', ...settings }, () => watchCosts({}));
const counted = (name: string) => lines.filter((line) => JSON.parse(line)[name] !== undefined).length;

/** Usage as the stream's consumer counts it. */
async function spend(
  { account: { accountId } }: TestAccount,
  { usd = 0, messages = 1, daysAgo = 0, channel = 'SMS' as Channel },
): Promise<void> {
  sequence += 1;
  const atMs = app.clock.nowMs - daysAgo * DAY_MS;
  const counts = { accountId, channel, count: messages, costUsd: usd, atMs };
  const sequenceNumber = String(sequence).padStart(21, '1');
  await resolve(usageCounters).count('shard-1', [{ ...counts, sequenceNumber }], app.clock.nowMs);
}

const disabledOf = async ({ account, environment }: TestAccount) =>
  (await resolve(environments).find(account.accountId, environment.environmentId))?.disableSending;

describe('the costs of a day', () => {
  it('stop the sending of the account that exceeds ten times the usual, and of no other', async () => {
    const [busy, usual] = [await createTestAccount(app), await createTestAccount(app)];
    for (const daysAgo of [1, 2, 3]) {
      await spend(busy, { usd: 20, daysAgo });
      await spend(usual, { usd: 20, daysAgo });
    }
    await spend(busy, { usd: 199 });
    await spend(usual, { usd: 199 });
    await watch();
    expect([await disabledOf(busy), counted('CostStop')]).toEqual([[], 0]);
    await spend(busy, { usd: 2 });
    app.clock.nowMs += 300_000;
    await watch();
    expect([await disabledOf(busy), await disabledOf(usual)]).toEqual([[...CHANNELS], []]);
    expect(counted('CostStop')).toBe(1);
    app.clock.nowMs += 4000;
    const body = { type: 't', to: { id: 'a', email: 'a@example.com' }, email: { subject: 's', html: 'h' } };
    const { json } = await call(send, { key: busy.secret.key, body });
    expect(json.messages.join()).toMatch(/EMAIL/);
    expect(await recordOf(busy, json.trackingId)).toMatchObject({ email_routing: 'IGNORE' });
  });

  it('stop an account once a day: who allows it again is not overruled', async () => {
    const account = await createTestAccount(app);
    const { accountId } = account.account;
    await spend(account, { usd: 150 });
    await watch();
    expect(await disabledOf(account)).toEqual([...CHANNELS]);
    await resolve(environments).update(accountId, account.environment.environmentId, { disableSending: [] });
    await spend(account, { usd: 150 });
    await watch();
    expect([await disabledOf(account), counted('CostStop')]).toEqual([[], 1]);
    app.clock.nowMs += DAY_MS;
    await spend(account, { usd: 4000 });
    await watch();
    expect([await disabledOf(account), counted('CostStop')]).toEqual([[...CHANNELS], 2]);
  });

  it('count email by its list price, and have no limit with a factor of 0', async () => {
    const account = await createTestAccount(app);
    await spend(account, { messages: 1_000_000, channel: 'EMAIL' });
    await watch({ DAY_COST_FACTOR: '0' });
    expect(await disabledOf(account)).toEqual([]);
    await watch();
    expect(await disabledOf(account)).toEqual([...CHANNELS]);
  });
});

/** Notifications of one type for one user, whose deliveries the webhook was called for. */
async function circle(account: TestAccount, { isCalled, users = 1 }: { isCalled: boolean; users?: number }) {
  const { accountId } = account.account;
  const { environmentId } = account.environment;
  const body = { webhook: 'https://hooks.example.com/loop', events: ['EMAIL_DELIVERED'] };
  const saved = await call(saveWebhook, { key: account.secret.key, body });
  expect(saved.status).toBe(200);
  const webhook = await resolve(webhooks).find({ accountId, environmentId });
  const expiresAtSeconds = Math.ceil(app.clock.nowMs / 1000) + DAY_MS / 1000;
  for (let index = 0; index < 40; index += 1) {
    const trackingId = newTrackingId(app.clock.nowMs + index);
    const head = {
      ...{ trackingId, accountId, environmentId, userId: `user-${index % users}`, notificationId: 'welcome' },
      ...{ state: 'accepted', receivedAtMs: app.clock.nowMs + index, routing: {}, messages: [], request: {} },
    } as const;
    await resolve(logs).accept(head as never, { feedShards: 1, expiresAtSeconds });
    const attempt = {
      webhookMessageId: webhookCallId(environmentId, trackingId, { prefix: 'email', stage: 'delivered' }),
      ...{ eventType: 'EMAIL_DELIVERED' as const, at: new Date(app.clock.nowMs + index).toISOString() },
      ...{ attempt: 1, status: 200, ms: 5 },
    } as const;
    const judged = { isLast: false, isStrike: false };
    if (webhook && isCalled)
      await resolve(webhooks).recordAttempt(webhook, attempt, app.clock.nowMs + index, judged);
  }
}

describe('a loop of a webhook and sends', () => {
  it.each([
    ['is named once a day', { isCalled: true }, 500, 1],
    ['needs calls of the webhook about these notifications', { isCalled: false }, 500, 0],
    ['is no campaign to many users', { isCalled: true, users: 40 }, 500, 0],
    ['is looked for in accounts that send much', { isCalled: true }, 10, 0],
  ])('%s', async (_, how, messages, found) => {
    const account = await createTestAccount(app);
    await circle(account, how);
    await spend(account, { messages, channel: 'EMAIL' });
    await watch();
    await spend(account, { messages, channel: 'EMAIL' });
    await watch();
    expect(counted('WebhookLoop')).toBe(found);
  });
});
