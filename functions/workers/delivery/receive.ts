import * as v from 'valibot';
import type { Log } from '../../../shared/database/entities/log-reads.ts';
import { Postponed } from './postponed.ts';
import { Started } from './started.ts';

/** The body of a message on a channel's queue. */
export const Body = v.object({
  trackingId: v.string(),
  started: v.optional(Started),
  isReleased: v.optional(v.boolean()),
  postponed: v.optional(Postponed),
});

/** One receive of one channel's message. */
export type Receive = {
  log: Log;
  body: v.InferOutput<typeof Body>;
  receives: number;
  nowMs: number;
  timeLeftMs: () => number;
};
