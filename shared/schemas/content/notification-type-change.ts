import * as v from 'valibot';
import { DAY_SECONDS } from '../../runtime/values/durations.ts';
import { Channel } from '../channel.ts';
import { DeliveryOption } from '../delivery/delivery-mode.ts';
import { parseDay, parseHour } from '../delivery/delivery-time.ts';
import { Steps } from '../delivery/steps.ts';
import { FreeForm, filledTextUpTo, Id, textUpTo } from '../fields/text.ts';
import { EMAIL_SETTINGS } from '../sending/email-settings.ts';
import { CALL_SETTINGS, SMS_SETTINGS } from '../sending/phone-settings.ts';
import { ContentLocale } from '../users/locale.ts';
import { QuietWindows } from '../users/quiet-hours.ts';
import { Deduplication, Purpose, Throttling } from './notification-type.ts';

const TITLE_LENGTH_MAX = 256;
const SETTING_LENGTH_MAX = 32;
const RETENTION_DAYS_MAX = 3650;
const DEDUPLICATION_SECONDS_MAX = 100 * 366 * DAY_SECONDS;
const BATCHING_MINUTES_MAX = 366 * 24 * 60;
const COUNT_MAX = 1_000_000_000;
const LANGUAGES_MAX = 50;
const SCHEMA_BYTES_MAX = 16 * 1024;

/** Most notifications a rolling throttling window may allow: their times are kept in one item. */
const THROTTLE_MAX = 10_000;

/** Longest throttling window in each unit: two years, as long as throttle states are kept. */
const THROTTLE_PERIOD_MAX = {
  seconds: 63_072_000,
  minutes: 1_051_200,
  hours: 17_520,
  days: 730,
  months: 24,
  years: 2,
} as const;

const wholeNumber = (minimum: number, maximum: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(minimum), v.maxValue(maximum));

const enabled = v.object({ enabled: v.boolean() });
const hour = v.optional(
  v.pipe(
    textUpTo(SETTING_LENGTH_MAX),
    v.check(
      (text) => parseHour(text) !== undefined,
      'must be a time of day such as 8, 08:00, 8:00 am or 20:30',
    ),
  ),
);
const day = v.optional(
  v.pipe(
    textUpTo(SETTING_LENGTH_MAX),
    v.check((text) => parseDay(text) !== undefined, 'must be an English weekday, or 0 to 6 with 0 = Sunday'),
  ),
);

/** A field that belongs to other channels' options: named instead of being ignored. */
const foreign = (because: string) =>
  v.optional(
    v.pipe(
      v.unknown(),
      v.check(() => false, because),
    ),
  );
const onlyInapp = foreign('applies to INAPP_WEB only');
const notInapp = foreign('does not apply to INAPP_WEB');

/** Fields that a request must not have: they are in the schema for the text of their error. */
export const FOREIGN_FIELDS: readonly unknown[] = [onlyInapp, notInapp];

const INAPP_MODES = ['off', 'instant'] as const;
const DISABLED_DEFAULT = 'must be an option that is not disabled';

type Switches = Partial<Record<DeliveryOption, { enabled?: boolean | undefined } | undefined>>;

function isOpen(options: Switches & { defaultDeliveryOption: DeliveryOption }): boolean {
  return options[options.defaultDeliveryOption]?.enabled !== false;
}

/** Delivery options of a channel other than INAPP_WEB, in a request. */
export const ChannelOptionsInput = v.pipe(
  v.object({
    defaultDeliveryOption: DeliveryOption,
    off: v.optional(enabled),
    instant: v.optional(enabled),
    hourly: v.optional(enabled),
    daily: v.optional(v.object({ ...enabled.entries, hour })),
    weekly: v.optional(v.object({ ...enabled.entries, hour, day })),
    monthly: v.optional(
      v.object({ ...enabled.entries, hour, date: v.optional(v.picklist(['first', 'last'])) }),
    ),
    batching: onlyInapp,
    batchingKey: onlyInapp,
    batchingWindow: onlyInapp,
  }),
  v.forward(
    v.partialCheck(
      [
        ['defaultDeliveryOption'],
        ['off', 'enabled'],
        ['instant', 'enabled'],
        ['hourly', 'enabled'],
        ['daily', 'enabled'],
        ['weekly', 'enabled'],
        ['monthly', 'enabled'],
      ],
      (options) => isOpen(options),
      DISABLED_DEFAULT,
    ),
    ['defaultDeliveryOption'],
  ),
);

