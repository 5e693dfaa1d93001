import { beforeEach, describe, expect, it } from 'vitest';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as saveWebhook } from '../../../../functions/webhooks/save-event-webhook.ts';
import { handler as administer } from '../../../../functions/workers/accounts/administer-accounts.ts';
import { handler as watchCosts } from '../../../../functions/workers/accounts/watch-costs.ts';
import { environments } from '../../../../shared/database/entities/accounts/environments.ts';
import { logs } from '../../../../shared/database/entities/logs/logs.ts';
import { usageCounters } from '../../../../shared/database/entities/usage/usage-counters.ts';
import { webhookHistory } from '../../../../shared/database/entities/webhooks/webhook-history.ts';
import { webhooks } from '../../../../shared/database/entities/webhooks/webhooks.ts';
import { costWatchKey } from '../../../../shared/database/keys/usage.ts';
import { webhookCallId } from '../../../../shared/domain/logs/webhook-event.ts';
import { replace, resolve } from '../../../../shared/runtime/dependency.ts';
import { metricsOutput } from '../../../../shared/runtime/metrics.ts';
import { newTrackingId } from '../../../../shared/runtime/values/ids.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import { CHANNELS } from '../../../../shared/schemas/channel.ts';
import { call, createTestAccount, type TestAccount } from '../../../support/app.ts';
import { useAccount, useApp } from '../../../support/use-app.ts';
import { recordOf, withSettings } from '../../../support/workers.ts';

const app = useApp();
const account = useAccount(app, 'test');
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

  it('stop an account whose day exceeded its limit after the last look at that day, unless it was stopped then', async () => {
    const [late, allowed, within] = await Promise.all([1, 2, 3].map(() => createTestAccount(app)));
    const all = [late, allowed, within].flatMap((each) => each ?? []);
    const enable = ({ account: { accountId }, environment: { environmentId } }: TestAccount) =>
      resolve(environments).update(accountId, environmentId, { disableSending: [] });
    app.clock.nowMs += DAY_MS / 2 - 120_000;
    await Promise.all(all.map((account, index) => spend(account, { usd: [20, 150, 20][index] ?? 0 })));
    await watch();
    if (allowed) await enable(allowed);
    app.clock.nowMs += 60_000;
    await Promise.all(all.map((account, index) => spend(account, { usd: [5000, 5000, 70][index] ?? 0 })));
    const stopped = async () => (await Promise.all(all.map(disabledOf))).map((each) => each?.length);
    // The sending goes on a little after midnight.
    for (const [laterMs, expected] of [
      [120_000, [CHANNELS.length, 0, 0]],
      [300_000, [0, 0, 0]],
    ] as const) {
      app.clock.nowMs += laterMs;
      await Promise.all(all.map((account) => spend(account, { usd: 5 })));
      await watch();
      expect(await stopped()).toEqual(expected);
      if (late) await enable(late);
    }
  });

  it('of an account whose limit the operator raised are compared with that, on the next days too', async () => {
    const [campaign, other] = [await createTestAccount(app), await createTestAccount(app)];
    const { accountId } = campaign.account;
    expect(await administer({ action: 'day-cost', accountId, usd: 5000 })).toEqual({ accountId, usd: 5000 });
    expect(await administer({ action: 'day-cost', accountId: 'nobody', usd: 5 })).toHaveProperty('error');
    expect(await administer({ action: 'day-cost', accountId, usd: -5 })).toHaveProperty('error');
    for (let days = 0; days < 2; days += 1) {
      await spend(campaign, { usd: 4500 });
      await spend(other, { usd: 90 });
      await watch();
      expect([await disabledOf(campaign), await disabledOf(other)]).toEqual([[], []]);
      app.clock.nowMs += DAY_MS;
    }
    await spend(campaign, { usd: 50_000 });
    await watch();
    expect([await disabledOf(campaign), await disabledOf(other)]).toEqual([[...CHANNELS], []]);
    app.clock.nowMs += 4000;
    const body = { type: 't', to: { id: 'a', email: 'a@example.com' }, email: { subject: 's', html: 'h' } };
    const { json } = await call(send, { key: campaign.secret.key, body });
    expect(json.messages.join()).toContain('a day costs over its limit');
  });

  it('stop an account beside one whose watch is unreadable, and the run fails', async () => {
    const [broken, busy] = [await createTestAccount(app), await createTestAccount(app)];
    const key = costWatchKey(broken.account.accountId);
    await app.database.put({ ...key, date: { broken: true } });
    await spend(broken, { usd: 5 });
    await spend(busy, { usd: 150 });
    await expect(watch()).rejects.toThrow('not readable');
    await app.database.delete(key);
    expect([await disabledOf(broken), await disabledOf(busy)]).toEqual([[], [...CHANNELS]]);
  });

  it.each([
    ['the floor on a first day', [], 99, [0.9, 0.2]],
    [
      'ten times the usual, without days before these 28',
      [
        [29, 500],
        [28, 30],
        [1, 10],
      ],
      199,
      [0.9, 0.2],
    ],
  ] as const)('may reach %s and not exceed it', async (_, before, usd, more) => {
    for (const [daysAgo, was] of before) await spend(account, { usd: was, daysAgo });
    await spend(account, { usd });
    const states = [];
    for (const next of more) {
      await spend(account, { usd: next });
      app.clock.nowMs += 600_000;
      await watch();
      states.push((await disabledOf(account))?.length);
    }
    expect(states).toEqual([0, CHANNELS.length]);
  });

  it('may be ten times the usual of an account that usually spends more', async () => {
    for (const daysAgo of [1, 2, 3]) await spend(account, { usd: 300, daysAgo });
    await spend(account, { usd: 2999 });
    await watch();
    expect(await disabledOf(account)).toEqual([]);
  });

  it('count email by its list price, and have no limit with a factor of 0', async () => {
    await spend(account, { messages: 1_000_000, channel: 'EMAIL' });
    await watch({ DAY_COST_FACTOR: '0' });
    expect(await disabledOf(account)).toEqual([]);
    await watch();
    expect(await disabledOf(account)).toEqual([...CHANNELS]);
  });
});

