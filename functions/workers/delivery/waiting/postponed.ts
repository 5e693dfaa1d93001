import * as v from 'valibot';
import { Unfinished } from '../../../../shared/database/entities/sending/provider-calls.ts';
import { CHANNELS } from '../../../../shared/schemas/channel.ts';
import { Started } from './started.ts';

/** The part of a message that describes a delivery postponed without a call that counts as an attempt. */
export const Postponed = v.object({
  times: v.number(),
  /** Calls to the provider before that. */
  calls: v.number(),
  /** When it was first postponed, epoch milliseconds. */
  sinceMs: v.number(),
  unfinished: v.optional(Unfinished),
  /** The tokens of a sent push that are tried again: its outcome is recorded. */
  tokens: v.optional(v.array(v.string())),
});
export type Postponed = v.InferOutput<typeof Postponed>;

/** A postponed delivery on the due queue, until it is due. */
export const PostponedDelivery = v.object({
  trackingId: v.string(),
  channel: v.picklist(CHANNELS),
  started: v.optional(Started),
  isReleased: v.optional(v.boolean()),
  postponed: Postponed,
});
export type PostponedDelivery = v.InferOutput<typeof PostponedDelivery>;
