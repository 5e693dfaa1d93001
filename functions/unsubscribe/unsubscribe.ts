import { accounts } from '../../shared/database/entities/accounts/accounts.ts';
import { notificationTypes } from '../../shared/database/entities/content/notification-types.ts';
import { erasureMarks } from '../../shared/database/entities/erasure/erasure-marks.ts';
import { logs } from '../../shared/database/entities/logs/logs.ts';
import { preferredDelivery } from '../../shared/database/entities/users/preferences.ts';
import { users } from '../../shared/database/entities/users/users.ts';
import { MARKETING, optOutName } from '../../shared/domain/users/opt-outs.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import type { DeliveryOption } from '../../shared/schemas/delivery/delivery-mode.ts';
import type { Unsubscription } from '../../shared/tokens/unsubscribe-token.ts';
import { type ChoiceDependencies, type ChosenBy, choiceDependencies, choose } from '../preferences/choose.ts';
import { unsubscribePage } from './page.ts';
import { readFacts, readLink, readRecipient } from './read-link.ts';
import { unsubscribeRoute } from './routes.ts';
import { choiceOf, isOf, optOutErased, turnOff } from './turn-off.ts';

export const handler = endpoint(
  unsubscribeRoute,
  { ...choiceDependencies, accounts, notificationTypes, logs, erasureMarks, users },
  async ({ path, query, request, ...deps }) => {
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
    const by: ChosenBy = {
      ...{ source: 'link', actor: 'person', atMs: request.receivedAtMs },
      address: link.channel === 'EMAIL' ? link.address : undefined,
    };
    if (query.undo === 'true') {
      if (link.isErased) await optOutErased(deps, scoped, by, true);
      else await restore(deps, scoped, facts.deliveries, by);
      return page('undone');
    }
    await turnOff(deps, link, by, scoped);
    return page('done');
  },
);

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
