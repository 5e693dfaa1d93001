import * as v from 'valibot';

/** A text message or call that has ended and whose price is still unknown. */
export const PriceQuestion = v.object({
  channel: v.picklist(['SMS', 'CALL']),
  providerMessageId: v.string(),
  trackingId: v.string(),
  accountId: v.string(),
  /** The entry of the order that sent it, when it has a name. */
  provider: v.optional(v.string()),
});
export type PriceQuestion = v.InferOutput<typeof PriceQuestion>;
