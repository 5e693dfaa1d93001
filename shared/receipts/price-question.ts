import * as v from 'valibot';

/** A text or call that has ended and whose price is still to be asked for. */
export const PriceQuestion = v.object({
  channel: v.picklist(['SMS', 'CALL']),
  providerMessageId: v.string(),
  trackingId: v.string(),
  accountId: v.string(),
});
export type PriceQuestion = v.InferOutput<typeof PriceQuestion>;
