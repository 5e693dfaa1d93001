import * as v from 'valibot';
import type { Keyring } from '../../encryption/keyring.ts';
import { createLoadingCache } from '../../runtime/cache.ts';
import { isoOf } from '../../runtime/clock.ts';
import { defined } from '../../runtime/defined.ts';
import { clock, dependency, resolve } from '../../runtime/dependency.ts';
import { newId } from '../../runtime/ids.ts';
import { DAY_SECONDS, secondsAfter } from '../../runtime/seconds.ts';
import { WebhookAttempt, WebhookEvent } from '../../schemas/webhook.ts';
import { newWebhookSecret } from '../../tokens/webhook-signature.ts';
import { type Database, database } from '../database.ts';
import { webhookAttemptKey, webhookAttemptsPk, webhookKey } from '../keys.ts';
import { keyring } from './data-keys.ts';
import { readEach, readStored } from './stored.ts';

const NAME = 'events';
const CACHE_MS = 10_000;
const CACHED_MAX = 10_000;
const ATTEMPTS_SHOWN = 20;
const ATTEMPTS_KEPT_SECONDS = 7 * DAY_SECONDS;
const FAILING_DISABLES_MS = 5 * 86_400_000;
/** How long calls are also signed with the former secret after a rotation. */
const FORMER_SECRET_MS = 86_400_000;

const StoredWebhook = v.object({
  webhookId: v.string(),
  accountId: v.string(),
  environmentId: v.string(),
  url: v.string(),
  events: v.array(WebhookEvent),
  sealed: v.string(),
  formerSealed: v.optional(v.string()),
  formerUntilMs: v.optional(v.number()),
  createdAtMs: v.number(),
  updatedAtMs: v.number(),
  disabledAtMs: v.optional(v.number()),
  disabledReason: v.optional(v.picklist(['gone', 'failing'])),
  failingSinceMs: v.optional(v.number()),
  /** Since when the administrators know that it fails. */
  warnedAtMs: v.optional(v.number()),
});
type StoredWebhook = v.InferOutput<typeof StoredWebhook>;

/**
 * The webhook of an environment. `disabledReason`: it returned 410 (`gone`), or failed for five days
 * (`failing`).
 */
export type Webhook = Omit<StoredWebhook, 'sealed' | 'formerSealed'> & {
  secret: string;
  /** While calls are signed with it too. */
  formerSecret?: string;
};

/**
 * A notice to administrators about a webhook: it was disabled, or an event failed after the last attempt.
 */
export type WebhookWarning = 'gone' | 'failing' | 'given_up';

/** The owner of a webhook: from the credential, or from the event that calls it. */
type WebhookScope = { accountId: string; environmentId: string };

