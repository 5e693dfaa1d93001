import { handler as redrive } from '../../functions/workers/redrive/redrive.ts';
import { HANG_MS } from '../support/until.ts';
import { enterWorld } from './adapters.ts';
import {
  type CallKind,
  FAULTS,
  type Fault,
  OUTAGES,
  type OutageName,
  PARTS,
  type Planned,
} from './faults.ts';
import { problemsOf } from './invariants.ts';
import type { Mutant } from './mutant.ts';
import { openStory, type Story } from './story.ts';
import { createWorld, START_MS } from './world.ts';

/** A story that must end well under any single fault. */
export type Scenario = {
  name: string;
  /** Creates the initial state, before any fault. */
  before?(story: Story): Promise<unknown>;
  /** Runs the scenario, with faults. */
  act(story: Story): Promise<unknown>;
  /** Hours until everything is over. */
  hours?: number;
  /** Returns further problems at the end. */
  check?(story: Story): Promise<string[]> | string[];
  /** The user and their logs are erased: only what is left can be checked. */
  isErased?: boolean;
  /** A short retention removes content during the run: what was written is changed once more. */
  isLimited?: boolean;
  /** Acts at a time of day: after a jump of the clock, that would be too late. */
  isTimed?: boolean;
  /** Expects what is sent to be sent soon: not while something is down. */
  isPrompt?: boolean;
  /** Faults are injected at these calls; all by default. */
  faultsAt?: RegExp;
};

/** The calls of a run, and the problems at its end. */
export type Run = { calls: readonly { name: string; kind: CallKind }[]; problems: string[] };

const HOUR_MS = 3_600_000;
/** Longer than any queue and any lease needs to retry. */
const AFTERWARDS_HOURS = 2;

type Conditions = { planned?: Planned; outage?: OutageName; mutant?: Mutant };

/**
 * Runs a scenario with one fault, or an outage from its first call on, or an outage of one part once it has acted; without either
 * it lists the calls.
 */
export async function runScenario(scenario: Scenario, conditions: Conditions = {}): Promise<Run> {
  let timer: NodeJS.Timeout | undefined;
  const hanging = new Promise<Run>((settle) => {
    timer = setTimeout(() => settle({ calls: [], problems: ['something waits indefinitely'] }), HANG_MS);
  });
  const run = await Promise.race([runToEnd(scenario, conditions), hanging]);
  clearTimeout(timer);
  return run;
}

async function runToEnd(scenario: Scenario, { planned, outage, mutant }: Conditions): Promise<Run> {
  const world = createWorld(mutant);
  enterWorld(world);
  const story = await openStory(world);
  await scenario.before?.(story);
  await story.pass(1);
  world.arm(planned);
  const problems: string[] = [];
  if (outage && outage in OUTAGES) world.breakDown(OUTAGES[outage as keyof typeof OUTAGES]);
  try {
    await scenario.act(story);
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  if (outage && outage in PARTS) {
    world.breakDown(PARTS[outage as keyof typeof PARTS]);
    // Functions that start now have nothing in memory.
    enterWorld(world);
  }
  await story.pass((scenario.hours ?? 1) * 60 + AFTERWARDS_HOURS * 60);
  const calls = [...world.calls];
  world.disarm();
  // The service recovers from one fault alone. After an outage the operator requeues dead letters.
  if (outage) await requeue(story);
  problems.push(...(await problemsOf(story, scenario)), ...((await scenario.check?.(story)) ?? []));
  if (outage || problems.length > 0) return { calls, problems };
  await requeue(story);
  const again = [...(await problemsOf(story, scenario)), ...((await scenario.check?.(story)) ?? [])];
  return { calls, problems: again.map((problem) => `after requeueing: ${problem}`) };
}

/** Runs the operator's commands after an outage; changes nothing if none is needed. */
async function requeue(story: Story): Promise<void> {
  const { world } = story;
  world.queues.redriveDead();
  await story.pass(AFTERWARDS_HOURS * 60);
  const range = { from: START_MS - HOUR_MS, to: world.nowMs + 1 };
  const [from, to] = [range.from, range.to].map((ms) => new Date(ms).toISOString());
  await story.invoke(() => redrive({ from, to }));
  await story.pass(AFTERWARDS_HOURS * 60);
}

/** Every fault at every call of a scenario. The reads of a sweep, one for each shard, are alike: two of them represent all. */
export function faultsOf(scenario: Scenario, calls: Run['calls']): Planned[] {
  return calls.flatMap(({ name, kind }, at) => {
    const isAlike = [at - 1, at + 1].every((each) => calls[each]?.name === name);
    const isLeftOut = (name === SHARD_READ && isAlike) || scenario.faultsAt?.test(name) === false;
    const faults: readonly Fault[] = isLeftOut ? [] : FAULTS[kind];
    return faults
      .filter((fault) => !(scenario.isTimed && fault === 'clock jump'))
      .map((fault) => ({ at, fault }));
  });
}

const SHARD_READ = 'table query due';
