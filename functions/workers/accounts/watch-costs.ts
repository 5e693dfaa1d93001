import { accountList } from '../../../shared/database/entities/accounts/account-list.ts';
import { accounts } from '../../../shared/database/entities/accounts/accounts.ts';
import { environments } from '../../../shared/database/entities/accounts/environments.ts';
import { feed } from '../../../shared/database/entities/logs/feed.ts';
import { OUTBOUND_FEED } from '../../../shared/database/entities/logs/log-head-items.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { type CostWatch, costWatches } from '../../../shared/database/entities/usage/cost-watches.ts';
import {
  type CountedDay,
  dayOf,
  usageCounters,
} from '../../../shared/database/entities/usage/usage-counters.ts';
import { webhookHistory } from '../../../shared/database/entities/webhooks/webhook-history.ts';
import { webhooks } from '../../../shared/database/entities/webhooks/webhooks.ts';
import { tagOfFeedSk } from '../../../shared/database/keys/indexes.ts';
import { trackingIdOfPk } from '../../../shared/database/keys/key.ts';
import { costOfDay, overspending, type Spender } from '../../../shared/domain/costs/day-cost.ts';
import { webhookCallId } from '../../../shared/domain/logs/webhook-event.ts';
import { scheduledWorker } from '../../../shared/http/workers/event-worker.ts';
import { mapAtMost } from '../../../shared/runtime/async/map-at-most.ts';
import type { Clock } from '../../../shared/runtime/clock.ts';
import { numberSetting } from '../../../shared/runtime/config.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';
import { recordMetrics } from '../../../shared/runtime/metrics.ts';
import { DAY_MS } from '../../../shared/runtime/values/durations.ts';
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
  webhookHistory,
  webhooks,
};
type Deps = Resolved<typeof DEPENDENCIES> & { clock: Clock };

const AT_ONCE = 5;
/** The usual cost is measured over these days. */
const USUAL_DAYS = 28;
/** One a second since the last look: less is no loop that costs. */
const LOOP_MESSAGES_MIN = 300;
const SAMPLE = 200;
/** So many of the sample are the same user's, of one type, in a loop; as many of the last calls of a webhook are about these. */
const LOOP_MIN = 20;
const CALLS_MIN = 10;
/** Users that a loop goes over, and their part of the sample. */
const LOOP_USERS_MAX = 5;
const MOST = 0.8;

/** `last`: the watched day before, which was spent on after its last look. */
type Watched = { accountId: string; usd: number; messages: number; watch: CostWatch; last?: Spender };

/**
 * Compares today's cost of each account and of the deployment with the usual cost, and stops the sending of accounts that exceed
 * their limit until somebody allows it again. Reports loops of a webhook and the sends that it causes. Reads counters only; a
 * busy account also costs a page of its feed.
 */
export const handler = scheduledWorker(
  { name: WORKER, failed: 'the costs were not watched' },
  DEPENDENCIES,
  async (deps) => {
    const nowMs = deps.clock.now();
    // What is wrong with one account stops the spending of the others all the same.
    const failed: unknown[] = [];
    const unlessFailed = <T>(task: Promise<T>) => task.catch((error: unknown) => void failed.push(error));
    const looks = await mapAtMost(AT_ONCE, await deps.accountList.listIds(), (id) =>
      unlessFailed(look(deps, id, nowMs)),
    );
    const watched = looks.flatMap((each) => each ?? []);
    const rule = {
      factor: numberSetting('DAY_COST_FACTOR'),
      floorUsd: numberSetting('DAY_COST_FLOOR_USD'),
    };
    const today = watched.map(({ watch, ...spent }) => spenderOf(spent, watch));
    const before = watched.flatMap(({ last }) => last ?? []);
    const stopped = new Set([...overspending(today, rule), ...overspending(before, rule)]);
    await mapAtMost(AT_ONCE, watched, (each) =>
      unlessFailed(settle(deps, each, stopped.has(each.accountId) && !each.watch.isStopped)),
    );
    if (failed.length > 0) throw failed[0];
  },
);

async function settle(deps: Deps, each: Watched, isOver: boolean): Promise<void> {
  if (isOver) await stopSending(deps, each);
  const loop = await nameLoop(deps, each);
  const next = { ...each.watch, messages: each.messages, isStopped: isOver || each.watch.isStopped };
  if (isOver || each.messages !== each.watch.messages)
    await deps.costWatches.save(each.accountId, { ...next, ...(loop ? { loop } : {}) });
}

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
  const last = stored?.isStopped === false && before.find((day) => day.date === stored.date);
  return {
    ...{ accountId, usd, messages },
    ...(last ? { last: spenderOf({ accountId, usd: costOfDay(last) }, stored) } : {}),
    watch: { date, usualUsd: averageOf(before), messages: 0, isStopped: false, floorUsd: stored?.floorUsd },
  };
}

const spenderOf = (
  { accountId, usd }: { accountId: string; usd: number },
  { usualUsd, floorUsd }: CostWatch,
): Spender => ({ accountId, usd, usualUsd, floorUsd });

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
 * day for each; returns all of the day.
 */
async function nameLoop(deps: Deps, { accountId, messages, watch }: Watched): Promise<string | undefined> {
  if (messages - watch.messages < LOOP_MESSAGES_MIN) return undefined;
  const { feedShards } = await deps.accounts.get(accountId);
  const named = watch.loop ? watch.loop.split('\n') : [];
  for (const { environmentId } of await deps.environments.listAll(accountId)) {
    const webhook = await deps.webhooks.find({ accountId, environmentId });
    if (!webhook || webhook.disabledAtMs !== undefined) continue;
    const feeds = [{ environmentId, kind: OUTBOUND_FEED, shards: feedShards }];
    const entries = await deps.feed.listNewestFirst(feeds, { limit: SAMPLE });
    const byUser = [...Map.groupBy(entries, ({ position }) => tagOfFeedSk(position)).entries()];
    const called = new Set(
      (await deps.webhookHistory.lastAttempts(webhook)).map(({ webhookMessageId }) => webhookMessageId),
    );
    const often = byUser.flatMap(([tag, own]) => (tag !== undefined && own.length >= LOOP_MIN ? [own] : []));
    // A loop may go over some users: together they get most of what is sent.
    const all = often.flat();
    const isMost = often.length <= LOOP_USERS_MAX && all.length >= MOST * entries.length;
    for (const own of [...often, ...(isMost ? [all] : [])]) {
      const trackingIds = own.map(({ key }) => trackingIdOfPk(key.pk));
      const calls = trackingIds.flatMap((id) => callIdsOf(environmentId, id));
      if (calls.filter((id) => called.has(id)).length < CALLS_MIN) continue;
      const head = await deps.logs.findHead(trackingIds[0] ?? '', deps.clock.now());
      const loop = `${environmentId} ${head?.notificationId}`;
      if (!head || named.includes(loop)) continue;
      recordMetrics({ WebhookLoop: 1 });
      const { notificationId } = head;
      log.warn('a webhook and the sends that it causes are a loop', {
        ...{ worker: WORKER, accountId, environmentId, notificationId, count: own.length },
      });
      return [...named, loop].join('\n');
    }
  }
  return undefined;
}

/** The calls that a notification causes without its user doing anything. */
const callIdsOf = (environmentId: string, trackingId: string) =>
  Object.values(LOG_PREFIX).flatMap((prefix) =>
    ['delivered', 'failed'].map((stage) => webhookCallId(environmentId, trackingId, { prefix, stage })),
  );
