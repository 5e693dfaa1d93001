import * as v from 'valibot';
import { CHANNELS } from '../../../shared/schemas/channel.ts';
import { Started } from './started.ts';

/** What a message says of a delivery that came back without a call to the provider. */
export const Postponed = v.object({
  /** How often it came back. */
  times: v.number(),
  /** Calls to the provider before that. */
  calls: v.number(),
  /** When it first came back, epoch milliseconds. */
  sinceMs: v.number(),
});
export type Postponed = v.InferOutput<typeof Postponed>;

/** A postponed delivery on the due queue, until its time comes. */
export const PostponedDelivery = v.object({
  trackingId: v.string(),
  channel: v.picklist(CHANNELS),
  started: v.optional(Started),
  postponed: Postponed,
});
export type PostponedDelivery = v.InferOutput<typeof PostponedDelivery>;
