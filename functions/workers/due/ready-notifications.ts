import type { StoredLogHead } from '../../../shared/database/entities/log-head.ts';
import { logs } from '../../../shared/database/entities/logs.ts';
import { notificationTypes } from '../../../shared/database/entities/notification-types.ts';
import { sendingContexts } from '../../../shared/database/entities/sending-context.ts';
import { sendingRules } from '../../../shared/database/entities/sending-rules.ts';
import { usageCaps } from '../../../shared/database/entities/usage-caps.ts';
import { users } from '../../../shared/database/entities/users.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { makeReady } from '../../sending/due.ts';

/** The dependencies of `readyNotifications`, by name. */
export const readyDependencies = { logs, notificationTypes, sendingContexts, sendingRules, usageCaps, users };

/**
 * Makes scheduled notifications ready, in two reads for all of them and one write for each. Returns their outcomes in
 * order. One that is not waiting any more, or was moved to a later time, which has a separate message, is left alone.
 */
export async function readyNotifications(
  deps: Resolved<typeof readyDependencies>,
  trackingIds: readonly string[],
  nowMs: number,
): Promise<PromiseSettledResult<unknown>[]> {
  if (trackingIds.length === 0) return [];
  const items = await deps.logs.findHeadItems(trackingIds, nowMs);
  const heads = await Promise.allSettled(
    items.map(async (item) => (item ? deps.logs.readHead(item) : undefined)),
  );
  const waiting = heads.flatMap((each) =>
    each.status === 'fulfilled' && isDue(each.value, nowMs) ? [each.value] : [],
  );
  if (waiting.length === 0) return heads;
  const contextAt = await deps.sendingContexts.readAll(waiting);
  const made = await Promise.allSettled(
    waiting.map(async (head, index) => makeReady(deps, head, contextAt(index), nowMs)),
  );
  const outcomes = new Map(waiting.map((head, index) => [head, made[index]]));
  return heads.map((each) => (each.status === 'fulfilled' && each.value && outcomes.get(each.value)) || each);
}

function isDue(head: StoredLogHead | undefined, nowMs: number): head is StoredLogHead {
  return head?.state === 'scheduled' && head.scheduledForMs !== undefined && head.scheduledForMs <= nowMs;
}
