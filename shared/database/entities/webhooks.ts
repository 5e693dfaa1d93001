import type { Keyring } from '../../encryption/keyring.ts';
import { createLoadingCache } from '../../runtime/cache.ts';
import { isoOf } from '../../runtime/clock.ts';
import { clock, dependency, resolve } from '../../runtime/dependency.ts';
import { DAY_MS, DAY_SECONDS, secondsAfter } from '../../runtime/durations.ts';
import { WebhookAttempt, type WebhookEvent } from '../../schemas/webhook.ts';
import { type Database, database } from '../database.ts';
import { webhookAttemptKey, webhookAttemptsPk, webhookKey } from '../keys/environment.ts';
import { keyring } from './data-keys.ts';
import { readEach, readStored } from './stored.ts';
import {
  CACHE_MS,
  CACHED_MAX,
  NAME,
  readWebhook,
  saveWebhook,
  unseal,
  type Webhook,
  type WebhookScope,
  type WebhookStore,
} from './stored-webhook.ts';

const ATTEMPTS_SHOWN = 20;
const ATTEMPTS_KEPT_SECONDS = 7 * DAY_SECONDS;
const FAILING_DISABLES_MS = 5 * DAY_MS;
/**
 * A notice to administrators about a webhook: it was disabled, or an event failed after the last attempt.
 */
export type WebhookWarning = 'gone' | 'failing' | 'given_up';

/** Webhooks, one per environment. */
export type Webhooks = {
  find(scope: WebhookScope): Promise<Webhook | undefined>;
  /**
   * Creates it, or changes its URL and events and enables it: ID and secret stay. With `isSecretNew`, it gets
   * a new secret, and calls are signed with both for a day.
   */
  save(
    scope: WebhookScope,
    changes: { url: string; events: WebhookEvent[]; isSecretNew: boolean },
    nowMs: number,
  ): Promise<Webhook>;
  delete(environmentId: string): Promise<void>;
  /** The events an enabled webhook of the environment is called for; at most 10 seconds old. */
  wantedEvents(environmentId: string): Promise<ReadonlySet<WebhookEvent>>;
  /**
   * Stores an attempt. A 410 disables the webhook, as do five days of failures only; a response from a URL
   * that was changed since does not count. Returns a warning once per disabling and, for a call that failed
   * after its last attempt (`isLast`), once until the webhook responds again.
   */
  recordAttempt(
    webhook: Webhook,
    attempt: WebhookAttempt,
    nowMs: number,
    isLast: boolean,
  ): Promise<WebhookWarning | undefined>;
  /** The last 20 attempts, newest first. */
  lastAttempts(webhook: Pick<Webhook, 'environmentId' | 'webhookId'>): Promise<WebhookAttempt[]>;
};

function createWebhooks(table: Database, ring: Keyring, now: () => number): Webhooks {
  const cached = createLoadingCache<ReadonlySet<WebhookEvent>>({ max: CACHED_MAX, ttlMs: CACHE_MS, now });
  const store: WebhookStore = { table, ring, now, cached };
  return {
    async find({ accountId, environmentId }) {
      const stored = await readWebhook(store, environmentId);
      return stored?.accountId === accountId ? unseal(store, stored) : undefined;
    },

    save: (scope, changes, nowMs) => saveWebhook(store, scope, changes, nowMs),

    async delete(environmentId) {
      await table.delete(webhookKey(environmentId, NAME));
      cached.delete(environmentId);
    },

    wantedEvents(environmentId) {
      return cached.get(environmentId, () => loadWanted(store, environmentId));
    },

    recordAttempt: (webhook, attempt, nowMs, isLast) =>
      recordAttempt(store, { webhook, attempt, nowMs, isLast }),
    lastAttempts: (webhook) => lastAttempts(store, webhook),
  };
}

async function loadWanted(store: WebhookStore, environmentId: string): Promise<ReadonlySet<WebhookEvent>> {
  const stored = await readWebhook(store, environmentId);
  return new Set(stored?.disabledAtMs === undefined ? (stored?.events ?? []) : []);
}

