import * as v from 'valibot';
import { isoOf } from '../../runtime/clock.ts';
import { Id, textUpTo } from '../fields/text.ts';
import { IsoTime, isIsoTime } from '../fields/time.ts';

/** Most items one page or one change of marks may have. */
const INAPP_ITEMS_MAX = 100;

/** The views of an inbox besides all of it. */
export const INAPP_FILTERS = ['unread', 'archived', 'snoozed'] as const;
export type InappFilter = (typeof INAPP_FILTERS)[number];

/** The end of the year 9999: later times have more digits and do not sort as text. */
const TIME_MS_MAX = 253_402_300_799_999;

/** A mark to set: its time, or true for now; null clears it. */
const Mark = v.nullish(
  v.pipe(
    v.union([v.string(), v.literal(true)]),
    v.check(
      (mark) => mark === true || isIsoTime(mark),
      'must be an ISO 8601 time with Z or offset, true for now, or null',
    ),
    v.transform((mark) => (mark === true ? mark : isoOf(Date.parse(mark)))),
  ),
);

export const Moment = v.pipe(
  v.string(),
  v.check(
    (text) => (/^\d{1,15}$/.test(text) && Number(text) <= TIME_MS_MAX) || isIsoTime(text),
    'must be milliseconds since 1970 or an ISO 8601 time with Z or offset',
  ),
  v.transform((text) => (/^\d+$/.test(text) ? Number(text) : Date.parse(text))),
);

/** Body of PATCH /user/inapp. */
export const InappMarks = v.pipe(
  v.object({
    trackingIds: v.pipe(
      v.array(Id),
      v.minLength(1, 'must have at least 1 entry'),
      v.maxLength(INAPP_ITEMS_MAX, `must have at most ${INAPP_ITEMS_MAX} entries`),
    ),
    opened: Mark,
    clicked: Mark,
    archived: Mark,
    actioned1: Mark,
    actioned2: Mark,
    reply: v.nullish(
      v.union([textUpTo(4096), v.object({ message: textUpTo(4096), date: v.optional(IsoTime) })]),
    ),
    snoozedUntil: v.nullish(IsoTime),
  }),
  v.partialCheck(
    [['opened'], ['clicked'], ['archived'], ['actioned1'], ['actioned2'], ['reply'], ['snoozedUntil']],
    (given) => Object.entries(given).some(([name, value]) => name !== 'trackingIds' && value !== undefined),
    'must have at least one of opened, clicked, archived, actioned1, actioned2, reply, snoozedUntil',
  ),
  v.forward(
    v.partialCheck(
      [['archived'], ['snoozedUntil']],
      ({ archived, snoozedUntil }) => !archived || !snoozedUntil,
      'cannot be set with archived',
    ),
    ['snoozedUntil'],
  ),
);
export type InappMarks = v.InferOutput<typeof InappMarks>;
