import type { Keyring } from '../../../encryption/keyring.ts';
import { createLoadingCache } from '../../../runtime/async/cache.ts';
import { clock, dependency, resolve } from '../../../runtime/dependency.ts';
import { recordMetrics } from '../../../runtime/metrics.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { DAY_MS } from '../../../runtime/values/durations.ts';
import type { WebhookEvent } from '../../../schemas/logs/webhook.ts';
import { type Database, database } from '../../database.ts';
import { readStored } from '../../items/stored.ts';
import { webhookKey } from '../../keys/environment.ts';
import { keyring } from '../accounts/data-keys.ts';
import {
  CACHE_MS,
  CACHED_MAX,
  FAILING,
  readWebhook,
  StoredWebhook,
  saveWebhook,
  unseal,
  type Webhook,
  type WebhookChange,
  type WebhookScope,
  type WebhookStore,
} from './stored-webhook.ts';

const FAILING_DISABLES_MS = 5 * DAY_MS;
/** Strikes after which a webhook rests; twice as long after each call that fails again. */
const STRIKES_MAX = 3;
const REST_MS = 15_000;
const REST_MS_MAX = 300_000;
/** Time of the one call that is made after a rest: longer than its timeout. */
const TURN_MS = 20_000;
/**
 * A notice to administrators about a webhook: it was disabled, has rested for a day, or an event failed after the last
 * attempt.
 */
export type WebhookWarning = 'gone' | 'failing' | 'resting' | 'given_up';

/** `isLast`: the call's last attempt. `isStrike`: the receiver took a worker's time and gave no response. */
type Judged = { isLast: boolean; isStrike: boolean };

export type Webhooks = {
  find(scope: WebhookScope): Promise<Webhook | undefined>;
  /**
   * Creates it, or changes its URL and events and enables it: ID and secret stay. With `rotation`, it gets a new secret, and for
   * a day calls are also signed with the former secrets.
   */
  save(scope: WebhookScope, change: WebhookChange, nowMs: number): Promise<Webhook>;
  delete(environmentId: string): Promise<void>;
  /** The events an enabled webhook of the environment is called for; at most 10 seconds old. */
  wantedEvents(environmentId: string): Promise<ReadonlySet<WebhookEvent>>;
  /**
   * Judges the response to an attempt. A 410 disables the webhook, as do five days of failures only; a response from a URL
   * that was changed since does not count. Returns a warning once per disabling and, for a call that failed
   * after its last attempt, once until the webhook responds again. After some strikes in a row it rests;
   * a day later, there is a warning about it.
   */
  judge(webhook: Webhook, status: number, nowMs: number, judged: Judged): Promise<WebhookWarning | undefined>;
  /** The webhook if it can be called now; undefined while it rests. After a rest, one caller gets it. */
  takeTurn(webhook: Webhook, nowMs: number): Promise<Webhook | undefined>;
};

export function createWebhooks(table: Database, ring: Keyring, now: () => number): Webhooks {
  const cached = createLoadingCache<ReadonlySet<WebhookEvent>>({ max: CACHED_MAX, ttlMs: CACHE_MS, now });
  const store: WebhookStore = { table, ring, now, cached };
  return {
    async find({ accountId, environmentId }) {
      const stored = await readWebhook(store, environmentId);
      return stored?.accountId === accountId ? unseal(store, stored) : undefined;
    },

    save: (scope, change, nowMs) => saveWebhook(store, scope, change, nowMs),

    async delete(environmentId) {
      await table.delete(webhookKey(environmentId));
      cached.delete(environmentId);
    },

    wantedEvents(environmentId) {
      return cached.get(environmentId, () => loadWanted(store, environmentId));
    },

    judge: (webhook, status, nowMs, judged) => evaluate(store, { webhook, status, nowMs, judged }),
    takeTurn: (webhook, nowMs) => takeTurn(store, webhook, nowMs),
  };
}

async function loadWanted(store: WebhookStore, environmentId: string): Promise<ReadonlySet<WebhookEvent>> {
  const stored = await readWebhook(store, environmentId);
  return new Set(stored?.disabledAtMs === undefined ? (stored?.events ?? []) : []);
}

/** The stored webhook after the update; undefined if another webhook has replaced it, or the condition does not hold. */
async function updateWebhook(
  store: WebhookStore,
  webhook: Webhook,
  expression: string,
  { values = {}, condition }: { values?: Record<string, unknown>; condition?: string } = {},
): Promise<StoredWebhook | undefined> {
  const isSame = 'webhookId = :webhookId AND #url = :url';
  const outcome = await store.table.update(webhookKey(webhook.environmentId), expression, {
    condition: condition ? `${isSame} AND ${condition}` : isSame,
    names: { '#url': 'url' },
    values: { ...values, ':webhookId': webhook.webhookId, ':url': webhook.url },
  });
  return outcome.written && outcome.item ? readStored('webhook', StoredWebhook, outcome.item) : undefined;
}

