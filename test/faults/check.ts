import './silence.ts';

import { beforeAll, describe, expect, it } from 'vitest';
import { installAdapters } from './adapters.ts';
import { loadHandlers } from './drive.ts';
import { OUTAGES, type OutageName, PARTS, type Planned } from './faults.ts';
import { MUTANTS } from './mutants.ts';
import { noticingFaults } from './noticed.ts';
import { faultsOf, type Run, runScenario, type Scenario } from './run.ts';

/**
 * `few` are the runs that notice the mutants, five faults of the day and one outage; `rest` are the 45 faults after those and the
 * other outages; `all` are every fault at every call, and every outage.
 */
const RUNS = process.env.CASES ?? 'few';
if (!/^(few|rest|all)$/.test(RUNS)) throw new Error(`CASES is neither few, rest nor all: ${RUNS}`);
const FEW = 5;
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

    it.skipIf(scenario.isPrompt).each(outagesOf(scenario, OUTAGES))(
      'completes while %s are down',
      async (outage) => {
        const { problems } = await runScenario(scenario, { outage });
        expect(problems).toEqual([]);
      },
    );
  });
}

/** Runs scenarios that only accept something, while one part is down that its delivery needs. */
export function checkParts(scenarios: readonly Scenario[]): void {
  describe.each(scenarios)('$name', (scenario) => {
    it.each(outagesOf(scenario, PARTS))(
      'completes when %s are down from its acceptance on',
      async (outage) => {
        const { problems } = await runScenario(scenario, { outage });
        expect(problems).toEqual([]);
      },
    );
  });
}

/** What is down in the runs of a scenario: `few` have what notices a mutant and one more, another every day, the `rest` the others. */
function outagesOf(scenario: Scenario, outages: Partial<Record<OutageName, unknown>>): OutageName[] {
  const all = Object.keys(outages) as OutageName[];
  const noticing = MUTANTS.flatMap(({ scenarios, outage }) =>
    outage && scenarios.includes(scenario.name) ? [outage] : [],
  );
  const few = new Set([...noticing, ...all.filter((_, index) => index === DAY % all.length)]);
  return [...new Set([...few, ...all])].filter(
    (each) => RUNS === 'all' || few.has(each) === (RUNS === 'few'),
  );
}

/** Some of the faults; `few` include those that notice a mutant, each once. */
function chosen(scenario: Scenario, calls: Run['calls']): readonly Planned[] {
  const all = faultsOf(scenario, calls);
  if (RUNS === 'all') return all;
  const noticing = noticingFaults(scenario.name, calls);
  return all.filter((planned, index) => {
    const place = (index * STRIDE + DAY * RUNS_A_DAY) % all.length;
    if (RUNS === 'rest') return FEW <= place && place < RUNS_A_DAY;
    return place < FEW || noticing.some(({ at, fault }) => planned.at === at && planned.fault === fault);
  });
}
