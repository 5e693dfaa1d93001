import './silence.ts';

import { beforeAll, describe, expect, it } from 'vitest';
import { installAdapters } from './adapters.ts';
import { loadHandlers } from './drive.ts';
import { OUTAGES, PARTS, type Planned } from './faults.ts';
import { noticingFaults } from './noticed.ts';
import { faultsOf, type Run, runScenario, type Scenario } from './run.ts';

/**
 * Runs of each scenario, spread over its calls and faults: `20` are the first twenty of the day, with half of the outages; `20-50`
 * are the thirty after those, with the other half; `all` are every fault at every call, and every outage.
 */
const RUNS = process.env.FAULTS_RUNS ?? '20';
if (!/^(all|\d+(-\d+)?)$/.test(RUNS)) throw new Error(`FAULTS_RUNS is neither all nor 20 nor 20-50: ${RUNS}`);
const [FIRST = 0, LAST = 0] = RUNS.includes('-') ? RUNS.split('-').map(Number) : [0, Number(RUNS)];
/** The next day's runs start where the runs of this day end. */
const RUNS_A_DAY = 50;
const TIMEOUT_MS = 3_600_000;
/** Picks faults all over a scenario, of all kinds. */
const STRIDE = 7919;
/** Other faults every day, so that all of them run in time. To repeat a failed run, pass its printed day. */
const DAY = Number(process.env.FAULTS_DAY ?? Math.floor(Date.now() / 86_400_000));

/** Makes this process a deployment in memory. Call it once per file. */
export function simulate(): void {
  beforeAll(async () => {
    installAdapters();
    await loadHandlers();
  });
}

/** Runs scenarios without a fault, with each of some faults, and while something is down. */
export function checkScenarios(scenarios: readonly Scenario[]): void {
  simulate();
  describe.each(scenarios)('$name', (scenario) => {
    let calls: Run['calls'] = [];

    it('completes without a fault', async () => {
      const run = await runScenario(scenario);
      expect(run.problems).toEqual([]);
      ({ calls } = run);
    });

    it('completes when any one call fails once', { timeout: TIMEOUT_MS }, async () => {
      const broken: string[] = [];
      for (const planned of chosen(scenario, calls)) {
        const { problems } = await runScenario(scenario, { planned });
        const { at, fault } = planned;
        if (problems.length > 0) broken.push(`${fault} at ${at} ${calls[at]?.name}: ${problems.join(', ')}`);
      }
      expect(broken, `with FAULTS_DAY=${DAY}`).toEqual([]);
    });

    it.skipIf(scenario.isPrompt).each(halfOf(outages()))('completes while %s are down', async (outage) => {
      const { problems } = await runScenario(scenario, { outage });
      expect(problems).toEqual([]);
    });
  });
}

/** Runs scenarios that only accept something, while one part is down that its delivery needs. */
export function checkParts(scenarios: readonly Scenario[]): void {
  const parts = Object.keys(PARTS) as (keyof typeof PARTS)[];
  describe.each(scenarios)('$name', (scenario) => {
    it.each(halfOf(parts))('completes when %s are down from its acceptance on', async (outage) => {
      const { problems } = await runScenario(scenario, { outage });
      expect(problems).toEqual([]);
    });
  });
}

/** Names of what may be down for a while. */
const outages = () => Object.keys(OUTAGES) as (keyof typeof OUTAGES)[];

/** Every second one, others every day; the runs that follow the first have the rest. */
const halfOf = <T>(all: readonly T[]): T[] =>
  all.filter((_, index) => RUNS === 'all' || (index + DAY) % 2 === Number(FIRST > 0));

/** Some of the faults, always including the faults that are known to notice a missing guard. */
function chosen(scenario: Scenario, calls: Run['calls']): readonly Planned[] {
  const all = faultsOf(scenario, calls);
  if (RUNS === 'all') return all;
  const today = all.filter((_, index) => {
    const place = (index * STRIDE + DAY * RUNS_A_DAY) % all.length;
    return FIRST <= place && place < LAST;
  });
  if (FIRST > 0) return today;
  const isChosen = ({ at, fault }: Planned) => today.some((each) => each.at === at && each.fault === fault);
  return [...today, ...noticingFaults(scenario.name, calls).filter((each) => !isChosen(each))];
}
