import type { LogFields } from '../../schemas/logs/log-record.ts';
import type { Stage } from '../../schemas/logs/stage.ts';

const UNREACHED = { call_delivered_code: /^(?:BUSY|NO_ANSWER|UNKNOWN)$/, call_answered_by: /^machine$/ };
const ARRIVED = { email_failed_code: /^COMPLAINT_/ };

type Outcome = { stage: Stage; fields?: LogFields; delivered?: LogFields };

/** True if the event says that the message reached its recipient. */
export function isArrival({ stage, fields = {}, delivered }: Outcome): boolean {
  if (delivered) return !hasCode(delivered, UNREACHED);
  if (stage === 'failed') return hasCode(fields, ARRIVED);
  return ARRIVALS.includes(stage) && !hasCode(fields, UNREACHED);
}

export function isMiss(outcome: Outcome): boolean {
  const isOver = MISSES.includes(outcome.stage) || outcome.delivered !== undefined;
  return isOver && !isArrival(outcome);
}

/** True if the event says that a machine took the call: the end of the call, reported separately, then reached nobody. */
export const isOfMachine = ({ fields }: Pick<Outcome, 'fields'>): boolean =>
  fields?.call_answered_by === 'machine';

const ARRIVALS: readonly Stage[] = ['delivered', 'acknowledged', 'opened', 'clicked'];
const MISSES: readonly Stage[] = ['delivered', 'failed', 'withheld', 'skipped'];

function hasCode(fields: LogFields, codes: Readonly<Record<string, RegExp>>): boolean {
  return Object.entries(codes).some(([field, code]) => code.test(String(fields[field as keyof LogFields])));
}
