import * as v from 'valibot';
import { Channel } from './channel.ts';

/** Why a channel waits. */
export const WaitingReason = v.picklist(['SCHEDULE', 'BATCH', 'QUIET_HOURS', 'PAUSED', 'STEP']);
export type WaitingReason = v.InferOutput<typeof WaitingReason>;

/** A channel of a notification that is accepted and not sent yet. */
export const Waiting = v.object({
  channel: Channel,
  reason: WaitingReason,
  until: v.optional(v.string()),
});
export type Waiting = v.InferOutput<typeof Waiting>;
