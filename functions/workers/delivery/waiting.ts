import type { Log } from '../../../shared/database/entities/logs.ts';
import { type Channel, LOG_PREFIX } from '../../../shared/schemas/channel.ts';

const OUTCOMES = new Set(['sent', 'failed', 'withheld']);
/** Carried by a digest, or not to be sent after all. */
const DECIDED = new Set(['digest', 'withheld']);

/** Whether the channel is to be sent and has no outcome yet: a repeated message finds the one it made. */
export function isWaiting({ head, events }: Log, channel: Channel): boolean {
  if (head.state !== 'accepted' || head.routing[channel]?.routing !== 'SEND') return false;
  const prefix = LOG_PREFIX[channel];
  return !events.some((event) => event.prefix === prefix && OUTCOMES.has(event.stage));
}

/** Whether the channel is to be collected for a digest and no digest carries it yet. */
export function isUncarried({ head, events }: Log, channel: Channel): boolean {
  if (head.state !== 'accepted' || head.routing[channel]?.routing !== 'BATCH') return false;
  const prefix = LOG_PREFIX[channel];
  return !events.some((event) => event.prefix === prefix && DECIDED.has(event.stage));
}
