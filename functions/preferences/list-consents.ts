import { signer } from '../../shared/database/entities/access/deployment-secret.ts';
import { consents, type StoredConsent } from '../../shared/database/entities/users/consents.ts';
import { MARKETING } from '../../shared/domain/users/opt-outs.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { listPage } from '../../shared/http/lists/list-page.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { listConsentsRoute } from './routes.ts';

export const handler = endpoint(
  listConsentsRoute,
  { consents, signer },
  async ({ consents, signer, caller, path: { userId }, query }) => {
    const list = { signer, caller, binding: ['listConsents', userId] };
    const page = await listPage(list, query, (range) => consents.list(caller.environmentId, userId, range));
    return { ...page, consents: page.consents.flatMap(consentResponses) };
  },
);

/** An entry of the list for each choice that the request changed. */
export function consentResponses({ changes, atMs, source, actor }: StoredConsent) {
  return changes.map(({ notificationId, subNotificationId, channel, delivery }) => ({
    ...(notificationId === MARKETING.notificationId
      ? { purpose: MARKETING.subNotificationId }
      : { notificationId, ...defined({ subNotificationId }) }),
    channel,
    state:
      delivery === undefined
        ? ('reset' as const)
        : delivery === 'off'
          ? ('withdrawn' as const)
          : ('given' as const),
    ...defined({ delivery }),
    source,
    actor,
    createdAt: isoOf(atMs),
  }));
}
