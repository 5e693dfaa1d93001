import { notificationTypes, type StoredType } from '../../shared/database/entities/notification-types.ts';
import { preferenceStore } from '../../shared/database/entities/preferences.ts';
import { users } from '../../shared/database/entities/users.ts';
import { effectiveDelivery } from '../../shared/domain/delivery-options.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { assertNoProblems, type Problem } from '../../shared/http/problems.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import type { Preference } from '../../shared/schemas/preference.ts';
import { preferencesAnswer } from './preferences-answer.ts';
import { savePreferencesRoute } from './routes.ts';

export const handler = endpoint(
  savePreferencesRoute,
  { preferenceStore, notificationTypes, users },
  async ({ preferenceStore, notificationTypes, users, caller, path, body, request }) => {
    const types = await notificationTypes.listAll(caller.environmentId);
    assertChoosable(body, new Map(types.map((type) => [type.notificationId, type])));
    await preferenceStore.set(caller.environmentId, path.userId, body);
    await users.merge(caller, path.userId, {}, { nowMs: request.receivedAtMs, seen: true });
    return preferencesAnswer(await preferenceStore.find(caller.environmentId, path.userId), types);
  },
);

/**
 * Throws RESOURCE_NOT_FOUND for an unknown type, and INVALID_REQUEST with every option that is not enabled.
 */
function assertChoosable(
  choices: readonly Preference[],
  types: ReadonlyMap<string, Pick<StoredType, 'options'>>,
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
    if (effectiveDelivery({ options: type.options?.[channel], preference: delivery }) !== delivery) {
      problems.push({
        where: `body[${index}].delivery`,
        must: 'must be an option that the notification type enables on the channel',
      });
    }
  });
  assertNoProblems(problems);
}
