import * as v from 'valibot';
import type { Log } from '../../../../shared/database/entities/logs/log-reads.ts';
import { progressOf } from '../../../../shared/domain/routing/steps.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import { DigestMode } from '../../../../shared/schemas/delivery/delivery-mode.ts';

/** The part of a message that describes a channel that waited: the decision at its start. */
export const Started = v.object({
  template: v.optional(v.string()),
  locale: v.optional(v.string()),
  mode: v.optional(DigestMode),
  /** Time of the decision. */
  atMs: v.optional(v.number()),
});
export type Started = v.InferOutput<typeof Started>;

/**
 * Returns the log with a started channel routed as decided at its start, to the user's current contact data.
 * A channel that was skipped or cancelled before stays unchanged.
 */
export function startedLog(log: Log, channel: Channel, started: Started | undefined): Log {
  const { head, events } = log;
  if (!started || head.routing[channel]?.routing !== 'SCHEDULE') return log;
  const isSkipped = events.some((event) => event.channel === channel && event.stage === 'skipped');
  if (isSkipped || progressOf(head, events)?.isCancelled) return log;
  const { email: _, number: __, ...rest } = head;
  const { atMs: ___, ...chosen } = started;
  const decided = { ...chosen, routing: chosen.mode ? 'BATCH' : 'SEND' } as const;
  return { ...log, head: { ...rest, routing: { ...head.routing, [channel]: decided } } };
}

/** Returns the log of a message that quiet hours and a pause do not hold, as they hold no urgent one. */
export function releasedLog(log: Log, isReleased: boolean | undefined): Log {
  const { head } = log;
  return isReleased ? { ...log, head: { ...head, request: { ...head.request, urgent: true } } } : log;
}
