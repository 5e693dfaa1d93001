import type { StoredType } from '../../shared/database/entities/notification-types.ts';
import type { Preferences } from '../../shared/database/entities/preferences.ts';
import { MARKETING } from '../../shared/domain/opt-outs.ts';
import type { PreferencesAnswer } from '../../shared/schemas/preference.ts';

/** Preferences sorted by name, and every type with its options. */
export function preferencesAnswer(preferences: Preferences, types: readonly StoredType[]): PreferencesAnswer {
  return {
    preferences: [...preferences]
      .filter(([, { notificationId }]) => notificationId !== MARKETING.notificationId)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, { before: _, atMs: __, isConsent: ___, ...preference }]) => preference),
    notifications: types.map(({ notificationId, title, channels, options = {} }) => ({
      notificationId,
      title,
      channels,
      options,
    })),
  };
}
