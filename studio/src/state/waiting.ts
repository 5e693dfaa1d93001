import type { WaitingEntry } from '../../../client/src/generated/types.ts';
import { inChunks } from '../../../shared/runtime/async/chunks.ts';
import { channelOf } from '../parts/channel.tsx';
import { countText } from '../parts/shown.ts';
import { api } from './service.ts';

const PAGE = 100;
const PARALLEL = 8;

/** Something that waits, and the timezone of its user. */
export type WaitingRow = WaitingEntry & { timezone?: string | undefined };

/** What waits, next due first; `isComplete` if that is all. */
export type Waiting = { rows: WaitingRow[]; isComplete: boolean };

export async function loadWaiting(max: number): Promise<Waiting> {
  const entries: WaitingEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.waiting.list({ limit: PAGE, ...(cursor ? { cursor } : {}) });
    entries.push(...page.waiting);
    cursor = page.nextCursor;
  } while (cursor && entries.length < max);
  const userIds = [...new Set(entries.flatMap(({ userId }) => userId ?? []))];
  const users = await inChunks(userIds, PARALLEL, (id) => api.users.get(id).catch(() => undefined));
  const timezones = new Map(userIds.map((id, index) => [id, users[index]?.timezone]));
  const rows = entries.map((entry) => ({ ...entry, timezone: timezones.get(entry.userId ?? '') }));
  return { rows, isComplete: cursor === undefined };
}

const REASONS = {
  SCHEDULE: 'scheduled',
  BATCH: 'digest',
  QUIET_HOURS: 'held for quiet hours',
  PAUSED: 'paused by the user',
  STEP: 'later step',
  RETRY: 'next attempt',
} as const satisfies Record<WaitingEntry['channels'][number]['reason'], string>;

export function waitingTexts(entry: WaitingEntry): { text: string; until: string }[] {
  const { channels, delivery, trackingIds, topic, until } = entry;
  if (topic !== undefined && channels.length === 0) return [{ text: `scheduled, topic ${topic}`, until }];
  return [...Map.groupBy(channels, ({ reason, until }) => `${reason} ${until}`).values()].flatMap((parts) => {
    const [first] = parts;
    if (!first) return [];
    const names = parts.map(({ channel }) => channelOf(channel)?.name ?? channel).join(', ');
    if (delivery === undefined) return [{ text: `${REASONS[first.reason]}: ${names}`, until: first.until }];
    const held = first.reason === 'BATCH' ? '' : `, ${REASONS[first.reason]}`;
    const text = `${delivery} ${names} digest, ${countText(trackingIds.length, 'item')}${held}`;
    return [{ text, until: first.until }];
  });
}
