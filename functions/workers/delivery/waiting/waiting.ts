import type { Log } from '../../../../shared/database/entities/logs/log-reads.ts';
import { type Channel, LOG_PREFIX } from '../../../../shared/schemas/channel.ts';
import type { Stage } from '../../../../shared/schemas/logs/stage.ts';

const OUTCOMES: ReadonlySet<Stage> = new Set<Stage>(['sent', 'failed', 'withheld']);
/** Sent by a digest, or withheld. */
const DECIDED: ReadonlySet<Stage> = new Set<Stage>(['digest', 'withheld']);

/**
 * True if the channel is to be sent and has no outcome yet: a redelivered message finds the outcome that it
 * recorded.
 */
export function isWaiting({ head, events }: Log, channel: Channel): boolean {
  if (head.state !== 'accepted' || head.routing[channel]?.routing !== 'SEND') return false;
  return !events.some((event) => event.channel === channel && OUTCOMES.has(event.stage));
}

/** True if the environment withholds the channel, whose content is for the log only. */
export function isWithheld({ head, events }: Log, channel: Channel): boolean {
  const reasons = events.map(({ fields }) => fields[`${LOG_PREFIX[channel]}_routing_reason`]);
  return [head.routing[channel]?.reason, ...reasons].includes('IGNORE_BY_ENVIRONMENT');
}

/** True if the channel is to be collected for a digest and no digest has claimed it yet. */
export function isUnclaimed({ head, events }: Log, channel: Channel): boolean {
  if (head.state !== 'accepted' || head.routing[channel]?.routing !== 'BATCH') return false;
  return !events.some((event) => event.channel === channel && DECIDED.has(event.stage));
}
