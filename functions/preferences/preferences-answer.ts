import type { StoredType } from '../../shared/database/entities/notification-types.ts';
import type { Preference, Preferences } from '../../shared/database/entities/preferences.ts';
import type { Channel } from '../../shared/schemas/channel.ts';
import type { TypeOptions } from '../../shared/schemas/notification-type.ts';

/** A user's choices and options, as returned. */
export type PreferencesAnswer = {
  preferences: Preference[];
  notifications: {
    notificationId: string;
    title: string;
    channels: Channel[];
    options: TypeOptions;
  }[];
};

/** Preferences sorted by name, and every type with its options. */
export function preferencesAnswer(preferences: Preferences, types: readonly StoredType[]): PreferencesAnswer {
  return {
    preferences: [...preferences]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, preference]) => preference),
    notifications: types.map(({ notificationId, title, channels, options = {} }) => ({
      notificationId,
      title,
      channels,
      options,
    })),
  };
}
