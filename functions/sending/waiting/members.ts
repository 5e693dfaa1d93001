import type { ErasureMarks } from '../../../shared/database/entities/erasure/erasure-marks.ts';
import type { StoredLogHead } from '../../../shared/database/entities/logs/log-head.ts';
import type { SendingContexts } from '../../../shared/database/entities/sending/sending-context.ts';
import type { TopicMember } from '../../../shared/database/entities/users/topics.ts';
import { isGoing } from '../../../shared/domain/routing/routing.ts';
import { mapAtMost } from '../../../shared/runtime/async/map-at-most.ts';
import { trackingIdOf } from '../../../shared/runtime/values/ids.ts';
import { CHANNELS, type Channel } from '../../../shared/schemas/channel.ts';
import { type Intake, readIntake, withLiquid } from '../accept/intake.ts';
import { memberIntake } from '../decide/context.ts';
import { commitOrRefuse, type Evaluation, evaluate } from '../decide/evaluate.ts';
import { decidedHead } from '../decide/head.ts';
import { type DueDependencies, withinCaps } from './due.ts';

export type MembersDependencies = DueDependencies & {
  sendingContexts: SendingContexts;
  erasureMarks: ErasureMarks;
};

/** The outcome of a batch of members: how many are notified, and how often on each channel. */
export type Notified = {
  members: number;
  accepted: number;
  ignored: number;
  sent: Partial<Record<Channel, number>>;
  /** When the last of their logs expires. */
  expiresAtSeconds: number;
};

const WRITES_AT_ONCE = 25;

/** Returns the tracking ID of a member's notification: always the same for the same topic send and user. */
export function memberTrackingId(parentId: string, userId: string): string {
  return trackingIdOf([parentId, 'topic', userId]);
}

/**
 * Accepts each member's notification by the data stored now, as POST /send would. One that was accepted
 * before stays unchanged and counts again, so repeating the same members returns the same counts. Users who
 * were deleted since they became members are omitted.
 */
export async function notifyMembers(
  deps: MembersDependencies,
  parent: StoredLogHead,
  members: readonly TopicMember[],
  nowMs: number,
): Promise<Notified> {
  const { accountId, environmentId, notificationId } = parent;
  const scopes = members.map(({ userId }) => ({ accountId, environmentId, userId, notificationId }));
  const contextAt = await deps.sendingContexts.readAll(scopes);
  // After the members are read: a deletion that began before has left its mark by now.
  const erased = await deps.erasureMarks.listErasedAtMs(
    environmentId,
    members.map(({ userId }) => userId),
  );
  const base = await withLiquid(readIntake(parent.request));
  const first = contextAt(0);
  const exceededAfter = await deps.usageCaps.findExceededAfter(first.account, first.organization, nowMs);
  const counted: Partial<Record<Channel, number>> = {};
  const pending: { intake: Intake; evaluation: Evaluation; feedShards: number }[] = [];
  for (const [index, { userId, addedAtMs }] of members.entries()) {
    if ((erased[index] ?? Number.NEGATIVE_INFINITY) >= addedAtMs) continue;
    const context = contextAt(index);
    const { account, profile } = context;
    const user = profile && (await deps.users.open(parent, profile));
    const intake = memberIntake(base, userId);
    const known = { context, user, exceeded: exceededAfter(counted) };
    const decided = withinCaps(evaluate(intake, known, { nowMs, mayCreateType: false }));
    for (const channel of channelsOf(decided.routing, 'SEND')) counted[channel] = (counted[channel] ?? 0) + 1;
    pending.push({ intake, evaluation: decided, feedShards: account.feedShards });
  }
  // A limit on the type as a whole is one item: concurrent writers would only conflict.
  const isShared = pending.some(
    ({ evaluation: { rules } }) => rules?.throttling?.config.scope.includes('userId') === false,
  );
  const heads = await mapAtMost(isShared ? 1 : WRITES_AT_ONCE, pending, (each) =>
    storeMember(deps, parent, each, nowMs),
  );
  return countHeads(heads);
}

/** Stores a member's notification if it does not exist; returns the stored one. */
async function storeMember(
  { logs, sendingRules }: MembersDependencies,
  parent: StoredLogHead,
  { intake, evaluation, feedShards }: { intake: Intake; evaluation: Evaluation; feedShards: number },
  nowMs: number,
): Promise<StoredLogHead> {
  const { accountId, environmentId, trackingId: parentId, notificationId } = parent;
  const { userId, subNotificationId, request } = intake;
  const base = {
    ...{ accountId, environmentId, userId, notificationId, parentId },
    trackingId: memberTrackingId(parentId, userId),
    subNotificationId,
    state: 'accepted' as const,
    receivedAtMs: nowMs,
    processedAtMs: nowMs,
    request,
    ...(request.sensitive ? { isSensitive: true } : undefined),
    expiresAtSeconds: evaluation.expiresAtSeconds,
  };
  const outcome = await commitOrRefuse(evaluation, async (decided, rules) => {
    const head: StoredLogHead = decidedHead(base, decided, nowMs);
    const put = await logs.headItem(head, { feedShards, expiresAtSeconds: head.expiresAtSeconds });
    const condition = 'attribute_not_exists(pk)';
    return { head, ...(await sendingRules.commit({ put, condition }, rules, nowMs)) };
  });
  return outcome.kind === 'exists' && outcome.current ? logs.readHead(outcome.current) : outcome.head;
}

function countHeads(heads: readonly StoredLogHead[]): Notified {
  const sent: Partial<Record<Channel, number>> = {};
  for (const { routing } of heads) {
    for (const channel of channelsOf(routing, 'SEND')) sent[channel] = (sent[channel] ?? 0) + 1;
  }
  const accepted = heads.filter(({ routing }) =>
    CHANNELS.some((channel) => isGoing(routing[channel])),
  ).length;
  return {
    members: heads.length,
    accepted,
    ignored: heads.length - accepted,
    sent,
    expiresAtSeconds: Math.max(0, ...heads.map((head) => head.keptUntilSeconds ?? head.expiresAtSeconds)),
  };
}

function channelsOf(routing: StoredLogHead['routing'], decision: 'SEND'): Channel[] {
  return CHANNELS.filter((channel) => routing[channel]?.routing === decision);
}
