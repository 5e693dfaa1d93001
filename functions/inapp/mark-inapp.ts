import { inappAcknowledgements } from '../../shared/database/entities/inapp-acknowledgements.ts';
import { inappItems, type MarkChange } from '../../shared/database/entities/inapp-items.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { realtimePublisher } from '../../shared/providers/realtime.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import type { InappMarks } from '../../shared/schemas/inapp.ts';
import { namedUser } from './named-user.ts';
import { markInappRoute } from './routes.ts';

export const handler = endpoint(
  markInappRoute,
  { inappItems, inappAcknowledgements, realtimePublisher },
  async ({ inappItems, inappAcknowledgements, realtimePublisher, caller, body, request }) => {
    const { accountId, environmentId } = caller;
    const userId = namedUser(caller);
    const nowMs = request.receivedAtMs;
    const change = changeOf(body, isoOf(nowMs));
    const trackingIds = [...new Set(body.trackingIds)];
    const positions = await inappItems.findPositions(environmentId, userId, trackingIds);
    const marked = await Promise.all(
      positions.map((position) => inappItems.mark(environmentId, userId, position, change, nowMs)),
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
);

function changeOf({ trackingIds: _, reply, ...marks }: InappMarks, now: string): MarkChange {
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
