import { daysOf, type Retentions } from '../../../shared/database/entities/accounts/retentions.ts';
import type { NotificationTypes } from '../../../shared/database/entities/content/notification-types.ts';
import type { ErasurePass } from '../../../shared/database/entities/erasure/erasure-passes.ts';
import { type ErasedLog, feedsOfPeople } from '../../../shared/database/entities/erasure/log-erasures.ts';
import { shardsOf } from '../../../shared/database/entities/logs/feed.ts';
import { KEPT_SECONDS } from '../../../shared/database/entities/logs/log-head-items.ts';
import type { LimitedPage, LogLimits } from '../../../shared/database/entities/logs/log-limits.ts';
import { indexTime, timeOfIndexSk } from '../../../shared/database/keys/indexes.ts';
import { inChunks } from '../../../shared/runtime/async/chunks.ts';
import type { Clock } from '../../../shared/runtime/clock.ts';
import { DAY_MS, DAY_SECONDS } from '../../../shared/runtime/values/durations.ts';
import { type ErasureStepDependencies, finish, SETTLE_MS, withErased } from './erasure-steps.ts';

type PassDependencies = ErasureStepDependencies & {
  clock: Clock;
  logLimits: LogLimits;
  notificationTypes: NotificationTypes;
  retentions: Retentions;
};

const KEPT_DAYS = KEPT_SECONDS / DAY_SECONDS;

/** The rate: about 60 read units a second for keys, and 100 for logs. */
export const STEP_EVERY_MS = 60_000;
export const ENTRIES_PER_STEP = 300_000;
const LOGS_PER_STEP = 10_000;
const STEP_MS_MAX = 20_000;
const PAGE = 1000;
const SHARDS_AT_ONCE = 8;
const JOBS_AT_ONCE = 10;

/**
 * The next step of an environment's pass, by its due item: reads on in each shard of the environment's feeds, for all erasures
 * that the pass serves. It serves erasures that had settled when it began, so that their logs are complete. At its end, another
 * pass begins for the erasures that wait by then. Safe to repeat from any point.
 */
export async function erasurePassStep(deps: PassDependencies, pk: string, nowMs: number): Promise<void> {
  const found = await deps.erasurePasses.findByPk(pk);
  if (!found) return;
  if (found.sinceMs !== undefined) return retentionStep(deps, { ...found, sinceMs: found.sinceMs }, nowMs);
  const pass = found.members.length > 0 ? found : await begun(deps, found, nowMs);
  if (pass.members.length === 0) return deps.erasurePasses.remove(pass);
  const jobs = (await deps.erasureJobs.listByPk(pass.members)).filter(({ atMs }) => atMs <= pass.untilMs);
  const erased: ErasedLog[] = [];
  const { positions, isAtEnd } =
    jobs.length === 0
      ? { positions: {}, isAtEnd: true }
      : await readOn(deps, pass, pass.untilMs, async (pk, after) => {
          const page = await deps.logErasures.eraseShard(jobs, pk, { limit: PAGE, after, nowMs });
          erased.push(...page.erased);
          return page;
        });
  await inChunks(jobs, JOBS_AT_ONCE, async (job) => {
    const logs = erased.filter(({ userId }) => userId === job.userId);
    const next = withErased(job, logs);
    if (isAtEnd) await finish(deps, { ...next, isFeedRead: true, isPassed: true }, nowMs);
    else if (logs.length > 0) await deps.erasureJobs.save(next, nowMs + STEP_EVERY_MS);
  });
  const next = isAtEnd ? { ...pass, untilMs: 0, members: [], positions: {} } : { ...pass, positions };
  await deps.erasurePasses.save(next, nowMs + STEP_EVERY_MS);
}

async function begun(deps: PassDependencies, pass: ErasurePass, nowMs: number): Promise<ErasurePass> {
  const untilMs = nowMs - SETTLE_MS;
  return { ...pass, untilMs, members: await deps.erasureJobs.listWaiting(pass.environmentId, untilMs) };
}

async function readOn(
  { accounts, clock }: PassDependencies,
  { accountId, environmentId, ...pass }: ErasurePass,
  untilMs: number,
  read: (feedPk: string, after: string) => Promise<Pick<LimitedPage, 'position' | 'entries' | 'logs'>>,
): Promise<{ positions: ErasurePass['positions']; isAtEnd: boolean }> {
  const { feedShards } = await accounts.get(accountId);
  const positions = { ...pass.positions };
  const open = shardsOf(feedsOfPeople(environmentId, feedShards)).filter((pk) => positions[pk] !== '');
  const endMs = clock.now() + STEP_MS_MAX;
  for (let entries = 0, logs = 0; open.length > 0; ) {
    if (entries >= ENTRIES_PER_STEP || logs >= LOGS_PER_STEP || clock.now() >= endMs) break;
    const next = open.splice(0, SHARDS_AT_ONCE);
    const pages = await Promise.all(next.map((pk) => read(pk, positions[pk] ?? indexTime(untilMs + 1))));
    for (const [index, pk] of next.entries()) {
      const page = pages[index];
      positions[pk] = page?.position ?? '';
      entries += page?.entries ?? 0;
      logs += page?.logs ?? 0;
      if (page?.position !== undefined) open.push(pk);
    }
  }
  return { positions, isAtEnd: open.length === 0 };
}

/** Content is removed, and short logs are gone, within a day. */
const AGAIN_MS = DAY_MS;

/**
 * The next step of the pass that applies the present retention to the logs of an environment. At its end, it begins again the
 * next day as long as there is something to remove before a log expires by itself.
 */
async function retentionStep(
  deps: PassDependencies,
  pass: ErasurePass & { sinceMs: number },
  nowMs: number,
): Promise<void> {
  const account = await deps.accounts.find(pass.accountId);
  if (!account) return deps.erasurePasses.remove(pass);
  const types = await deps.notificationTypes.listAll(pass.environmentId);
  const all = [undefined, ...types].map((type) => daysOf(account, type));
  const firstDays = Math.min(...all.map(({ contentDays }) => contentDays));
  const untilMs = pass.untilMs || nowMs - firstDays * DAY_MS;
  let { openSinceMs } = pass;
  const rule = deps.retentions.ruleOf(pass.accountId);
  const { positions, isAtEnd } = await readOn(deps, pass, untilMs, async (pk, after) => {
    const page = await deps.logLimits.limitShard(rule, pk, { limit: PAGE, after, nowMs });
    openSinceMs = Math.min(openSinceMs ?? untilMs, page.openSinceMs ?? untilMs);
    const isReached = page.position !== undefined && timeOfIndexSk(page.position) < pass.sinceMs;
    return isReached ? { ...page, position: undefined } : page;
  });
  const next = { ...pass, untilMs, positions, openSinceMs };
  if (!isAtEnd) return void (await deps.erasurePasses.save(next, nowMs + STEP_EVERY_MS));
  const isContinual = all.some(({ days, contentDays }) => contentDays < days || days < KEPT_DAYS);
  const isOpen = Math.min(openSinceMs ?? untilMs, untilMs) < Math.max(untilMs, pass.startedAtMs ?? 0);
  if (!isContinual && !isOpen) return deps.erasurePasses.remove(pass);
  const again = {
    ...pass,
    untilMs: 0,
    positions: {},
    sinceMs: openSinceMs ?? untilMs,
    openSinceMs: undefined,
  };
  await deps.erasurePasses.save(again, nowMs + AGAIN_MS);
}