async function disableWebhook(
  store: WebhookStore,
  webhook: Webhook,
  reason: 'gone' | 'failing',
  nowMs: number,
) {
  const isNew = await updateWebhook(store, webhook, 'SET disabledAtMs = :now, disabledReason = :reason', {
    values: { ':now': nowMs, ':reason': reason },
    condition: 'attribute_not_exists(disabledAtMs)',
  });
  store.cached.delete(webhook.environmentId);
  return isNew && reason;
}

/** Marks that administrators are warned; undefined if they were since the webhook last responded. */
async function warnOnce(
  store: WebhookStore,
  webhook: Webhook,
  [mark, warning]: ['warnedAtMs', 'given_up'] | ['restWarnedAtMs', 'resting'],
  nowMs: number,
): Promise<WebhookWarning | undefined> {
  const isNew = await updateWebhook(store, webhook, `SET ${mark} = :now`, {
    values: { ':now': nowMs },
    condition: `attribute_not_exists(${mark})`,
  });
  return isNew && warning;
}

async function takeTurn(store: WebhookStore, webhook: Webhook, nowMs: number): Promise<Webhook | undefined> {
  const { restUntilMs } = webhook;
  if (restUntilMs === undefined) return webhook;
  if (restUntilMs > nowMs) return undefined;
  const taken = { ...webhook, restUntilMs: nowMs + TURN_MS };
  const isTaken = await updateWebhook(store, webhook, 'SET restUntilMs = :until', {
    values: { ':until': taken.restUntilMs, ':seen': restUntilMs },
    condition: 'restUntilMs = :seen',
  });
  return isTaken && taken;
}

/** Of the calls that were made side by side, one begins the rest. */
async function strike(store: WebhookStore, webhook: Webhook, nowMs: number): Promise<boolean> {
  const failing = 'failingSinceMs = if_not_exists(failingSinceMs, :now)';
  const struck = await updateWebhook(
    store,
    webhook,
    `SET ${failing}, strikes = if_not_exists(strikes, :zero) + :one`,
    { values: { ':now': nowMs, ':zero': 0, ':one': 1 } },
  );
  if (!struck || (struck.strikes ?? 0) < STRIKES_MAX) return false;
  const { rests = 0 } = struck;
  const untilMs = nowMs + Math.min(REST_MS_MAX, REST_MS * 2 ** rests);
  const seen = webhook.restUntilMs;
  const isNew = await updateWebhook(store, webhook, 'SET restUntilMs = :until, rests = :rests', {
    values: { ':until': untilMs, ':rests': rests + 1, ...defined({ ':seen': seen }) },
    condition: seen === undefined ? 'attribute_not_exists(restUntilMs)' : 'restUntilMs = :seen',
  });
  if (isNew) recordMetrics({ WebhookRest: 1 });
  return isNew !== undefined;
}

async function evaluate(
  store: WebhookStore,
  { webhook, status, nowMs, judged }: { webhook: Webhook; status: number; nowMs: number; judged: Judged },
): Promise<WebhookWarning | undefined> {
  const { failingSinceMs, strikes } = webhook;
  if (status === 410) return disableWebhook(store, webhook, 'gone', nowMs);
  if (status >= 200 && status < 300) {
    if (failingSinceMs !== undefined) await updateWebhook(store, webhook, `REMOVE ${FAILING}`);
    return undefined;
  }
  const failingMs = failingSinceMs === undefined ? 0 : nowMs - failingSinceMs;
  if (failingMs >= FAILING_DISABLES_MS) return disableWebhook(store, webhook, 'failing', nowMs);
  if (judged.isStrike) {
    const rests = await strike(store, webhook, nowMs);
    if (rests && failingMs >= DAY_MS) {
      const warning = await warnOnce(store, webhook, ['restWarnedAtMs', 'resting'], nowMs);
      if (warning) return warning;
    }
  } else if (failingSinceMs === undefined || strikes !== undefined) {
    // It responds, if only with errors: it is no burden.
    const set = 'SET failingSinceMs = if_not_exists(failingSinceMs, :now)';
    await updateWebhook(store, webhook, `${set} REMOVE strikes, rests, restUntilMs`, {
      values: { ':now': nowMs },
    });
  }
  return judged.isLast ? warnOnce(store, webhook, ['warnedAtMs', 'given_up'], nowMs) : undefined;
}

export const webhooks = dependency('webhooks', () =>
  createWebhooks(resolve(database), resolve(keyring), () => resolve(clock).now()),
);