/** Notifications of one type for one user, whose deliveries the webhook was called for. */
async function circle(
  account: TestAccount,
  {
    isCalled,
    users = 1,
    count = 40,
    type = 'welcome',
  }: { isCalled: boolean; users?: number; count?: number; type?: string },
) {
  const { accountId } = account.account;
  const { environmentId } = account.environment;
  const body = { webhook: 'https://hooks.example.com/loop', events: ['EMAIL_DELIVERED'] };
  const saved = await call(saveWebhook, { key: account.secret.key, body });
  expect(saved.status).toBe(200);
  const webhook = await resolve(webhooks).find({ accountId, environmentId });
  const expiresAtSeconds = Math.ceil(app.clock.nowMs / 1000) + DAY_MS / 1000;
  for (let index = 0; index < count; index += 1) {
    const trackingId = newTrackingId(app.clock.nowMs + index);
    const head = {
      ...{ trackingId, accountId, environmentId, userId: `user-${index % users}`, notificationId: type },
      ...{ state: 'accepted', receivedAtMs: app.clock.nowMs + index, routing: {}, messages: [], request: {} },
    } as const;
    await resolve(logs).accept(head as never, { feedShards: 1, expiresAtSeconds });
    const id = webhookCallId(environmentId, trackingId, { prefix: 'email', stage: 'delivered' });
    const nowMs = app.clock.nowMs + index;
    const attempt = { attempt: 1, status: 200, ms: 5, at: new Date(nowMs).toISOString() };
    const made = { attempt, outcome: 'delivered', nowMs } as const;
    if (webhook && isCalled)
      await resolve(webhookHistory).record(webhook, { id, eventType: 'EMAIL_DELIVERED' }, made);
  }
}

describe('a loop of a webhook and sends', () => {
  it.each([
    ['is named once a day', { isCalled: true }, 500, 1],
    ['needs calls of the webhook about these notifications', { isCalled: false }, 500, 0],
    ['is no campaign to many users', { isCalled: true, users: 40 }, 500, 0],
    [
      'goes over several users, each of whom causes a send to the next',
      { isCalled: true, users: 4, count: 100 },
      500,
      1,
    ],
    ['is no group that gets much', { isCalled: true, users: 12, count: 200 }, 500, 0],
    ['is looked for in accounts that send much', { isCalled: true }, 10, 0],
  ])('%s', async (_, how, messages, found) => {
    await circle(account, how);
    await spend(account, { messages, channel: 'EMAIL' });
    await watch();
    await spend(account, { messages, channel: 'EMAIL' });
    await watch();
    expect(counted('WebhookLoop')).toBe(found);
  });

  it('is named once a day for each of its types, whichever of them is the newest', async () => {
    for (const type of ['ask', 'response', 'thanks', 'ask', 'response', 'thanks']) {
      await circle(account, { isCalled: true, type });
      await spend(account, { messages: 500, channel: 'EMAIL' });
      app.clock.nowMs += 300_000;
      await watch();
    }
    expect(counted('WebhookLoop')).toBe(3);
  });
});
