import { parseSchedule } from '../../shared/domain/schedule.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import type { Known } from './evaluate.ts';
import type { Intake } from './intake.ts';

/** Returns the requested time; undefined means now. Throws INVALID_SCHEDULE_FORMAT. */
export function readDueAt({ request, contact }: Intake, { user }: Known, nowMs: number): number | undefined {
  if (request.schedule === undefined) return undefined;
  const parsed = parseSchedule(request.schedule, { nowMs, zone: contact.timezone ?? user?.timezone });
  if (!parsed.ok) {
    throw new AppError('INVALID_SCHEDULE_FORMAT', {
      fix: 'Send an ISO 8601 time such as 2027-01-31T08:30:00Z, at most one year ahead.',
    });
  }
  return parsed.inPast ? undefined : parsed.dueAtMs;
}
