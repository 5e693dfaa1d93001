import type { StoredLogHead } from '../../../shared/database/entities/log-head.ts';
import { logs } from '../../../shared/database/entities/logs.ts';
import { notificationTypes } from '../../../shared/database/entities/notification-types.ts';
import { sendingContexts } from '../../../shared/database/entities/sending-context.ts';
import { sendingRules } from '../../../shared/database/entities/sending-rules.ts';
import { usageCaps } from '../../../shared/database/entities/usage-caps.ts';
import { users } from '../../../shared/database/entities/users.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { makeReady } from '../../sending/due.ts';

/**
 * Makes scheduled notifications ready, in two reads for all of them and one write for each; what came of each, in their
 * order. One that is not waiting any more, or was moved to a later time, which has a message of its own, is left alone.
 */
export async function readyNotifications(
  trackingIds: readonly string[],
  nowMs: number,
): Promise<PromiseSettledResult<unknown>[]> {
  const items = await resolve(logs).findHeadItems(trackingIds, nowMs);
  const heads = await Promise.allSettled(
    items.map(async (item) => (item ? resolve(logs).readHead(item) : undefined)),
  );
  const waiting = heads.flatMap((each) =>
    each.status === 'fulfilled' && isDue(each.value, nowMs) ? [each.value] : [],
  );
  if (waiting.length === 0) return heads;
  const deps = {
    logs: resolve(logs),
    sendingRules: resolve(sendingRules),
    users: resolve(users),
    notificationTypes: resolve(notificationTypes),
    usageCaps: resolve(usageCaps),
  };
  const contextAt = await resolve(sendingContexts).readAll(waiting);
  const made = await Promise.allSettled(
    waiting.map(async (head, index) => makeReady(deps, head, contextAt(index), nowMs)),
  );
  const outcomes = new Map(waiting.map((head, index) => [head, made[index]]));
  return heads.map((each) => (each.status === 'fulfilled' && each.value && outcomes.get(each.value)) || each);
}

function isDue(head: StoredLogHead | undefined, nowMs: number): head is StoredLogHead {
  return head?.state === 'scheduled' && head.scheduledForMs !== undefined && head.scheduledForMs <= nowMs;
}
