import * as v from 'valibot';
import type { Creation } from '../../../domain/routing/creation.ts';
import type { Keyring } from '../../../encryption/keyring.ts';
import type { LoadingCache } from '../../../runtime/async/cache.ts';
import { defined } from '../../../runtime/values/defined.ts';
import { newId } from '../../../runtime/values/ids.ts';
import { WebhookEvent } from '../../../schemas/logs/webhook.ts';
import { newWebhookSecret } from '../../../tokens/webhook-signature.ts';
import type { Database } from '../../database.ts';
import { AGAIN, untilSettled } from '../../items/settle.ts';
import { readStored } from '../../items/stored.ts';
import { webhookKey } from '../../keys/environment.ts';
import { formersAfter, hasReplaced, SECRETS, validFormers } from '../access/former-secrets.ts';

export const CACHE_MS = 10_000;

export const CACHED_MAX = 10_000;

/** What a webhook that fails has, and loses when it responds or is saved. */
export const FAILING = 'failingSinceMs, warnedAtMs, strikes, rests, restUntilMs, restWarnedAtMs';

export const StoredWebhook = v.object({
  webhookId: v.string(),
  accountId: v.string(),
  environmentId: v.string(),
  url: v.string(),
  events: v.array(WebhookEvent),
  sealed: v.string(),
  ...SECRETS,
  /** The one former secret of earlier releases. */
  formerSealed: v.optional(v.string()),
  formerUntilMs: v.optional(v.number()),
  createdAtMs: v.number(),
  updatedAtMs: v.number(),
  disabledAtMs: v.optional(v.number()),
  disabledReason: v.optional(v.picklist(['gone', 'failing'])),
  failingSinceMs: v.optional(v.number()),
  /** When the administrators were notified that it fails. */
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
export type Webhook = Omit<StoredWebhook, 'sealed' | 'formerSecrets' | 'formerSealed' | 'creation'> & {
  secret: string;
  /** Calls are signed with these too, until `formerUntilMs`. */
  formerSecrets: string[];
};

/** What is saved. With `rotation`, the webhook gets a new secret, once per creation. */
export type WebhookChange = { url: string; events: WebhookEvent[]; rotation?: Creation | undefined };

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
  const item = await store.table.get(webhookKey(environmentId), { consistent: true });
  return item && readStored('webhook', StoredWebhook, item);
}

export async function unseal(store: WebhookStore, stored: StoredWebhook): Promise<Webhook> {
  const { sealed, formerSecrets: _, formerSealed: __, formerUntilMs: ___, creation: ____, ...rest } = stored;
  const formers = validFormers({ formerSecrets: formersOf(stored) }, store.now());
  const open = (each: string) => store.ring.decrypt(encryptionContext(stored), each);
  return {
    ...rest,
    secret: await open(sealed),
    formerSecrets: await Promise.all(formers.map((each) => open(each.sealed))),
    ...defined({ formerUntilMs: formers.at(-1)?.untilMs }),
  };
}

function formersOf({ formerSealed, formerUntilMs = 0, formerSecrets = [] }: StoredWebhook) {
  return [...(formerSealed ? [{ sealed: formerSealed, untilMs: formerUntilMs }] : []), ...formerSecrets];
}

export async function saveWebhook(
  store: WebhookStore,
  scope: WebhookScope,
  { url, events, rotation }: WebhookChange,
  nowMs: number,
): Promise<Webhook> {
  const { accountId, environmentId } = scope;
  const sealed = await store.ring.encrypt(encryptionContext(scope), newWebhookSecret());
  const item = await untilSettled(async () => {
    const before = rotation && (await readWebhook(store, environmentId));
    const isRotated = before && !hasReplaced(rotation, before);
    const made = rotation ? ', creation = if_not_exists(creation, :creation)' : '';
    const secret = isRotated
      ? 'sealed = :sealed, formerSecrets = :formers, creation = :creation'
      : `sealed = if_not_exists(sealed, :sealed)${made}`;
    const outcome = await store.table.update(
      webhookKey(environmentId),
      `SET webhookId = if_not_exists(webhookId, :id), ${secret},
           createdAtMs = if_not_exists(createdAtMs, :now), updatedAtMs = :now, accountId = :account,
           environmentId = :environment, #url = :url, #events = :events
           REMOVE disabledAtMs, disabledReason, ${FAILING}${isRotated ? ', formerSealed, formerUntilMs' : ''}`,
      {
        names: { '#url': 'url', '#events': 'events' },
        values: {
          ':id': newId(),
          ':sealed': sealed,
          ':now': nowMs,
          ':account': accountId,
          ':environment': environmentId,
          ':url': url,
          ':events': events,
          ...(rotation && { ':creation': rotation.mark ?? '' }),
          ...(isRotated && {
            ':formers': formersAfter({ ...before, formerSecrets: formersOf(before) }, nowMs),
            ':former': before.sealed,
          }),
        },
        ...(isRotated && { condition: 'sealed = :former' }),
      },
    );
    return outcome.written ? (outcome.item ?? {}) : AGAIN;
  });
  store.cached.delete(environmentId);
  return unseal(store, readStored('webhook', StoredWebhook, item));
}
