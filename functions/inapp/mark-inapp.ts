import { inappAcknowledgements } from '../../shared/database/entities/inapp/inapp-acknowledgements.ts';
import type { MarkChange } from '../../shared/database/entities/inapp/inapp-item.ts';
import { inappItems } from '../../shared/database/entities/inapp/inapp-items.ts';
import { inappSnoozes } from '../../shared/database/entities/inapp/inapp-snoozes.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { fieldsOf, type RequestParts, textOf } from '../../shared/http/problems/check.ts';
import type { Problem } from '../../shared/http/problems/problems.ts';
import { realtimePublisher } from '../../shared/providers/clients/realtime.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { DAY_MS } from '../../shared/runtime/values/durations.ts';
import type { InappMarks } from '../../shared/schemas/users/inapp.ts';
import { namedUser, userProblems } from './named-user.ts';
import { markInappRoute } from './routes.ts';

/** As far ahead as a schedule. */
const SNOOZE_MS_MAX = 366 * DAY_MS;

export const handler = endpoint(
  markInappRoute,
  { inappItems, inappSnoozes, inappAcknowledgements, realtimePublisher },
  async ({ inappItems, inappSnoozes, inappAcknowledgements, realtimePublisher, caller, body, request }) => {
    const { accountId, environmentId } = caller;
    const userId = namedUser(caller);
    const nowMs = request.receivedAtMs;
    const untilMs = snoozeOf(body);
    const change = changeOf(body, isoOf(nowMs));
    const trackingIds = [...new Set(body.trackingIds)];
    const positions = await inappItems.findPositions(environmentId, userId, trackingIds);
    const scope = { environmentId, userId };
    const marked = await Promise.all(
      positions.map(async (position) => {
        const hasMarks = Object.keys(change).length > 0;
        const item = hasMarks ? await inappItems.mark({ ...scope, position, change, nowMs }) : undefined;
        if (hasMarks && !item) return undefined;
        // Archived items do not return.
        const next = untilMs === undefined && item?.snoozedUntil && change.archived ? null : untilMs;
        return next === undefined ? item : inappSnoozes.snooze(scope, position, next, nowMs);
      }),
    );
    const notifications = marked.filter((item) => item !== undefined);
    if (notifications.length === 0) {
      throw new AppError('RESOURCE_NOT_FOUND', {
        message: 'The user has no in-app notification with these tracking IDs.',
        fix: 'GET /user/inapp lists the notifications of the user.',
      });
    }
    await inappAcknowledgements.add({ accountId, environmentId, userId }, notifications, nowMs);
    await realtimePublisher.publishMarks(environmentId, userId, notifications);
    return { notifications };
  },
  (parts) => [...userProblems(parts), ...snoozeProblems(parts)],
);

/** The time until which to snooze; null ends the snooze, undefined keeps it. */
function snoozeOf({ snoozedUntil }: InappMarks): number | null | undefined {
  return typeof snoozedUntil === 'string' ? Date.parse(snoozedUntil) : snoozedUntil;
}

function snoozeProblems({ body, nowMs }: RequestParts): Problem[] {
  const snoozedUntil = textOf(fieldsOf(body).snoozedUntil);
  const untilMs = snoozedUntil === undefined ? Number.NaN : Date.parse(snoozedUntil);
  const isWrong = untilMs <= nowMs || untilMs > nowMs + SNOOZE_MS_MAX;
  const must = 'must be a time in the future, at most one year ahead';
  return isWrong ? [{ where: 'body.snoozedUntil', must }] : [];
}

function changeOf(
  { trackingIds: _, snoozedUntil: __, reply, ...marks }: InappMarks,
  now: string,
): MarkChange {
  const change: MarkChange = {};
  for (const name of ['opened', 'clicked', 'archived', 'actioned1', 'actioned2'] as const) {
    const value = marks[name];
    if (value !== undefined) change[name] = value === true ? now : value;
  }
  if (reply === null) change.reply = null;
  else if (typeof reply === 'string') change.reply = { date: now, message: reply };
  else if (reply !== undefined) change.reply = { date: reply.date ?? now, message: reply.message };
  return change;
}
