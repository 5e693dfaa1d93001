import type { StoredType } from '../../shared/database/entities/notification-types.ts';
import type { Preferences } from '../../shared/database/entities/preferences.ts';
import type { PreferencesAnswer } from '../../shared/schemas/preference.ts';

/** Preferences sorted by name, and every type with its options. */
export function preferencesAnswer(preferences: Preferences, types: readonly StoredType[]): PreferencesAnswer {
  return {
    preferences: [...preferences]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, { before: _, ...preference }]) => preference),
    notifications: types.map(({ notificationId, title, channels, options = {} }) => ({
      notificationId,
      title,
      channels,
      options,
    })),
  };
}
