import * as v from 'valibot';
import { CHANNELS } from '../channel.ts';
import { parseDay, parseEnd, parseHour } from '../delivery/delivery-time.ts';
import { textUpTo } from '../fields/text.ts';

const TimeOfDay = v.pipe(
  textUpTo(32),
  v.check((text) => parseHour(text) !== undefined, 'must be a time of day such as 22:00 or 7:00 am'),
);
const EndOfDay = v.pipe(
  textUpTo(32),
  v.check((text) => parseEnd(text) !== undefined, 'must be a time of day such as 7:00 or 7:00 am, or 24:00'),
);
const Day = v.pipe(
  textUpTo(32),
  v.check((text) => parseDay(text) !== undefined, 'must be an English weekday, or 0 to 6 with 0 = Sunday'),
);
const HELD_CHANNELS = CHANNELS.filter((channel) => channel !== 'INAPP_WEB');

/**
 * Times when a user must not be disturbed, by the clocks of their timezone, across midnight where `to` is not after `from`: 24
 * hours if both are the same. The window begins on `days`, by default every day.
 */
export const QuietHours = v.object({
  from: TimeOfDay,
  to: EndOfDay,
  days: v.optional(v.pipe(v.array(Day), v.minLength(1, 'must name a day'), v.maxLength(7))),
  channels: v.optional(
    v.pipe(
      v.array(v.picklist(HELD_CHANNELS, 'must be a channel other than INAPP_WEB, which is never held')),
      v.minLength(1, 'must name a channel'),
      v.maxLength(6),
    ),
  ),
  mode: v.optional(v.picklist(['hold', 'drop'])),
});
export type QuietHours = v.InferOutput<typeof QuietHours>;

const WINDOWS_MAX = 10;

/** A window of an account or a type. With `floor`, a user's own settings cannot end it. */
export const QuietWindow = v.object({
  ...QuietHours.entries,
  floor: v.optional(v.boolean()),
  timezone: v.optional(v.literal('recipient')),
});
export type QuietWindow = v.InferOutput<typeof QuietWindow>;

export const QuietWindows = v.union([
  QuietWindow,
  v.pipe(v.array(QuietWindow), v.minLength(1, 'must name a window'), v.maxLength(WINDOWS_MAX)),
]);
export type QuietWindows = v.InferOutput<typeof QuietWindows>;
