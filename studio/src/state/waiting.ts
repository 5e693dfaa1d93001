import type { LogRecord } from '../../../client/src/generated/types.ts';
import { inChunks } from '../../../shared/runtime/chunks.ts';
import { channelOf } from '../parts/channel.tsx';
import { newestLogs } from './newest.ts';
import { outcomesOf } from './outcome.ts';
import { api } from './service.ts';

const PARALLEL = 8;

/** Something that waits: a scheduled notification, a digest that collects, or a later step. */
export type WaitingRow = {
  type: string;
  userId: string;
  timezone?: string | undefined;
  atMs?: number | undefined;
  trackingIds: string[];
} & ({ kind: 'scheduled' | 'step'; text: string } | { kind: 'digest'; channel: string; delivery: string });

/** The waiting messages, next due first, and the period searched. */
export type Waiting = {
  rows: WaitingRow[];
  /** True if the log has no older notification. */
  isComplete: boolean;
  /** Acceptance time of the oldest notification that was read. */
  sinceMs: number | undefined;
};

/**
 * Returns the messages waiting for the users of the newest `max` notifications. No endpoint lists all of them: the service
 * stores them per user, and by due time across accounts.
 */
export async function loadWaiting(max: number): Promise<Waiting> {
  const { records: newest, isComplete } = await newestLogs({ eventType: 'outbound' }, max);
  const records = newest.filter(isWaiting);
  const userIds = [...new Set(records.map(({ user_id }) => user_id ?? ''))].filter(Boolean);
  const rows = (await inChunks(userIds, PARALLEL, rowsOf(records))).flat();
  const oldest = newest.at(-1)?.received_at;
  return {
    rows: rows.sort((left, right) => (left.atMs ?? Infinity) - (right.atMs ?? Infinity)),
    isComplete,
    sinceMs: oldest === undefined ? undefined : Date.parse(oldest),
  };
}

function waitingOf(record: LogRecord) {
  return outcomesOf(record).filter(
    ({ state, text }) => state === 'waiting' && !text.startsWith('waiting for its turn'),
  );
}

function isWaiting(record: LogRecord): boolean {
  return waitingOf(record).length > 0 && !record.schedule_deleted_at && !record.ignored;
}

/** Lists what waits for a user, by what the service lists; of `records`, those of earlier releases that it does not. */
const rowsOf =
  (records: LogRecord[]) =>
  async (userId: string): Promise<WaitingRow[]> => {
    const [{ scheduled, digests, held, steps }, user] = await Promise.all([
      api.users.listWaiting(userId),
      api.users.get(userId).catch(() => undefined),
    ]);
    const base = { userId, timezone: user?.timezone };
    const reasonOf = (until: string) =>
      Date.parse(until) === Date.parse(user?.pausedUntil ?? '') ? 'paused' : 'held for quiet hours';
    const later = [
      ...held.map(({ heldUntil, ...each }) => ({ ...each, at: heldUntil, what: reasonOf(heldUntil) })),
      ...steps.map(({ dueAt, ...each }) => ({ ...each, at: dueAt, what: 'later step' })),
    ];
    const known = new Set([
      ...[...scheduled, ...later].map(({ trackingId }) => trackingId),
      ...digests.flatMap(({ trackingIds }) => trackingIds),
    ]);
    return [
      ...scheduled.map(({ trackingId, type, scheduledFor }) => ({
        ...base,
        kind: 'scheduled' as const,
        text: 'scheduled notification',
        type,
        atMs: Date.parse(scheduledFor),
        trackingIds: [trackingId],
      })),
      ...digests.map(({ type, channel, delivery, sendAt, trackingIds }) => ({
        ...base,
        kind: 'digest' as const,
        type,
        channel,
        delivery,
        atMs: Date.parse(sendAt),
        trackingIds,
      })),
      ...[
        ...Map.groupBy(later, ({ trackingId, what, at }) => `${trackingId} ${what} ${at}`).values(),
      ].flatMap((parts) => laterRow(parts, base)),
      ...records
        .filter(({ user_id, trackingId }) => user_id === userId && !known.has(trackingId))
        .map((record) => ({ ...stepOf(record), ...base })),
    ];
  };

type Later = { trackingId: string; type: string; channel: string; at: string; what: string };

/** One row for the channels of a notification that wait for the same reason until the same time. */
function laterRow(
  parts: readonly Later[],
  base: { userId: string; timezone: string | undefined },
): WaitingRow[] {
  const [first] = parts;
  if (!first) return [];
  const names = parts.map(({ channel }) => channelOf(channel)?.name ?? channel).join(', ');
  const { type, trackingId, what, at } = first;
  return [
    {
      ...base,
      kind: 'step',
      text: `${what}: ${names}`,
      type,
      atMs: Date.parse(at),
      trackingIds: [trackingId],
    },
  ];
}

function stepOf(record: LogRecord) {
  const waiting = waitingOf(record);
  const [first] = waiting;
  const names = waiting.map(({ channel }) => channel.name).join(', ');
  const due = (record as Record<string, unknown>)[`${first?.channel.prefix}_due_at`] ?? record.scheduled_for;
  const atMs = typeof due === 'string' ? Date.parse(due) : undefined;
  return {
    kind: 'step' as const,
    text: `waiting: ${names}`,
    type: record.type ?? '',
    atMs,
    trackingIds: [record.trackingId],
  };
}
