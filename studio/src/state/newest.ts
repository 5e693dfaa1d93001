import type { LogRecord } from '../../../client/src/generated/types.ts';
import { chunksOf, inChunks } from '../../../shared/runtime/chunks.ts';
import { api } from './service.ts';

const PAGE = 100;
const LOOKUP_MAX = 25;
const PARALLEL = 8;

/** The newest logs that match, at most about `max`; `isComplete` if there are no more. */
export async function newestLogs(
  query: { status?: 'failed'; from?: string; eventType?: 'outbound' },
  max: number,
): Promise<{ records: LogRecord[]; isComplete: boolean }> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.logs.list({ ...query, limit: PAGE, ...(cursor ? { cursor } : {}) });
    ids.push(...page.messages.map(({ trackingId }) => trackingId));
    cursor = page.nextCursor;
  } while (cursor && ids.length < max);
  const found = await inChunks(chunksOf(ids, LOOKUP_MAX), PARALLEL, (trackingIds) =>
    api.logs.getBulk({ trackingIds }),
  );
  return { records: found.flatMap(({ logs }) => logs), isComplete: cursor === undefined };
}
