import * as v from 'valibot';
import { Channel } from '../channel.ts';
import { DeliveryOption } from '../delivery/delivery-mode.ts';
import { Steps } from '../delivery/steps.ts';
import { DATES } from '../fields/dates.ts';
import { FreeForm } from '../fields/text.ts';
import { EMAIL_SETTINGS } from '../sending/email-settings.ts';
import { CALL_SETTINGS, SMS_SETTINGS } from '../sending/phone-settings.ts';
import { QuietWindows } from '../users/quiet-hours.ts';

const enabled = v.object({ enabled: v.boolean() });
const HourOfDay = v.string();

/** Delivery options of a channel other than INAPP_WEB. */
export const ChannelOptions = v.object({
  defaultDeliveryOption: DeliveryOption,
  off: v.optional(enabled),
  instant: v.optional(enabled),
  hourly: v.optional(enabled),
  daily: v.optional(v.object({ enabled: v.boolean(), hour: v.optional(HourOfDay) })),
  weekly: v.optional(
    v.object({ enabled: v.boolean(), hour: v.optional(HourOfDay), day: v.optional(v.string()) }),
  ),
  monthly: v.optional(
    v.object({
      enabled: v.boolean(),
      hour: v.optional(HourOfDay),
      date: v.optional(v.picklist(['first', 'last'])),
    }),
  ),
});
export type ChannelOptions = v.InferOutput<typeof ChannelOptions>;

export const InappOptions = v.object({
  defaultDeliveryOption: v.picklist(['off', 'instant']),
  off: v.optional(enabled),
  instant: v.optional(enabled),
  batching: v.optional(v.boolean()),
  batchingKey: v.optional(v.string()),
  batchingWindow: v.optional(v.number()),
});
export type InappOptions = v.InferOutput<typeof InappOptions>;

export const TypeOptions = v.object({
  EMAIL: v.optional(ChannelOptions),
  INAPP_WEB: v.optional(InappOptions),
  SMS: v.optional(ChannelOptions),
  CALL: v.optional(ChannelOptions),
  PUSH: v.optional(ChannelOptions),
  WEB_PUSH: v.optional(ChannelOptions),
  CHAT: v.optional(ChannelOptions),
  email: v.optional(v.object(EMAIL_SETTINGS)),
  sms: v.optional(v.object(SMS_SETTINGS)),
  call: v.optional(v.object(CALL_SETTINGS)),
});
export type TypeOptions = v.InferOutput<typeof TypeOptions>;

export const Throttling = v.object({
  max: v.number(),
  period: v.number(),
  unit: v.picklist(['seconds', 'minutes', 'hours', 'days', 'months', 'years']),
  forever: v.boolean(),
  scope: v.strictTuple([v.picklist(['userId', 'notificationId']), v.picklist(['userId', 'notificationId'])]),
});
export type Throttling = v.InferOutput<typeof Throttling>;

/** Deduplication of a notification type: duration in seconds; 0 has no end. */
export const Deduplication = v.object({ duration: v.number() });
export type Deduplication = v.InferOutput<typeof Deduplication>;

/** Why notifications of a type are sent; transactional unless said. */
export const Purpose = v.picklist(['transactional', 'marketing']);

/** What recipients read of a type in another language. */
const TypeTexts = v.object({ title: v.optional(v.string()), category: v.optional(v.string()) });

/** Fields of a notification type, as stored and as returned. */
export const NOTIFICATION_TYPE_FIELDS = {
  notificationId: v.string(),
  title: v.string(),
  category: v.optional(v.string()),
  translations: v.optional(v.record(v.string(), TypeTexts)),
  channels: v.array(Channel),
  enabled: v.boolean(),
  required: v.optional(v.boolean()),
  deduplication: v.optional(Deduplication),
  throttling: v.optional(Throttling),
  retention: v.optional(v.number()),
  options: v.optional(TypeOptions),
  steps: v.optional(Steps),
  urgent: v.optional(v.boolean()),
  exemptFromFloor: v.optional(v.boolean()),
  quietHours: v.optional(QuietWindows),
  purpose: v.optional(Purpose),
  sensitive: v.optional(v.boolean()),
  parametersSchema: v.optional(FreeForm),
};

export const NotificationType = v.object({
  envId: v.string(),
  ...NOTIFICATION_TYPE_FIELDS,
  ...DATES,
  templates: v.optional(v.array(v.object({ channel: Channel, templateIds: v.array(v.string()) }))),
});
export type NotificationType = v.InferOutput<typeof NotificationType>;
