import { parseSchedule } from '../../shared/domain/timing/schedule.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { queues } from '../../shared/messaging/queues.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { acceptDependencies } from '../sending/accept/accept-dependencies.ts';
import { moveWaiting, reschedule } from '../sending/waiting/scheduled.ts';
import { entryDependencies } from './entries.ts';
import { moveWaitingRoute } from './routes.ts';

export const handler = endpoint(
  moveWaitingRoute,
  { ...acceptDependencies, ...entryDependencies, queues },
  async ({ caller, path, body, request, ...deps }) => {
    const nowMs = request.receivedAtMs;
    const untilMs = readUntil(body.until, nowMs);
    const { findOwnEntry, moveDelivery, moveDigest } = await import('./change.ts');
    const entry = await findOwnEntry(deps, caller, path.waitingId, nowMs);
    const moment = { untilMs, nowMs };
    if (entry.kind === 'digest') await moveDigest(deps, entry, moment);
    else if (entry.kind === 'delivery') await moveDelivery(deps, entry, moment);
    else
      for (const trackingId of entry.trackingIds) {
        const change = { schedule: isoOf(untilMs) };
        if (entry.kind === 'steps') await moveWaiting(deps, trackingId, moment);
        else await reschedule(deps, caller, { trackingId, change, nowMs });
      }
    return { message: 'It has a new time.', until: isoOf(untilMs) };
  },
);

function readUntil(until: string, nowMs: number): number {
  if (until === 'now') return nowMs;
  const parsed = parseSchedule(until, { nowMs });
  if (parsed.ok) return Math.max(nowMs, parsed.dueAtMs);
  throw new AppError('INVALID_SCHEDULE_FORMAT', {
    fix: 'Send now, or an ISO 8601 time such as 2027-01-31T08:30:00Z, at most one year ahead.',
  });
}
