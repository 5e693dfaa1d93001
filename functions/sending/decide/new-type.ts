import type { NotificationTypes } from '../../../shared/database/entities/content/notification-types.ts';
import type { SendingContext } from '../../../shared/database/entities/sending/sending-context.ts';
import { findNearestName } from '../../../shared/http/problems/nearest-name.ts';

/** A type that a request creates: `created` says so, with what the caller may have meant. */
export type NewType = { created: string };

/**
 * Returns undefined if the type exists. Throws MISSING_NOTIFICATION_TYPE if it does not and the environment creates none
 * on first use.
 */
export async function readNewType(
  types: Pick<NotificationTypes, 'listAll'>,
  notificationId: string,
  { type, environment: { environmentId, createTypes } }: Pick<SendingContext, 'type' | 'environment'>,
): Promise<NewType | undefined> {
  if (type) return undefined;
  const { createdType, unknownType } = await import('./unknown-type.ts');
  const known = (await types.listAll(environmentId)).map((each) => each.notificationId);
  const nearest = findNearestName(notificationId, known);
  if (createTypes === false) throw unknownType(nearest);
  return { created: createdType(nearest) };
}
