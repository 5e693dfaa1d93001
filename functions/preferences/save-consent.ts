import { preferenceFor } from '../../shared/database/entities/users/preferences.ts';
import { users } from '../../shared/database/entities/users/users.ts';
import { MARKETING } from '../../shared/domain/users/opt-outs.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { fieldsOf } from '../../shared/http/problems/check.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { actorOf, choiceDependencies, choose, hashOfUser } from './choose.ts';
import { saveConsentRoute } from './routes.ts';

export const handler = endpoint(
  saveConsentRoute,
  { ...choiceDependencies, users },
  async ({ users, caller, path: { userId }, body, request, ...deps }) => {
    const { accountId, environmentId } = caller;
    const { notificationId, subNotificationId, channel, state, source } = body;
    const scope =
      notificationId === undefined ? MARKETING : { notificationId, ...defined({ subNotificationId }) };
    const user = await users.merge(caller, userId, {}, { nowMs: request.receivedAtMs });
    const stored = await deps.preferenceStore.find(environmentId, userId);
    const own = preferenceFor(stored, scope.notificationId, scope.subNotificationId, channel);
    // What the person chose before they withdrew it returns with their consent.
    const wanted = [own?.delivery, own?.before].find((each) => each !== undefined && each !== 'off');
    const choice =
      state === 'given'
        ? { delivery: wanted ?? ('instant' as const) }
        : { delivery: 'off' as const, ...defined({ before: wanted }) };
    await choose(deps, { accountId, environmentId, userId }, [{ ...scope, channel, ...choice }], {
      ...{ source, actor: actorOf(caller), atMs: request.receivedAtMs, isConsent: true },
      address: channel === 'EMAIL' ? await hashOfUser(deps, accountId, user) : undefined,
    });
    return { message: 'The consent is recorded.' };
  },
  ({ body }) => {
    const { purpose, notificationId, subNotificationId } = fieldsOf(body);
    const isOne = (purpose === undefined) !== (notificationId === undefined);
    if (!isOne) return [{ where: 'body', must: 'must have either purpose or notificationId' }];
    const isLost = purpose !== undefined && subNotificationId !== undefined;
    return isLost ? [{ where: 'body.subNotificationId', must: 'must be with notificationId' }] : [];
  },
);
