import {
  type Accounts,
  accounts,
  RETENTION_DAYS_DEFAULT,
  retentionDaysOf,
} from '../../shared/database/entities/accounts.ts';
import { signer } from '../../shared/database/entities/deployment-secret.ts';
import { erasureMarks } from '../../shared/database/entities/erasure-marks.ts';
import { type Logs, logs } from '../../shared/database/entities/logs.ts';
import { notificationTypes } from '../../shared/database/entities/notification-types.ts';
import { preferenceStore, preferredDelivery } from '../../shared/database/entities/preferences.ts';
import { users } from '../../shared/database/entities/users.ts';
import { logExpiry } from '../../shared/domain/log-expiry.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { defined } from '../../shared/runtime/defined.ts';
import type { Unsubscription } from '../../shared/tokens/unsubscribe-token.ts';
import { unsubscribePage } from './page.ts';
import { readFacts, readLink, readRecipient } from './read-link.ts';
import { unsubscribeRoute } from './routes.ts';

export const handler = endpoint(
  unsubscribeRoute,
  { signer, accounts, notificationTypes, preferenceStore, logs, erasureMarks, users },
  async ({ preferenceStore, path, query, request, ...deps }) => {
    const link = await readLink(deps, path.token, request.receivedAtMs);
    const [facts, { language }] = await Promise.all([
      readFacts(deps, link),
      readRecipient(deps, link, request.headers),
    ]);
    const links = { preferences: `../preferences/${path.token}` };
    // If off is not allowed, the page shows that: nothing is stored and no webhook is called.
    if (!facts.canBeOff) return unsubscribePage(facts, 'done', links, language);
    const { environmentId, userId, notificationId, channel } = link;
    const subNotificationId = link.subNotificationId || undefined;
    if (query.undo === 'true') {
      await preferenceStore.reset(
        environmentId,
        userId,
        (each) =>
          each.notificationId === notificationId &&
          each.subNotificationId === subNotificationId &&
          each.channel === channel,
      );
      return unsubscribePage(facts, 'undone', links, language);
    }
    // Counted first: the preferences that are read next show every use that was counted.
    const uses = await countUses(deps.logs, link);
    const stored = await preferenceStore.find(environmentId, userId);
    const wasOff = preferredDelivery(stored, notificationId, subNotificationId, channel) === 'off';
    const choice = { notificationId, channel, delivery: 'off' as const };
    await preferenceStore.set(environmentId, userId, [
      subNotificationId === undefined ? choice : { ...choice, subNotificationId },
    ]);
    if (uses === 0 || !wasOff) await report(deps, link, request.receivedAtMs, uses);
    return unsubscribePage(facts, 'done', links, language);
  },
);

/** Number of times the link has turned the notification off. */
async function countUses(logs: Logs, { trackingId, channel }: Unsubscription): Promise<number> {
  const events = await logs.listEvents(trackingId, channel);
  return events.filter(({ stage }) => stage === 'unsubscribe').length;
}

/**
 * Appends the event of a use, once however many are concurrent. The owner is in the token, because the notification's
 * log may have expired long ago.
 */
async function report(
  deps: { accounts: Accounts; logs: Logs },
  { accountId, environmentId, userId, notificationId, trackingId, channel }: Unsubscription,
  atMs: number,
  uses: number,
): Promise<void> {
  const account = await deps.accounts.find(accountId);
  const days = account ? retentionDaysOf(account) : RETENTION_DAYS_DEFAULT;
  const expiresAtSeconds = logExpiry(days, atMs);
  const seq = uses === 0 ? undefined : String(uses);
  await deps.logs.append(
    trackingId,
    { accountId, environmentId, userId, notificationId, expiresAtSeconds },
    { channel, stage: 'unsubscribe', atMs, fields: {}, ...defined({ seq }) },
  );
}
