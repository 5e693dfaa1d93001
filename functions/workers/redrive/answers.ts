import * as v from 'valibot';

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
  /** Position at which to resume; absent after the last page. */
  next: v.optional(Place),
});
export type Redriven = v.InferOutput<typeof Redriven>;

/** The result of one page of failed messages: those sent again, and those that the account's caps or data refused, by code. */
export const ResentPage = v.object({
  examined: v.number(),
  resent: v.number(),
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

/** Position at which to resume a recount, and the findings of the pages before, by account. */
export const RecountPlace = v.object({ place: Place, found: v.record(v.string(), Usage) });
export type RecountPlace = v.InferOutput<typeof RecountPlace>;

/** Addition to an account's usage of a day. */
export const AddedUsage = v.object({ accountId: v.string(), ...Usage.entries });
export type AddedUsage = v.InferOutput<typeof AddedUsage>;

/** The result of one page; of the last one, what was added to each account that lacked something. */
export const Recounted = v.object({
  examined: v.number(),
  next: v.optional(RecountPlace),
  added: v.optional(v.array(AddedUsage)),
});
export type Recounted = v.InferOutput<typeof Recounted>;
