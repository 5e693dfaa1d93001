import { environments } from '../../shared/database/entities/accounts/environments.ts';
import {
  notificationTypes,
  type StoredType,
} from '../../shared/database/entities/content/notification-types.ts';
import { users } from '../../shared/database/entities/users/users.ts';
import { effectiveDelivery, optionsOn } from '../../shared/domain/timing/delivery-options.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { assertNoProblems, type Problem } from '../../shared/http/problems/problems.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import type { Preference } from '../../shared/schemas/users/preference.ts';
import { actorOf, choiceDependencies, choose, hashOfUser } from './choose.ts';
import { preferencesResponse } from './preferences-response.ts';
import { savePreferencesRoute } from './routes.ts';

export const handler = endpoint(
  savePreferencesRoute,
  { ...choiceDependencies, environments, notificationTypes, users },
  async ({ notificationTypes, users, caller, path, body, request, ...deps }) => {
    const types = await notificationTypes.listAll(caller.environmentId);
    assertChoosable(body, new Map(types.map((type) => [type.notificationId, type])));
    const { accountId, environmentId } = caller;
    const atMs = request.receivedAtMs;
    const user = await users.merge(caller, path.userId, {}, { nowMs: atMs, seen: true });
    // Without a user hash, anyone could be the person: an opt-out of the address stays.
    const isPerson =
      caller.kind === 'public' && (await deps.environments.find(accountId, environmentId))?.secureMode;
    const address = isPerson ? await hashOfUser(deps, accountId, user) : undefined;
    const by = { source: 'api', actor: actorOf(caller), atMs, address, onlyEnds: true };
    await choose(deps, { accountId, environmentId, userId: path.userId }, body, by);
    const saved = await deps.preferenceStore.find(caller.environmentId, path.userId);
    return preferencesResponse(saved, types, user.locale);
  },
);

/**
 * Throws RESOURCE_NOT_FOUND for an unknown type, and INVALID_REQUEST with every option that is not enabled.
 */
function assertChoosable(
  choices: readonly Preference[],
  types: ReadonlyMap<string, Pick<StoredType, 'options' | 'required'>>,
): void {
  const problems: Problem[] = [];
  choices.forEach(({ notificationId, channel, delivery }, index) => {
    const type = types.get(notificationId);
    if (!type) {
      throw new AppError('RESOURCE_NOT_FOUND', {
        message: `The notification type of body[${index}].notificationId does not exist in this environment.`,
        fix: 'GET /users/{userId}/preferences lists the notification types in notifications.',
      });
    }
    if (effectiveDelivery({ options: optionsOn(type, channel), preference: delivery }) !== delivery) {
      const must =
        type.required && delivery === 'off'
          ? 'must not be off: the notification type is required'
          : 'must be an option that the notification type enables on the channel';
      problems.push({ where: `body[${index}].delivery`, must });
    }
  });
  assertNoProblems(problems);
}
