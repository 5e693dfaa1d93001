import {
  type Accounts,
  accounts,
  RETENTION_DAYS_DEFAULT,
  retentionDaysOf,
} from '../../shared/database/entities/accounts.ts';
import { erasureMarks } from '../../shared/database/entities/erasure-marks.ts';
import { type Logs, logs } from '../../shared/database/entities/logs.ts';
import { notificationTypes } from '../../shared/database/entities/notification-types.ts';
import { preferredDelivery } from '../../shared/database/entities/preferences.ts';
import { users } from '../../shared/database/entities/users.ts';
import { logExpiry } from '../../shared/domain/log-expiry.ts';
import { MARKETING, optOutName } from '../../shared/domain/opt-outs.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { defined } from '../../shared/runtime/defined.ts';
import type { DeliveryOption } from '../../shared/schemas/delivery-mode.ts';
import type { Preference } from '../../shared/schemas/preference.ts';
import type { Unsubscription } from '../../shared/tokens/unsubscribe-token.ts';
import { type ChoiceDependencies, type ChosenBy, choiceDependencies, choose } from '../preferences/choose.ts';
import { unsubscribePage } from './page.ts';
import { readFacts, readLink, readRecipient } from './read-link.ts';
import { unsubscribeRoute } from './routes.ts';

export const handler = endpoint(
  unsubscribeRoute,
  { ...choiceDependencies, accounts, notificationTypes, logs, erasureMarks, users },
  async ({ path, query, request, ...deps }) => {
    const { preferenceStore } = deps;
    const link = await readLink(deps, path.token, request.receivedAtMs, true);
    const [facts, { language }] = await Promise.all([
      readFacts(deps, link),
      readRecipient(deps, link, request.headers),
    ]);
    const preferencesUrl = `../preferences/${path.token}`;
    // If off is not allowed, the page shows that: nothing is stored and no webhook is called.
    if (!facts.canBeOff) return unsubscribePage(facts, 'done', preferencesUrl, language);
    const isAll = query.all === 'true' && facts.isMarketing === true;
    const scoped = isAll ? { ...link, ...MARKETING } : link;
    const page = (state: 'done' | 'undone') => unsubscribePage(facts, state, preferencesUrl, language, isAll);
    const { environmentId, userId, notificationId, channel } = scoped;
    const subNotificationId = scoped.subNotificationId || undefined;
    const by: ChosenBy = {
      ...{ source: 'link', actor: 'person', atMs: request.receivedAtMs },
      address: channel === 'EMAIL' ? link.address : undefined,
    };
    if (link.isErased) {
      await optOutErased(deps, scoped, by, query.undo === 'true');
      return page(query.undo === 'true' ? 'undone' : 'done');
    }
    if (query.undo === 'true') {
      await restore(deps, scoped, facts.deliveries, by);
      return page('undone');
    }
    // Counted first: the preferences that are read next show every use that was counted.
    const uses = await countUses(deps.logs, link);
    const stored = await preferenceStore.find(environmentId, userId);
    const wasOff = preferredDelivery(stored, notificationId, subNotificationId, channel) === 'off';
    const own = [...stored.values()].find((each) => isOf(scoped, each));
    const before = own?.delivery === 'off' ? own.before : own?.delivery;
    await choose(deps, link, [{ ...choiceOf(scoped, 'off'), ...defined({ before }) }], by);
    if (uses === 0 || !wasOff) await report(deps, link, request.receivedAtMs, uses);
    return page('done');
  },
);

/** True if a preference is the choice that the link turns off. */
function isOf({ notificationId, subNotificationId, channel }: Unsubscription, each: Preference): boolean {
  return (
    each.notificationId === notificationId &&
    (each.subNotificationId ?? '') === subNotificationId &&
    each.channel === channel
  );
}

function choiceOf(link: Unsubscription, delivery: DeliveryOption): Preference {
  const { notificationId, channel, subNotificationId } = link;
  return {
    notificationId,
    channel,
    delivery,
    ...defined({ subNotificationId: subNotificationId || undefined }),
  };
}

/** Of an erased person, only the hash of the address is known. */
async function optOutErased(
  { suppressions }: ChoiceDependencies,
  link: Unsubscription,
  { address, atMs, source }: ChosenBy,
  isUndone: boolean,
): Promise<void> {
  const name = optOutName(link);
  const change = isUndone ? { ended: [name] } : { added: { [name]: { atMs, source } } };
  if (address !== undefined) await suppressions.optOut(link.accountId, address, change);
}

/** Restores the choice from before the link was used, or the default. If that is off, uses the first other option. */
async function restore(
  deps: ChoiceDependencies,
  link: Unsubscription,
  deliveries: readonly DeliveryOption[],
  by: ChosenBy,
): Promise<void> {
  const { preferenceStore: store } = deps;
  const { environmentId, userId, notificationId, subNotificationId, channel } = link;
  const stored = await store.find(environmentId, userId);
  const own = [...stored.values()].find((each) => isOf(link, each));
  // The person has chosen otherwise in the meantime.
  if (own && own.delivery !== 'off') return;
  const on = deliveries.filter((each) => each !== 'off');
  const wanted = on.find((each) => each === own?.before);
  if (wanted) return choose(deps, link, [choiceOf(link, wanted)], by);
  await store.reset(environmentId, userId, (each) => isOf(link, each));
  const remaining = preferredDelivery(
    await store.find(environmentId, userId),
    notificationId,
    subNotificationId,
    channel,
  );
  // A type that is off by default, or off as a whole: the person has just asked for it.
  const isOff = (remaining ?? deliveries[0]) === 'off';
  const next = isOff ? on[0] : undefined;
  if (next) return choose(deps, link, [choiceOf(link, next)], by);
  if (by.address !== undefined)
    await deps.suppressions.optOut(link.accountId, by.address, { ended: [optOutName(link)] });
  const { source, actor, atMs } = by;
  const { delivery: _, ...reset } = choiceOf(link, 'off');
  await deps.consents.add(environmentId, userId, { source, actor, atMs, changes: [reset] });
}

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
