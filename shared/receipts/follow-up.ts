import * as v from 'valibot';
import { ReceiptMessage } from '../channels/receipt.ts';
import { AdminNotice } from '../schemas/logs/admin-notice.ts';

/** A text message or call that has ended and whose price is still unknown. */
const PriceQuestion = v.object({
  channel: v.picklist(['SMS', 'CALL']),
  providerMessageId: v.string(),
  trackingId: v.string(),
  accountId: v.string(),
  /** The entry of the order that sent it, when it has a name. */
  provider: v.optional(v.string()),
});
export type PriceQuestion = v.InferOutput<typeof PriceQuestion>;

/** A text message or call whose status is asked for, in case that its callbacks are lost. */
const StatusQuestion = v.object({
  ...PriceQuestion.entries,
  environmentId: v.string(),
  sentAtMs: v.number(),
});
export type StatusQuestion = v.InferOutput<typeof StatusQuestion>;

/** Work that follows a delivery or a webhook call, as a message of its queue. */
export const FollowUp = v.variant('followUp', [
  v.object({ followUp: v.literal('receipt'), ...ReceiptMessage.entries }),
  v.object({ followUp: v.literal('price'), ...PriceQuestion.entries }),
  v.object({ followUp: v.literal('status'), ...StatusQuestion.entries }),
  v.object({ followUp: v.literal('notice'), ...AdminNotice.entries }),
]);
export type FollowUp = v.InferOutput<typeof FollowUp>;
