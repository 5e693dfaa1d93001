import * as v from 'valibot';
import type { Keyring } from '../../encryption/keyring.ts';
import type { LoadingCache } from '../../runtime/cache.ts';
import { defined } from '../../runtime/defined.ts';
import { DAY_MS } from '../../runtime/durations.ts';
import { newId } from '../../runtime/ids.ts';
import { WebhookEvent } from '../../schemas/webhook.ts';
import { newWebhookSecret } from '../../tokens/webhook-signature.ts';
import type { Database } from '../database.ts';
import { webhookKey } from '../keys/environment.ts';
import { readStored } from './stored.ts';

export const NAME = 'events';

export const CACHE_MS = 10_000;

export const CACHED_MAX = 10_000;

/** Time for which calls are also signed with the former secret after a rotation. */
const FORMER_SECRET_MS = DAY_MS;

/** What a webhook that fails has, and loses when it responds or is saved. */
export const FAILING = 'failingSinceMs, warnedAtMs, strikes, rests, restUntilMs, restWarnedAtMs';

export const StoredWebhook = v.object({
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
  /** Time at which the administrators were notified that it fails. */
  warnedAtMs: v.optional(v.number()),
  /** Calls in a row that took a worker's time for nothing, and the rests that followed. */
  strikes: v.optional(v.number()),
  rests: v.optional(v.number()),
  /** Until then, no call is made; afterwards one is, which ends the rest or begins a longer one. */
  restUntilMs: v.optional(v.number()),
  restWarnedAtMs: v.optional(v.number()),
});

export type StoredWebhook = v.InferOutput<typeof StoredWebhook>;

/**
 * The webhook of an environment. `disabledReason`: it returned 410 (`gone`), or failed for five days
 * (`failing`).
 */
export type Webhook = Omit<StoredWebhook, 'sealed' | 'formerSealed'> & {
  secret: string;
  /** While calls are signed with it too. */
  formerSecret?: string;
};

/** The owner of a webhook: from the credential, or from the event that calls it. */
export type WebhookScope = { accountId: string; environmentId: string };

export type WebhookStore = {
  table: Database;
  ring: Keyring;
  now: () => number;
  cached: LoadingCache<ReadonlySet<WebhookEvent>>;
};

const encryptionContext = ({ accountId, environmentId }: WebhookScope) => ({
  accountId,
  kind: 'webhook',
  id: environmentId,
});

export async function readWebhook(
  store: WebhookStore,
  environmentId: string,
): Promise<StoredWebhook | undefined> {
  const item = await store.table.get(webhookKey(environmentId, NAME), { consistent: true });
  return item && readStored('webhook', StoredWebhook, item);
}

export async function unseal(
  store: WebhookStore,
  { sealed, formerSealed, ...stored }: StoredWebhook,
): Promise<Webhook> {
  const secret = await store.ring.decrypt(encryptionContext(stored), sealed);
  if (formerSealed === undefined || (stored.formerUntilMs ?? 0) <= store.now()) return { ...stored, secret };
  return {
    ...stored,
    secret,
    formerSecret: await store.ring.decrypt(encryptionContext(stored), formerSealed),
  };
}

export async function saveWebhook(
  store: WebhookStore,
  scope: WebhookScope,
  { url, events, isSecretNew }: { url: string; events: WebhookEvent[]; isSecretNew: boolean },
  nowMs: number,
): Promise<Webhook> {
  const { accountId, environmentId } = scope;
  const secret = isSecretNew
    ? 'formerSealed = if_not_exists(sealed, :sealed), formerUntilMs = :until, sealed = :sealed'
    : 'sealed = if_not_exists(sealed, :sealed)';
  const outcome = await store.table.update(
    webhookKey(environmentId, NAME),
    `SET webhookId = if_not_exists(webhookId, :id), ${secret},
         createdAtMs = if_not_exists(createdAtMs, :now), updatedAtMs = :now, accountId = :account,
         environmentId = :environment, #url = :url, #events = :events
         REMOVE disabledAtMs, disabledReason, ${FAILING}`,
    {
      names: { '#url': 'url', '#events': 'events' },
      values: {
        ':id': newId(),
        ':sealed': await store.ring.encrypt(encryptionContext(scope), newWebhookSecret()),
        ':now': nowMs,
        ':account': accountId,
        ':environment': environmentId,
        ':url': url,
        ':events': events,
        ...defined({ ':until': isSecretNew ? nowMs + FORMER_SECRET_MS : undefined }),
      },
    },
  );
  store.cached.delete(environmentId);
  return unseal(store, readStored('webhook', StoredWebhook, (outcome.written && outcome.item) || {}));
}
