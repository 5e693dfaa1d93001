import * as v from 'valibot';
import { ReceiptMessage } from '../channels/receipt.ts';
import { AdminNotice } from '../schemas/admin-notice.ts';
import { PriceQuestion } from './price-question.ts';
import { StatusQuestion } from './status-question.ts';

/** Work that follows a delivery or a webhook call, as a message of its queue. */
export const FollowUp = v.variant('followUp', [
  v.object({ followUp: v.literal('receipt'), ...ReceiptMessage.entries }),
  v.object({ followUp: v.literal('price'), ...PriceQuestion.entries }),
  v.object({ followUp: v.literal('status'), ...StatusQuestion.entries }),
  v.object({ followUp: v.literal('notice'), ...AdminNotice.entries }),
]);
export type FollowUp = v.InferOutput<typeof FollowUp>;
