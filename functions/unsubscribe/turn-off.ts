import {
  type Accounts,
  RETENTION_DAYS_DEFAULT,
  retentionDaysOf,
} from '../../shared/database/entities/accounts/accounts.ts';
import type { Logs } from '../../shared/database/entities/logs/logs.ts';
import { preferredDelivery } from '../../shared/database/entities/users/preferences.ts';
import { logExpiry } from '../../shared/domain/logs/log-expiry.ts';
import { optOutName } from '../../shared/domain/users/opt-outs.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import type { DeliveryOption } from '../../shared/schemas/delivery/delivery-mode.ts';
import type { Preference } from '../../shared/schemas/users/preference.ts';
import type { Unsubscription } from '../../shared/tokens/unsubscribe-token.ts';
import { type ChoiceDependencies, type ChosenBy, choose } from '../preferences/choose.ts';

/** Turns off what a link is about; `scoped` is the link, or all marketing instead of its type. */
export async function turnOff(
  deps: ChoiceDependencies & { accounts: Accounts; logs: Logs },
  link: Unsubscription & { isErased: boolean },
  by: ChosenBy,
  scoped: Unsubscription = link,
): Promise<void> {
  if (link.isErased) return optOutErased(deps, scoped, by);
  const { environmentId, userId, notificationId, channel, subNotificationId } = scoped;
  // Counted first: the preferences that are read next show every use that was counted.
  const uses = await countUses(deps.logs, link);
  const stored = await deps.preferenceStore.find(environmentId, userId);
  const wasOff = preferredDelivery(stored, notificationId, subNotificationId || undefined, channel) === 'off';
  const own = [...stored.values()].find((each) => isOf(scoped, each));
  const before = own?.delivery === 'off' ? own.before : own?.delivery;
  await choose(deps, link, [{ ...choiceOf(scoped, 'off'), ...defined({ before }) }], by);
  if (uses === 0 || !wasOff) await report(deps, link, by.atMs, uses);
}

/** True if a preference is the choice that the link turns off. */
export function isOf(
  { notificationId, subNotificationId, channel }: Unsubscription,
  each: Preference,
): boolean {
  return (
    each.notificationId === notificationId &&
    (each.subNotificationId ?? '') === subNotificationId &&
    each.channel === channel
  );
}

export function choiceOf(link: Unsubscription, delivery: DeliveryOption): Preference {
  const { notificationId, channel, subNotificationId } = link;
  return {
    notificationId,
    channel,
    delivery,
    ...defined({ subNotificationId: subNotificationId || undefined }),
  };
}

/** Of an erased person, only the hash of the address is known. */
export async function optOutErased(
  { suppressions }: ChoiceDependencies,
  link: Unsubscription,
  { address, atMs, source }: ChosenBy,
  isUndone = false,
): Promise<void> {
  const name = optOutName(link);
  const change = isUndone ? { ended: [name] } : { added: { [name]: { atMs, source } } };
  if (address !== undefined) await suppressions.optOut(link.accountId, address, change);
}

/** Number of times the link has turned the notification off. */
async function countUses(logs: Logs, { trackingId, channel }: Unsubscription): Promise<number> {
  const events = await logs.listEvents(trackingId, channel);
  return events.filter(({ stage }) => stage === 'unsubscribe').length;
}

/**
 * Appends the event of a use, once even if several are concurrent. The token contains the owner, because the notification's log
 * can have expired long ago.
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
