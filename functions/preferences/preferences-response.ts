import type { StoredType } from '../../shared/database/entities/content/notification-types.ts';
import type { Preferences } from '../../shared/database/entities/users/preferences.ts';
import { inCategories } from '../../shared/domain/content/type-texts.ts';
import { mayBeOff, optionsOn } from '../../shared/domain/timing/delivery-options.ts';
import { MARKETING } from '../../shared/domain/users/opt-outs.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import type { PreferencesResponse } from '../../shared/schemas/users/preference.ts';

/** Preferences sorted by name, and every type with its options, in the language. */
export function preferencesResponse(
  preferences: Preferences,
  types: readonly StoredType[],
  locale: string | undefined,
): PreferencesResponse {
  return {
    preferences: [...preferences]
      .filter(([, { notificationId }]) => notificationId !== MARKETING.notificationId)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, { before: _, atMs: __, isConsent: ___, ...preference }]) => preference),
    notifications: inCategories(types, [locale]).map((type) => {
      const { notificationId, title, category, channels, options = {} } = type;
      const isRequired = channels.length > 0 && !channels.some((channel) => mayBeOff(type, channel));
      const fixed = type.required ? channels.map((channel) => [channel, optionsOn(type, channel)]) : [];
      return {
        notificationId,
        title,
        channels,
        options: { ...options, ...Object.fromEntries(fixed) },
        ...defined({ category, required: isRequired || undefined }),
      };
    }),
  };
}
