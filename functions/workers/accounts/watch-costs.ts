import { accountList } from '../../../shared/database/entities/account-list.ts';
import { accounts } from '../../../shared/database/entities/accounts.ts';
import { type CostWatch, costWatches } from '../../../shared/database/entities/cost-watches.ts';
import { environments } from '../../../shared/database/entities/environments.ts';
import { feed } from '../../../shared/database/entities/feed.ts';
import { OUTBOUND_FEED } from '../../../shared/database/entities/log-head-items.ts';
import { logs } from '../../../shared/database/entities/logs.ts';
import { type CountedDay, dayOf, usageCounters } from '../../../shared/database/entities/usage-counters.ts';
import { webhooks } from '../../../shared/database/entities/webhooks.ts';
import { tagOfFeedSk } from '../../../shared/database/keys/indexes.ts';
import { trackingIdOfPk } from '../../../shared/database/keys/key.ts';
import { costOfDay, overspending } from '../../../shared/domain/day-cost.ts';
import { webhookCallId } from '../../../shared/domain/webhook-event.ts';
import { scheduledWorker } from '../../../shared/http/event-worker.ts';
import type { Clock } from '../../../shared/runtime/clock.ts';
import { numberSetting } from '../../../shared/runtime/config.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { DAY_MS } from '../../../shared/runtime/durations.ts';
import { log } from '../../../shared/runtime/logger.ts';
import { mapAtMost } from '../../../shared/runtime/map-at-most.ts';
import { recordMetrics } from '../../../shared/runtime/metrics.ts';
import { CHANNELS, LOG_PREFIX } from '../../../shared/schemas/channel.ts';

const WORKER = 'watch-costs';
const DEPENDENCIES = {
  accountList,
  accounts,
  costWatches,
  environments,
  feed,
  logs,
  usageCounters,
  webhooks,
};
type Deps = Resolved<typeof DEPENDENCIES> & { clock: Clock };

const AT_ONCE = 5;
/** The days by which the usual cost is measured. */
const USUAL_DAYS = 28;
/** One a second since the last look: less is no loop that costs. */
const LOOP_MESSAGES_MIN = 300;
const SAMPLE = 200;
/** So many of the sample are the same user's, of one type, in a loop; as many of the last calls of a webhook are about these. */
const LOOP_MIN = 20;
const CALLS_MIN = 10;

type Watched = { accountId: string; usd: number; messages: number; watch: CostWatch };

/**
 * Compares what each account and the deployment cost today with the usual, and stops the sending of those that exceed their limit
 * until somebody allows it again. Names loops of a webhook and the sends that it causes. Reads counters only; a busy account also
 * costs a page of its feed.
 */
export const handler = scheduledWorker(
  { name: WORKER, failed: 'the costs were not watched' },
  DEPENDENCIES,
  async (deps) => {
    const nowMs = deps.clock.now();
    const watched = await mapAtMost(AT_ONCE, await deps.accountList.listIds(), (id) => look(deps, id, nowMs));
    const rule = {
      factor: numberSetting('DAY_COST_FACTOR'),
      floorUsd: numberSetting('DAY_COST_FLOOR_USD'),
    };
    const spenders = watched.map(({ watch, ...spent }) => ({ ...spent, usualUsd: watch.usualUsd }));
    const stopped = new Set(overspending(spenders, rule));
    await mapAtMost(AT_ONCE, watched, async (each) => {
      const isOver = stopped.has(each.accountId) && !each.watch.isStopped;
      if (isOver) await stopSending(deps, each);
      const loop = await nameLoop(deps, each);
      const next = { ...each.watch, messages: each.messages, isStopped: isOver || each.watch.isStopped };
      if (isOver || each.messages !== each.watch.messages)
        await deps.costWatches.save(each.accountId, { ...next, ...(loop ? { loop } : {}) });
    });
  },
);

async function look(
  { costWatches, usageCounters }: Deps,
  accountId: string,
  nowMs: number,
): Promise<Watched> {
  const date = dayOf(nowMs);
  const [today] = await usageCounters.daysSince(accountId, date, nowMs);
  const stored = await costWatches.find(accountId);
  const usd = today ? costOfDay(today) : 0;
  const messages = today ? CHANNELS.reduce((sum, channel) => sum + (today.counts[channel] ?? 0), 0) : 0;
  if (stored?.date === date) return { accountId, usd, messages, watch: stored };
  const days = await usageCounters.daysSince(accountId, dayOf(nowMs - USUAL_DAYS * DAY_MS), nowMs);
  const before = days.filter((day) => day.date !== date);
  return {
    ...{ accountId, usd, messages },
    watch: { date, usualUsd: averageOf(before), messages: 0, isStopped: false },
  };
}

const averageOf = (days: readonly CountedDay[]) =>
  days.reduce((sum, day) => sum + costOfDay(day), 0) / Math.max(1, days.length);

/** Whatever is accepted from now on is recorded as not sent, on all channels. */
async function stopSending({ environments }: Deps, { accountId, usd }: Watched): Promise<void> {
  for (const { environmentId } of await environments.listAll(accountId))
    await environments.update(accountId, environmentId, { disableSending: [...CHANNELS] });
  recordMetrics({ CostStop: 1 });
  log.warn('the sending of an account was stopped: its day costs too much', {
    ...{ worker: WORKER, accountId, code: 'DAY_COST', count: Math.round(usd) },
  });
}

/**
 * A loop: most of the newest notifications are of one type for one user, and the last calls of the webhook are about these. Once a
 * day for each; returns it.
 */
async function nameLoop(deps: Deps, { accountId, messages, watch }: Watched): Promise<string | undefined> {
  if (messages - watch.messages < LOOP_MESSAGES_MIN) return undefined;
  const { feedShards } = await deps.accounts.get(accountId);
  for (const { environmentId } of await deps.environments.listAll(accountId)) {
    const webhook = await deps.webhooks.find({ accountId, environmentId });
    if (!webhook || webhook.disabledAtMs !== undefined) continue;
    const feeds = [{ environmentId, kind: OUTBOUND_FEED, shards: feedShards }];
    const entries = await deps.feed.listNewestFirst(feeds, { limit: SAMPLE });
    const byUser = [...Map.groupBy(entries, ({ position }) => tagOfFeedSk(position)).entries()];
    const called = new Set(
      (await deps.webhooks.lastAttempts(webhook)).map(({ webhookMessageId }) => webhookMessageId),
    );
    for (const [tag, own] of byUser) {
      const trackingIds = own.map(({ key }) => trackingIdOfPk(key.pk));
      if (tag === undefined || own.length < LOOP_MIN) continue;
      const calls = trackingIds.flatMap((id) => callIdsOf(environmentId, id));
      if (calls.filter((id) => called.has(id)).length < CALLS_MIN) continue;
      const head = await deps.logs.findHead(trackingIds[0] ?? '', deps.clock.now());
      const loop = `${environmentId} ${head?.notificationId}`;
      if (!head || watch.loop === loop) continue;
      recordMetrics({ WebhookLoop: 1 });
      const { notificationId } = head;
      log.warn('a webhook and the sends that it causes are a loop', {
        ...{ worker: WORKER, accountId, environmentId, notificationId, count: own.length },
      });
      return loop;
    }
  }
  return undefined;
}

/** The calls that a notification causes without its user doing anything. */
const callIdsOf = (environmentId: string, trackingId: string) =>
  Object.values(LOG_PREFIX).flatMap((prefix) =>
    ['delivered', 'failed'].map((stage) => webhookCallId(environmentId, trackingId, { prefix, stage })),
  );
