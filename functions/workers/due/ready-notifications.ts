import { accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import { notificationTypes } from '../../../shared/database/entities/content/notification-types.ts';
import { erasureMarks } from '../../../shared/database/entities/erasure/erasure-marks.ts';
import { inappItems } from '../../../shared/database/entities/inapp/inapp-items.ts';
import type { StoredLogHead } from '../../../shared/database/entities/logs/log-head.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { sendingContexts } from '../../../shared/database/entities/sending/sending-context.ts';
import { sendingRules } from '../../../shared/database/entities/sending/sending-rules.ts';
import { usageCaps } from '../../../shared/database/entities/usage/usage-caps.ts';
import { topics } from '../../../shared/database/entities/users/topics.ts';
import { users } from '../../../shared/database/entities/users/users.ts';
import { queues } from '../../../shared/messaging/queues.ts';
import type { Clock } from '../../../shared/runtime/clock.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { makeReady } from '../../sending/waiting/due.ts';
import { advanceNotification } from './advance-notification.ts';
import { fanOutStep } from './fan-out.ts';

export const readyDependencies = {
  accounts,
  inappItems,
  logs,
  notificationTypes,
  queues,
  sendingContexts,
  sendingRules,
  usageCaps,
  erasureMarks,
  topics,
  users,
};
type Deps = Resolved<typeof readyDependencies> & { clock: Clock };
/** A notification that may be due, and until when due work is held back. */
type DueNotification = { trackingId: string; heldBackUntilMs: number };
type Outcomes = [StoredLogHead, PromiseSettledResult<unknown>][];

/**
 * Makes due notifications ready: scheduled notifications with two reads for all of them and a write each, and the steps and held
 * channels of accepted notifications; sends to topics take a step. Returns their outcomes in order. A notification that no longer
 * waits, or was moved to a later time, which has a separate message, is left unchanged.
 */
export async function readyNotifications(
  deps: Deps,
  due: readonly DueNotification[],
  nowMs: number,
): Promise<PromiseSettledResult<unknown>[]> {
  if (due.length === 0) return [];
  const items = await deps.logs.findHeadItems(
    due.map(({ trackingId }) => trackingId),
    nowMs,
  );
  const heads = await Promise.allSettled(
    items.map(async (item) => (item ? deps.logs.readHead(item) : undefined)),
  );
  const found = heads.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []));
  const scheduled = found.filter((head) => isDue(head, nowMs));
  const accepted = found.filter(({ state }) => state === 'accepted');
  const heldBack = new Map(due.map((each) => [each.trackingId, each.heldBackUntilMs]));
  const fanning = found.filter(({ state }) => state === 'fanning');
  const contextAt = scheduled.length > 0 ? await deps.sendingContexts.readAll(scheduled) : undefined;
  const outcomes = new Map([
    ...(await settleEach(
      scheduled,
      async (head, index) => contextAt && makeReady(deps, head, contextAt(index), nowMs),
    )),
    ...(await settleEach(accepted, ({ trackingId }) =>
      advanceNotification(deps, trackingId, nowMs, { heldBackUntilMs: heldBack.get(trackingId) ?? 0 }),
    )),
    ...(await settleEach(fanning, async (head) => fanOutStep(deps, head, await findFeedShards(deps, head)))),
  ]);
  return heads.map((each) => (each.status === 'fulfilled' && each.value && outcomes.get(each.value)) || each);
}

async function settleEach(
  heads: readonly StoredLogHead[],
  task: (head: StoredLogHead, index: number) => Promise<unknown>,
): Promise<Outcomes> {
  const settled = await Promise.allSettled(heads.map(task));
  return heads.flatMap((head, index): Outcomes => {
    const outcome = settled[index];
    return outcome ? [[head, outcome]] : [];
  });
}

async function findFeedShards({ accounts }: Deps, { accountId }: StoredLogHead): Promise<number> {
  return (await accounts.get(accountId)).feedShards;
}

function isDue({ state, scheduledForMs }: StoredLogHead, nowMs: number): boolean {
  return state === 'scheduled' && scheduledForMs !== undefined && scheduledForMs <= nowMs;
}
