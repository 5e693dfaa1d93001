import { blobs } from '../../../blobs/blobs.ts';
import { keptFromMs } from '../../../domain/logs/log-expiry.ts';
import { bareFields, bareInbound } from '../../../domain/routing/sensitive.ts';
import { inChunks } from '../../../runtime/async/chunks.ts';
import { isoOf } from '../../../runtime/clock.ts';
import { dependency, resolve } from '../../../runtime/dependency.ts';
import { DAY_MS } from '../../../runtime/values/durations.ts';
import { InboundMessage } from '../../../schemas/logs/inbound-message.ts';
import { database } from '../../database.ts';
import { readStored } from '../../items/stored.ts';
import { assignmentOf } from '../../items/update-expression.ts';
import { keyOf, logPk, trackingIdOfPk } from '../../keys/key.ts';
import { headKey } from '../../keys/log.ts';
import { inappKey } from '../../keys/user.ts';
import type { Item } from '../../table.ts';
import type { RetentionRule } from '../accounts/retentions.ts';
import { type BlankingSources, namedBlobs, removeBlobs, replacedBlobs } from '../erasure/log-blanking.ts';
import { forgetContent } from '../erasure/log-forgetting.ts';
import { inappTimeMs } from '../inapp/inapp-items.ts';
import { type Feed, feed } from './feed.ts';
import { longHead, StoredHead, type StoredLogHead } from './log-head.ts';
import { KEPT_SECONDS } from './log-head-items.ts';
import { logs } from './logs.ts';

/** What was read; `openSinceMs` is when the oldest log was received that will be limited later. */
export type LimitedPage = {
  position: string | undefined;
  entries: number;
  logs: number;
  openSinceMs: number | undefined;
};

/** Applies the present retention to logs that were stored with a longer one. */
export type LogLimits = ReturnType<typeof createLogLimits>;

type Sources = BlankingSources & { feeds: Feed };

const PARALLEL = 10;
/** As long as a log is kept that may lack its outcome. */
const SETTLED_MS = KEPT_SECONDS * 1000;

function createLogLimits(sources: Sources) {
  return {
    /**
     * Among the next `limit` entries of a shard of a feed, newest first, removes the logs past their retention, and the content of
     * those past their content's. Safe to repeat.
     */
    async limitShard(
      rule: RetentionRule,
      feedPk: string,
      { limit, after, nowMs }: { limit: number; after: string | undefined; nowMs: number },
    ): Promise<LimitedPage> {
      const entries = await sources.feeds.listShard(feedPk, { limit, after });
      const ids = [...new Set(entries.map(({ key }) => trackingIdOfPk(key.pk)))];
      const found = await sources.table.batchGet(ids.map(headKey));
      const heads = found.filter((head) => head !== undefined);
      const open: number[] = [];
      await inChunks(heads, PARALLEL, async (head) => {
        if (await limitLog(sources, rule, head, nowMs)) open.push(Number(head.at));
      });
      return {
        position: entries.length < limit ? undefined : entries.at(-1)?.position,
        entries: entries.length,
        logs: heads.length,
        openSinceMs: open.length > 0 ? Math.min(...open) : undefined,
      };
    },
  };
}

/** True if there is something to limit later, before the log expires. */
async function limitLog(sources: Sources, rule: RetentionRule, item: Item, nowMs: number): Promise<boolean> {
  const head = longHead(readStored('log head', StoredHead, item), {});
  if (head.state === 'scheduled' || head.state === 'fanning') return true;
  const { shownUntilMs, contentUntilMs } = await rule(head);
  const settledMs = keptFromMs(head) + SETTLED_MS;
  const isSettled = nowMs >= settledMs;
  const goneMs = Math.max(shownUntilMs, settledMs);
  if (nowMs < contentUntilMs) return contentUntilMs < Number(item.expiresAt) * 1000 - DAY_MS;
  const items = await sources.table.queryAll(logPk(head.trackingId), '', { consistent: true });
  const isOpen = await limitCarriers(sources, rule, items, nowMs);
  if (nowMs >= shownUntilMs) await removeInappItem(sources, head, nowMs >= goneMs);
  if (nowMs >= goneMs) await removeLog(sources, head, items);
  else if (!(await bareLog(sources, head, items, isSettled))) return true;
  return isOpen || (nowMs < goneMs && goneMs < Number(item.expiresAt) * 1000 - DAY_MS);
}

/** The digests that contain a notification are in no feed. */
async function limitCarriers(sources: Sources, rule: RetentionRule, items: readonly Item[], nowMs: number) {
  const ids = items.flatMap(({ c }) => Object(c).trackingId ?? []);
  const heads = await sources.table.batchGet([...new Set(ids)].map((id) => headKey(String(id))));
  let isOpen = false;
  for (const head of heads) if (head) isOpen = (await limitLog(sources, rule, head, nowMs)) || isOpen;
  return isOpen;
}

/** A snoozed item is kept until its log is removed. */
async function removeInappItem({ table }: Sources, head: StoredLogHead, isGone: boolean): Promise<void> {
  const { environmentId, userId, trackingId, routing } = head;
  if (!routing.INAPP_WEB || !userId) return;
  const first = inappKey(environmentId, userId, isoOf(inappTimeMs(head)), trackingId);
  const { pk, movedTo, snoozedUntil } = (await table.get(first)) ?? {};
  if (!pk || !(isGone || (movedTo ?? snoozedUntil) === undefined)) return;
  if (typeof movedTo === 'string') await table.delete({ ...first, sk: movedTo });
  await table.delete(first);
}

async function removeLog(sources: Sources, head: StoredLogHead, items: readonly Item[]): Promise<void> {
  const own = items.find(({ sk }) => sk === 'HEAD') ?? {};
  await removeBlobs(sources, [...items.flatMap(namedBlobs), ...(await replacedBlobs(sources, own))]);
  for (const item of items) if (item !== own) await sources.table.delete(keyOf(item));
  // The head last: an interrupted removal finds the log by it.
  await sources.table.delete(headKey(head.trackingId));
}

/** False if a channel has no outcome yet. */
async function bareLog(
  sources: Sources,
  head: StoredLogHead,
  items: readonly Item[],
  isSettled: boolean,
): Promise<boolean> {
  const isTopic = head.topicId !== undefined && head.parentId === undefined;
  if (!isSettled && (isTopic || !(await forgetContent(sources, head.trackingId)))) return false;
  if (isSettled) await forgetContent(sources, head.trackingId, true);
  const own = items.filter(({ sk }) => sk !== 'HEAD');
  await Promise.all(own.filter(hasContent).map((event) => bareEvent(sources, event)));
  return true;
}

const bare = (event: Item) => ({ f: bareFields(Object(event.f)), record: bareRecordOf(event.record) });
const bareRecordOf = (record: unknown) =>
  record === undefined
    ? undefined
    : bareInbound(readStored('inbound message', InboundMessage, Object(record)));

function hasContent(event: Item): boolean {
  const isShorter = JSON.stringify(bare(event)) !== JSON.stringify({ f: event.f, record: event.record });
  return event.p !== undefined || namedBlobs(event).length > 0 || isShorter;
}

async function bareEvent(sources: Sources, event: Item): Promise<void> {
  await removeBlobs(sources, namedBlobs(event));
  const change = { ...bare(event), p: null, original: null, blobs: null };
  await sources.table.update(keyOf(event), ...assignmentOf(change));
}

export const logLimits = dependency('logLimits', () =>
  createLogLimits({
    table: resolve(database),
    feeds: resolve(feed),
    store: () => resolve(blobs),
    log: resolve(logs),
  }),
);
