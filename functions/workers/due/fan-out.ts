import type { StoredLogHead } from '../../../shared/database/entities/logs/log-head.ts';
import type { Topics } from '../../../shared/database/entities/users/topics.ts';
import type { FanOut } from '../../../shared/domain/logs/log.ts';
import { CHANNEL_QUEUES } from '../../../shared/messaging/queue-names.ts';
import type { Queues } from '../../../shared/messaging/queues-port.ts';
import { isPaced, perSecondOf } from '../../../shared/providers/order/channel-rates.ts';
import type { Clock } from '../../../shared/runtime/clock.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { CHANNELS, type Channel } from '../../../shared/schemas/channel.ts';
import { excludedOf } from '../../sending/decide/context.ts';
import { type MembersDependencies, type Notified, notifyMembers } from '../../sending/waiting/members.ts';

export type FanOutDependencies = MembersDependencies & { topics: Topics; queues: Queues; clock: Clock };

const PAGE_MAX = 50;
/** The first page: the members' channels are not known yet. */
const FIRST_PAGE = 10;
const PAGES_MAX = 40;
/** A step shares its invocation with other due work: it ends after this time, and the next one continues. */
const STEP_MS = 8_000;
/** Longer than a step can take: a crashed one is continued by another after this. */
const LEASE_MS = 30_000;
/**
 * The lead that a channel's messages may have over its provider's rate: single notifications wait no longer
 * than this.
 */
const AHEAD_MS = 1_000;
/** A page uses at most this much of it. */
const PAGE_MS = 500;
/** Messages that may wait on the queue of a channel whose provider has no rate. */
const WAITING_MAX = 1_000;
const BUSY_MS = 1_000;

/**
 * Runs one step of a fan-out: notifies page after page of members, in the order of their IDs. Each page is
 * recorded by a conditional write that fails if another worker or a cancellation was first. If a step
 * crashes, its successor repeats the last page: members who have their notification keep it. A step ends when
 * the channel queues or the providers' rates are used up; the rest continues when they have caught up.
 */
export async function fanOutStep(
  deps: FanOutDependencies,
  head: StoredLogHead,
  feedShards: number,
): Promise<void> {
  const { fanOut, topicId } = head;
  const startMs = deps.clock.now();
  if (head.state !== 'fanning' || !fanOut || topicId === undefined || fanOut.dueAtMs > startMs) return;
  const excluded = excludedOf(head.request);
  let current = { ...head, fanOut };
  let aheadMs = 0;
  for (let page = 1; ; page += 1) {
    const nowMs = deps.clock.now();
    const { fanOut: before } = current;
    const busy = await isBusy(deps, before.channels);
    if (busy) {
      await record(deps, { ...current, fanOut: { ...before, dueAtMs: nowMs + BUSY_MS } }, feedShards);
      return;
    }
    const range = { limit: pageLimitOf(before), after: before.cursor };
    const { members: listed, next } = await deps.topics.listMembers(head.environmentId, topicId, range);
    const members = listed.filter(({ userId }) => !excluded.has(userId));
    const notified = members.length > 0 ? await notifyMembers(deps, current, members, nowMs) : undefined;
    if (notified) aheadMs += waitMsOf(notified);
    const isLast = next === undefined;
    const isPaused = aheadMs >= AHEAD_MS;
    const isStepOver = isPaused || page === PAGES_MAX || deps.clock.now() - startMs > STEP_MS;
    const after: FanOut = {
      ...withCounts(before, notified),
      cursor: next,
      dueAtMs: isStepOver ? deps.clock.now() + (isPaused ? aheadMs : 0) : nowMs + LEASE_MS,
      ...defined({ endedAtMs: isLast ? deps.clock.now() : undefined }),
    };
    const recorded = await record(
      deps,
      {
        ...current,
        fanOut: after,
        state: isLast ? 'accepted' : 'fanning',
        expiresAtSeconds: Math.max(current.expiresAtSeconds, notified?.expiresAtSeconds ?? 0),
      },
      feedShards,
    );
    if (!recorded || isLast || isStepOver) return;
    current = { ...current, ...recorded, fanOut: after };
  }
}

/** Returns the stored head; undefined if another worker or a cancellation was first. */
async function record(
  { logs, sendingRules }: FanOutDependencies,
  head: StoredLogHead,
  feedShards: number,
): Promise<Pick<StoredLogHead, 'revision' | 'expiresAtSeconds'> | undefined> {
  const write = await logs.replaceScheduled(head, feedShards, 'fanning');
  const { kind } = await sendingRules.commit(write, undefined, head.receivedAtMs);
  if (kind !== 'committed') return undefined;
  await logs.removeReplaced(head, write.put);
  return { revision: (head.revision ?? 0) + 1, expiresAtSeconds: head.expiresAtSeconds };
}

/** Members of the next page: as many as their slowest provider accepts concurrently. */
function pageLimitOf({ members, channels }: FanOut): number {
  if (members === 0) return FIRST_PAGE;
  const limits = channels
    .filter(isPaced)
    .map((channel) => Math.floor((perSecondOf(channel) * PAGE_MS) / 1000));
  return Math.max(1, Math.min(PAGE_MAX, ...limits));
}

function withCounts(before: FanOut, notified: Notified | undefined): FanOut {
  if (!notified) return before;
  const channels = CHANNELS.filter(
    (channel) => before.channels.includes(channel) || notified.sent[channel] !== undefined,
  );
  return {
    ...before,
    channels,
    members: before.members + notified.members,
    accepted: before.accepted + notified.accepted,
    ignored: before.ignored + notified.ignored,
  };
}

/** Milliseconds that the slowest provider needs for the messages. */
function waitMsOf({ sent }: Notified): number {
  const waits = CHANNELS.map((channel) =>
    isPaced(channel) ? ((sent[channel] ?? 0) * 1000) / perSecondOf(channel) : 0,
  );
  return Math.max(...waits);
}

/** True if messages wait on a channel's queue: later members must not delay single notifications. */
async function isBusy({ queues }: FanOutDependencies, channels: readonly Channel[]): Promise<boolean> {
  const waiting = await Promise.all(
    channels.map(async (channel) => {
      const max = isPaced(channel) ? (perSecondOf(channel) * AHEAD_MS) / 1000 : WAITING_MAX;
      return (await queues.countWaiting(CHANNEL_QUEUES[channel])) > max;
    }),
  );
  return waiting.includes(true);
}
