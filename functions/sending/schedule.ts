import { parseSchedule } from '../../shared/domain/timing/schedule.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import type { Intake } from './accept/intake.ts';
import type { Known } from './decide/evaluate.ts';

/** The requested time; `isPast`: it has passed, so the notification does not wait. */
export type RequestedTime = { dueAtMs: number | undefined; isPast: boolean };

/** Returns the requested time; undefined means now. Throws INVALID_SCHEDULE_FORMAT. */
export function readDueAt(
  { request, contact }: Intake,
  { context, user }: Known,
  nowMs: number,
): RequestedTime {
  if (request.schedule === undefined) return { dueAtMs: undefined, isPast: false };
  const zone = contact.timezone ?? user?.timezone ?? context.account.timezone;
  const parsed = parseSchedule(request.schedule, { nowMs, zone });
  if (!parsed.ok) {
    throw new AppError('INVALID_SCHEDULE_FORMAT', {
      path: 'schedule',
      fix: 'Send an ISO 8601 time such as 2027-01-31T08:30:00Z, at most one year ahead.',
    });
  }
  return { dueAtMs: parsed.inPast ? undefined : parsed.dueAtMs, isPast: parsed.inPast };
}
