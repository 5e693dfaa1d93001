import type { ErasureJob } from '../../shared/database/entities/erasure-jobs.ts';
import type { ErasurePass } from '../../shared/database/entities/erasure-passes.ts';
import { shardsOf } from '../../shared/database/entities/feed.ts';
import { type ErasedPage, feedsOfPeople } from '../../shared/database/entities/log-erasures.ts';
import { indexTime } from '../../shared/database/keys/indexes.ts';
import { inChunks } from '../../shared/runtime/chunks.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import { type ErasureStepDependencies, finish, SETTLE_MS, withErased } from './erasure-steps.ts';

type PassDependencies = ErasureStepDependencies & { clock: Clock };

/** The rate: about 60 read units a second for keys, and 100 for logs. */
const STEP_EVERY_MS = 60_000;
const ENTRIES_PER_STEP = 300_000;
const LOGS_PER_STEP = 10_000;
const STEP_MS_MAX = 20_000;
const PAGE = 1000;
const SHARDS_AT_ONCE = 8;
const JOBS_AT_ONCE = 10;

/**
 * The next step of the pass that a due item names: for all erasures that it serves, reads on in each shard of the environment's
 * feeds. It serves those that had settled when it began, so no log of theirs comes later. At its end, another begins for those who
 * wait by then. Safe to repeat from any point.
 */
export async function erasurePassStep(deps: PassDependencies, pk: string, nowMs: number): Promise<void> {
  const found = await deps.erasurePasses.findByPk(pk);
  if (!found) return;
  const pass = found.members.length > 0 ? found : await begun(deps, found, nowMs);
  if (pass.members.length === 0) return deps.erasurePasses.remove(pass);
  const jobs = (await deps.erasureJobs.listByPk(pass.members)).filter(({ atMs }) => atMs <= pass.untilMs);
  const { positions, erased, isAtEnd } = await readOn(deps, pass, jobs, nowMs);
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

type Reading = { positions: ErasurePass['positions']; erased: ErasedPage['erased']; isAtEnd: boolean };

async function readOn(
  { accounts, clock, logErasures }: PassDependencies,
  { accountId, environmentId, untilMs, ...pass }: ErasurePass,
  jobs: readonly ErasureJob[],
  nowMs: number,
): Promise<Reading> {
  if (jobs.length === 0) return { positions: {}, erased: [], isAtEnd: true };
  const { feedShards } = await accounts.get(accountId);
  const positions = { ...pass.positions };
  const open = shardsOf(feedsOfPeople(environmentId, feedShards)).filter((pk) => positions[pk] !== '');
  const endMs = clock.now() + STEP_MS_MAX;
  const erased: ErasedPage['erased'] = [];
  for (let entries = 0, logs = 0; open.length > 0; ) {
    if (entries >= ENTRIES_PER_STEP || logs >= LOGS_PER_STEP || clock.now() >= endMs) break;
    const next = open.splice(0, SHARDS_AT_ONCE);
    const pages = await Promise.all(
      next.map((pk) => {
        const after = positions[pk] ?? indexTime(untilMs + 1);
        return logErasures.eraseShard(jobs, pk, { limit: PAGE, after, nowMs });
      }),
    );
    for (const [index, pk] of next.entries()) {
      const page = pages[index];
      positions[pk] = page?.position ?? '';
      erased.push(...(page?.erased ?? []));
      entries += page?.entries ?? 0;
      logs += page?.logs ?? 0;
      if (page?.position !== undefined) open.push(pk);
    }
  }
  return { positions, erased, isAtEnd: open.length === 0 };
}