/** Access patterns of webhooks: one per environment. */
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
  const encryptionContext = ({ accountId, environmentId }: WebhookScope) => ({
    accountId,
    kind: 'webhook',
    id: environmentId,
  });

  async function read(environmentId: string): Promise<StoredWebhook | undefined> {
    const item = await table.get(webhookKey(environmentId, NAME), { consistent: true });
    return item && readStored('webhook', StoredWebhook, item);
  }

  async function unseal({ sealed, formerSealed, ...stored }: StoredWebhook): Promise<Webhook> {
    const secret = await ring.decrypt(encryptionContext(stored), sealed);
    if (formerSealed === undefined || (stored.formerUntilMs ?? 0) <= now()) return { ...stored, secret };
    return { ...stored, secret, formerSecret: await ring.decrypt(encryptionContext(stored), formerSealed) };
  }

  async function loadWanted(environmentId: string): Promise<ReadonlySet<WebhookEvent>> {
    const stored = await read(environmentId);
    return new Set(stored?.disabledAtMs === undefined ? (stored?.events ?? []) : []);
  }

  /** Whether the update was made: `absent` names an attribute that must not exist yet. */
  async function update(
    webhook: Webhook,
    expression: string,
    values: Record<string, unknown>,
    absent?: 'disabledAtMs' | 'warnedAtMs',
  ): Promise<boolean> {
    const isSame = 'webhookId = :webhookId AND #url = :url';
    const outcome = await table.update(webhookKey(webhook.environmentId, NAME), expression, {
      condition: absent ? `${isSame} AND attribute_not_exists(${absent})` : isSame,
      names: { '#url': 'url' },
      values: { ...values, ':webhookId': webhook.webhookId, ':url': webhook.url },
    });
    return outcome.written;
  }

  async function disable(webhook: Webhook, reason: 'gone' | 'failing', nowMs: number) {
    const values = { ':now': nowMs, ':reason': reason };
    const set = 'SET disabledAtMs = :now, disabledReason = :reason';
    const isNew = await update(webhook, set, values, 'disabledAtMs');
    cached.delete(webhook.environmentId);
    return isNew ? reason : undefined;
  }

  async function evaluate(
    webhook: Webhook,
    status: number,
    nowMs: number,
    isLast: boolean,
  ): Promise<WebhookWarning | undefined> {
    const { failingSinceMs } = webhook;
    if (status === 410) return disable(webhook, 'gone', nowMs);
    if (status >= 200 && status < 300) {
      if (failingSinceMs !== undefined) await update(webhook, 'REMOVE failingSinceMs, warnedAtMs', {});
      return undefined;
    }
    if (failingSinceMs === undefined) {
      await update(webhook, 'SET failingSinceMs = if_not_exists(failingSinceMs, :now)', { ':now': nowMs });
    } else if (nowMs - failingSinceMs >= FAILING_DISABLES_MS) return disable(webhook, 'failing', nowMs);
    const isNew = isLast && (await update(webhook, 'SET warnedAtMs = :now', { ':now': nowMs }, 'warnedAtMs'));
    return isNew ? 'given_up' : undefined;
  }

  return {
    async find({ accountId, environmentId }) {
      const stored = await read(environmentId);
      return stored?.accountId === accountId ? unseal(stored) : undefined;
    },

    async save(scope, { url, events, isSecretNew }, nowMs) {
      const { accountId, environmentId } = scope;
      const secret = isSecretNew
        ? 'formerSealed = if_not_exists(sealed, :sealed), formerUntilMs = :until, sealed = :sealed'
        : 'sealed = if_not_exists(sealed, :sealed)';
      const outcome = await table.update(
        webhookKey(environmentId, NAME),
        `SET webhookId = if_not_exists(webhookId, :id), ${secret},
         createdAtMs = if_not_exists(createdAtMs, :now), updatedAtMs = :now, accountId = :account,
         environmentId = :environment, #url = :url, #events = :events
         REMOVE disabledAtMs, disabledReason, failingSinceMs, warnedAtMs`,
        {
          names: { '#url': 'url', '#events': 'events' },
          values: {
            ':id': newId(),
            ':sealed': await ring.encrypt(encryptionContext(scope), newWebhookSecret()),
            ':now': nowMs,
            ':account': accountId,
            ':environment': environmentId,
            ':url': url,
            ':events': events,
            ...defined({ ':until': isSecretNew ? nowMs + FORMER_SECRET_MS : undefined }),
          },
        },
      );
      cached.delete(environmentId);
      return unseal(readStored('webhook', StoredWebhook, (outcome.written && outcome.item) || {}));
    },

    async delete(environmentId) {
      await table.delete(webhookKey(environmentId, NAME));
      cached.delete(environmentId);
    },

    wantedEvents(environmentId) {
      return cached.get(environmentId, () => loadWanted(environmentId));
    },

    async recordAttempt(webhook, attempt, nowMs, isLast) {
      const { webhookMessageId, attempt: number } = attempt;
      await table.put({
        ...webhookAttemptKey(
          webhook.environmentId,
          webhook.webhookId,
          isoOf(nowMs),
          webhookMessageId,
          number,
        ),
        ...attempt,
        expiresAt: secondsAfter(nowMs, ATTEMPTS_KEPT_SECONDS),
      });
      return evaluate(webhook, attempt.status, nowMs, isLast);
    },

    async lastAttempts({ environmentId, webhookId }) {
      const page = await table.query({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': webhookAttemptsPk(environmentId, webhookId) },
        ScanIndexForward: false,
        Limit: ATTEMPTS_SHOWN,
      });
      return readEach(page.items, (item) => readStored('webhook attempt', WebhookAttempt, item));
    },
  };
}

export const webhooks = dependency('webhooks', () =>
  createWebhooks(resolve(database), resolve(keyring), () => resolve(clock).now()),
);
