import * as v from 'valibot';
import { Channel } from '../channel.ts';
import { TypeOptions } from '../content/notification-type.ts';
import { DeliveryOption } from '../delivery/delivery-mode.ts';

/** A user's choice for a type, sub-notification and channel. */
export const Preference = v.object({
  notificationId: v.string(),
  subNotificationId: v.optional(v.string()),
  channel: Channel,
  delivery: DeliveryOption,
});
export type Preference = v.InferOutput<typeof Preference>;

/** A user's choices, and every type with its options. */
export const PreferencesResponse = v.object({
  preferences: v.array(Preference),
  notifications: v.array(
    v.object({
      notificationId: v.string(),
      title: v.string(),
      category: v.optional(v.string()),
      required: v.optional(v.boolean()),
      channels: v.array(Channel),
      options: TypeOptions,
    }),
  ),
});
export type PreferencesResponse = v.InferOutput<typeof PreferencesResponse>;
