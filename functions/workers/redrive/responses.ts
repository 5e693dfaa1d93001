import * as v from 'valibot';
import { Channel } from '../../../shared/schemas/channel.ts';

/** Start of a page: first the feeds of all accounts, then what schedules and digests made ready. */
export const Place = v.union([
  v.object({ accountId: v.string(), position: v.optional(v.string()) }),
  v.object({ shard: v.number(), position: v.optional(v.string()) }),
]);
export type Place = v.InferOutput<typeof Place>;

/** The result of one page: how many notifications were checked, and the messages enqueued on each queue. */
export const Redriven = v.object({
  examined: v.number(),
  messages: v.record(v.string(), v.number()),
  trackingIds: v.array(v.string()),
  /** Where to resume; absent after the last page. */
  next: v.optional(Place),
});
export type Redriven = v.InferOutput<typeof Redriven>;

const Time = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((text) => Date.parse(text)),
);

/** A page of an account's notifications from `from` until before `to`. */
export const RangeRequest = v.object({
  accountId: v.string(),
  from: Time,
  to: Time,
  start: v.optional(v.string()),
});

/** The same for failed messages; absent fields match any. */
export const ResendRequest = v.object({
  ...RangeRequest.entries,
  channel: v.optional(Channel),
  code: v.optional(v.string()),
  isDryRun: v.optional(v.boolean(), false),
});

/**
 * The result of a page of failed messages: messages sent again, those of them that an earlier run sent, and messages that the
 * account's caps or the user's present data refused, by code or reason.
 */
export const ResentPage = v.object({
  isKnown: v.optional(v.boolean(), true),
  examined: v.number(),
  resent: v.number(),
  before: v.optional(v.number(), 0),
  refused: v.record(v.string(), v.number()),
  next: v.optional(v.string()),
});
export type ResentPage = v.InferOutput<typeof ResentPage>;

/** The result of one page: counts of outcomes by the minute of acceptance, such as `2026-11-20T14:03` and `EMAIL sent`. */
export const ExplainedPage = v.object({
  isKnown: v.boolean(),
  counts: v.record(v.string(), v.record(v.string(), v.number())),
  next: v.optional(v.string()),
});
export type ExplainedPage = v.InferOutput<typeof ExplainedPage>;

const Usage = v.object({ counts: v.record(v.string(), v.number()), costUsd: v.number() });

/** Where to resume a recount, and the findings of the pages before, by account. */
export const RecountPlace = v.object({ place: Place, found: v.record(v.string(), Usage) });
export type RecountPlace = v.InferOutput<typeof RecountPlace>;

/** Addition to an account's usage of a day. */
export const AddedUsage = v.object({ accountId: v.string(), ...Usage.entries });
export type AddedUsage = v.InferOutput<typeof AddedUsage>;

/** The result of a page. For the last page, what was added to each incomplete account. */
export const Recounted = v.object({
  examined: v.number(),
  next: v.optional(RecountPlace),
  added: v.optional(v.array(AddedUsage)),
});
export type Recounted = v.InferOutput<typeof Recounted>;