/** Delivery options of INAPP_WEB, in a request. */
export const InappOptionsInput = v.pipe(
  v.object({
    defaultDeliveryOption: v.picklist(INAPP_MODES),
    off: v.optional(enabled),
    instant: v.optional(enabled),
    batching: v.optional(v.boolean()),
    batchingKey: v.optional(filledTextUpTo(TITLE_LENGTH_MAX)),
    batchingWindow: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(BATCHING_MINUTES_MAX))),
    hourly: notInapp,
    daily: notInapp,
    weekly: notInapp,
    monthly: notInapp,
  }),
  v.forward(
    v.partialCheck(
      [['defaultDeliveryOption'], ['off', 'enabled'], ['instant', 'enabled']],
      (options) => isOpen(options),
      DISABLED_DEFAULT,
    ),
    ['defaultDeliveryOption'],
  ),
);

const channelOptions = v.nullish(ChannelOptionsInput);
/** Options per channel, in a request. */
export const OptionsInput = v.object({
  EMAIL: channelOptions,
  INAPP_WEB: v.nullish(InappOptionsInput),
  SMS: channelOptions,
  CALL: channelOptions,
  PUSH: channelOptions,
  WEB_PUSH: channelOptions,
  CHAT: channelOptions,
  email: v.nullish(v.object(EMAIL_SETTINGS)),
  sms: v.nullish(v.object(SMS_SETTINGS)),
  call: v.nullish(v.object(CALL_SETTINGS)),
});

const ThrottlingInput = v.pipe(
  v.object({
    ...Throttling.entries,
    max: wholeNumber(1, COUNT_MAX),
    period: wholeNumber(0, COUNT_MAX),
  }),
  v.forward(
    v.partialCheck(
      [['max'], ['forever']],
      ({ max, forever }) => forever || max <= THROTTLE_MAX,
      `must be at most ${THROTTLE_MAX} unless forever is true`,
    ),
    ['max'],
  ),
  v.forward(
    v.partialCheck(
      [['period'], ['unit'], ['forever']],
      ({ period, unit, forever }) => forever || (period >= 1 && period <= THROTTLE_PERIOD_MAX[unit]),
      'must be at least 1 and no longer than two years unless forever is true',
    ),
    ['period'],
  ),
);

const DeduplicationInput = v.object({
  ...Deduplication.entries,
  duration: wholeNumber(0, DEDUPLICATION_SECONDS_MAX),
});

const once = v.transform((list: Channel[]) => [...new Set(list)]);
const channels = v.pipe(v.array(Channel), v.maxLength(50), once);

const title = filledTextUpTo(TITLE_LENGTH_MAX);
const translations = v.pipe(
  v.record(ContentLocale, v.nullable(v.object({ title: v.optional(title), category: v.optional(title) }))),
  v.check(
    (texts) => Object.keys(texts).length <= LANGUAGES_MAX,
    `must have at most ${LANGUAGES_MAX} languages`,
  ),
);

const switches = {
  category: v.nullish(title),
  translations: v.nullish(translations),
  required: v.nullish(v.boolean()),
  deduplication: v.nullish(DeduplicationInput),
  throttling: v.nullish(ThrottlingInput),
  retention: v.nullish(wholeNumber(1, RETENTION_DAYS_MAX)),
  options: v.nullish(OptionsInput),
  steps: v.nullish(Steps),
  urgent: v.nullish(v.boolean()),
  exemptFromFloor: v.nullish(v.boolean()),
  quietHours: v.nullish(QuietWindows),
  purpose: v.nullish(Purpose),
  sensitive: v.nullish(v.boolean()),
  parametersSchema: v.nullish(
    v.pipe(
      FreeForm,
      v.check(
        (schema) => Buffer.byteLength(JSON.stringify(schema)) <= SCHEMA_BYTES_MAX,
        `must be at most ${SCHEMA_BYTES_MAX} bytes as JSON`,
      ),
    ),
  ),
};

/** Body of POST /types: durations in seconds, retention in days. Repeated channels count once, null is not set. */
export const NewNotificationType = v.object({
  notificationId: Id,
  title,
  channels: v.pipe(v.array(Channel), v.minLength(1), v.maxLength(50), once),
  enabled: v.optional(v.boolean()),
  ...switches,
});
export type NewNotificationType = v.InferOutput<typeof NewNotificationType>;

/**
 * Body of PATCH /types/{notificationId}: absent fields stay, null switches off, options are replaced by
 * channel.
 */
export const NotificationTypeChange = v.object({
  notificationId: v.optional(Id),
  title: v.optional(title),
  channels: v.optional(channels),
  enabled: v.optional(v.boolean()),
  ...switches,
});
export type NotificationTypeChange = v.InferOutput<typeof NotificationTypeChange>;
