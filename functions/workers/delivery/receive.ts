import * as v from 'valibot';
import type { Log } from '../../../shared/database/entities/logs/log-reads.ts';
import { Postponed } from './waiting/postponed.ts';
import { Started } from './waiting/started.ts';

export const Body = v.object({
  trackingId: v.string(),
  started: v.optional(Started),
  isReleased: v.optional(v.boolean()),
  postponed: v.optional(Postponed),
});

export type Receive = {
  log: Log;
  body: v.InferOutput<typeof Body>;
  receives: number;
  nowMs: number;
  timeLeftMs: () => number;
};
