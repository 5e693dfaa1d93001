import * as v from 'valibot';
import { Channel } from '../channel.ts';
import { DigestMode } from '../delivery/delivery-mode.ts';
import { StepCondition } from '../delivery/steps.ts';

/** Why a channel is held that could be sent. */
export const HoldReason = v.picklist(['QUIET_HOURS', 'PAUSED']);
export type HoldReason = v.InferOutput<typeof HoldReason>;

/** Why a channel waits when its request is accepted. */
export const WaitingReason = v.picklist(['SCHEDULE', 'BATCH', ...HoldReason.options, 'STEP']);
export type WaitingReason = v.InferOutput<typeof WaitingReason>;

/** A channel of a notification that is accepted and not sent yet. */
export const Waiting = v.object({
  channel: Channel,
  reason: WaitingReason,
  until: v.optional(v.string()),
});
export type Waiting = v.InferOutput<typeof Waiting>;

/** Why a channel waits, of what was accepted at any time. */
export const WaitingListReason = v.picklist([...WaitingReason.options, 'RETRY']);
export type WaitingListReason = v.InferOutput<typeof WaitingListReason>;

/** Something that waits, of a list. */
export const WaitingEntry = v.object({
  waitingId: v.string(),
  trackingIds: v.array(v.string()),
  type: v.string(),
  userId: v.optional(v.string()),
  topic: v.optional(v.string()),
  delivery: v.optional(DigestMode),
  until: v.string(),
  channels: v.array(
    v.object({
      channel: Channel,
      reason: WaitingListReason,
      until: v.string(),
      when: v.optional(StepCondition),
    }),
  ),
});
export type WaitingEntry = v.InferOutput<typeof WaitingEntry>;
