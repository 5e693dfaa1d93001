import type { LogRecord } from '../../../client/src/generated/types.ts';
import { outcomesOf } from './outcome.ts';
import { api } from './service.ts';

/** The newest notifications that are looked at to find users for whom something waits. */
export const LOOKED_AT = 100;
const LOOKUP_MAX = 25;
const PARALLEL = 8;

/** Something that waits: a scheduled notification, a digest that collects, or a later step. */
export type WaitingRow = {
  type: string;
  userId: string;
  timezone?: string | undefined;
  atMs?: number | undefined;
  trackingIds: string[];
} & ({ kind: 'scheduled' | 'step'; text: string } | { kind: 'digest'; channel: string; delivery: string });

/** Returns the waiting messages of the users of the newest notifications, the next due first. */
export async function loadWaiting(): Promise<WaitingRow[]> {
  const records = (await newestRecords()).filter(isWaiting);
  const userIds = [...new Set(records.map(({ user_id }) => user_id ?? ''))].filter(Boolean);
  const rows: WaitingRow[] = [];
  for (let start = 0; start < userIds.length; start += PARALLEL)
    rows.push(...(await Promise.all(userIds.slice(start, start + PARALLEL).map(rowsOf(records)))).flat());
  return rows.sort((left, right) => (left.atMs ?? Infinity) - (right.atMs ?? Infinity));
}

async function newestRecords(): Promise<LogRecord[]> {
  const { messages } = await api.logs.list({ limit: LOOKED_AT, eventType: 'outbound' });
  const ids = messages.map(({ trackingId }) => trackingId);
  const chunks = Array.from({ length: Math.ceil(ids.length / LOOKUP_MAX) }, (_, index) =>
    ids.slice(index * LOOKUP_MAX, (index + 1) * LOOKUP_MAX),
  );
  const found = await Promise.all(chunks.map((trackingIds) => api.logs.getBulk({ trackingIds })));
  return found.flatMap(({ logs }) => logs);
}

function waitingOf(record: LogRecord) {
  return outcomesOf(record).filter(
    ({ state, text }) => state === 'waiting' && !text.startsWith('waiting for its turn'),
  );
}

function isWaiting(record: LogRecord): boolean {
  return waitingOf(record).length > 0 && !record.schedule_deleted_at && !record.ignored;
}

/** Lists what waits for a user: what the service lists, and of `records` the steps and held channels. */
const rowsOf =
  (records: LogRecord[]) =>
  async (userId: string): Promise<WaitingRow[]> => {
    const [{ scheduled, digests }, timezone] = await Promise.all([
      api.users.listWaiting(userId),
      api.users.get(userId).then(
        (user) => user.timezone,
        () => undefined,
      ),
    ]);
    const base = { userId, timezone };
    const known = new Set([
      ...scheduled.map(({ trackingId }) => trackingId),
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
      ...records
        .filter(({ user_id, trackingId }) => user_id === userId && !known.has(trackingId))
        .map((record) => ({ ...stepOf(record), ...base })),
    ];
  };

function stepOf(record: LogRecord) {
  const waiting = waitingOf(record);
  const [first] = waiting;
  const names = waiting.map(({ channel }) => channel.name).join(', ');
  const fields = record as Record<string, unknown>;
  const held = fields[`${first?.channel.prefix}_held_until`];
  const due = held ?? fields[`${first?.channel.prefix}_due_at`];
  const atMs = typeof due === 'string' ? Date.parse(due) : undefined;
  const text = `${held ? 'held for quiet hours' : 'later step'}: ${names}`;
  return { kind: 'step' as const, text, type: record.type ?? '', atMs, trackingIds: [record.trackingId] };
}