/** True if the update was made: `absent` names an attribute that must not exist yet. */
async function updateWebhook(
  store: WebhookStore,
  {
    webhook,
    expression,
    values,
    absent,
  }: {
    webhook: Webhook;
    expression: string;
    values: Record<string, unknown>;
    absent?: 'disabledAtMs' | 'warnedAtMs';
  },
): Promise<boolean> {
  const isSame = 'webhookId = :webhookId AND #url = :url';
  const outcome = await store.table.update(webhookKey(webhook.environmentId, NAME), expression, {
    condition: absent ? `${isSame} AND attribute_not_exists(${absent})` : isSame,
    names: { '#url': 'url' },
    values: { ...values, ':webhookId': webhook.webhookId, ':url': webhook.url },
  });
  return outcome.written;
}

async function disableWebhook(
  store: WebhookStore,
  webhook: Webhook,
  reason: 'gone' | 'failing',
  nowMs: number,
) {
  const values = { ':now': nowMs, ':reason': reason };
  const set = 'SET disabledAtMs = :now, disabledReason = :reason';
  const isNew = await updateWebhook(store, { webhook, expression: set, values, absent: 'disabledAtMs' });
  store.cached.delete(webhook.environmentId);
  return isNew ? reason : undefined;
}

async function evaluate(
  store: WebhookStore,
  { webhook, status, nowMs, isLast }: { webhook: Webhook; status: number; nowMs: number; isLast: boolean },
): Promise<WebhookWarning | undefined> {
  const { failingSinceMs } = webhook;
  if (status === 410) return disableWebhook(store, webhook, 'gone', nowMs);
  if (status >= 200 && status < 300) {
    if (failingSinceMs !== undefined)
      await updateWebhook(store, { webhook, expression: 'REMOVE failingSinceMs, warnedAtMs', values: {} });
    return undefined;
  }
  if (failingSinceMs === undefined) {
    await updateWebhook(store, {
      webhook,
      expression: 'SET failingSinceMs = if_not_exists(failingSinceMs, :now)',
      values: { ':now': nowMs },
    });
  } else if (nowMs - failingSinceMs >= FAILING_DISABLES_MS)
    return disableWebhook(store, webhook, 'failing', nowMs);
  const isNew =
    isLast &&
    (await updateWebhook(store, {
      webhook,
      expression: 'SET warnedAtMs = :now',
      values: { ':now': nowMs },
      absent: 'warnedAtMs',
    }));
  return isNew ? 'given_up' : undefined;
}

async function recordAttempt(
  store: WebhookStore,
  {
    webhook,
    attempt,
    nowMs,
    isLast,
  }: { webhook: Webhook; attempt: WebhookAttempt; nowMs: number; isLast: boolean },
): Promise<WebhookWarning | undefined> {
  const { webhookMessageId, attempt: number } = attempt;
  await store.table.put({
    ...webhookAttemptKey(webhook.environmentId, webhook.webhookId, isoOf(nowMs), webhookMessageId, number),
    ...attempt,
    expiresAt: secondsAfter(nowMs, ATTEMPTS_KEPT_SECONDS),
  });
  return evaluate(store, { webhook, status: attempt.status, nowMs, isLast });
}

async function lastAttempts(
  store: WebhookStore,
  { environmentId, webhookId }: Pick<Webhook, 'environmentId' | 'webhookId'>,
): Promise<WebhookAttempt[]> {
  const page = await store.table.query({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': webhookAttemptsPk(environmentId, webhookId) },
    ScanIndexForward: false,
    Limit: ATTEMPTS_SHOWN,
  });
  return readEach(page.items, (item) => readStored('webhook attempt', WebhookAttempt, item));
}

export const webhooks = dependency('webhooks', () =>
  createWebhooks(resolve(database), resolve(keyring), () => resolve(clock).now()),
);
