import { describe, expect, it } from 'vitest';
import { simulate } from './check.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';
import { noticingFaults, recordNoticing } from './noticed.ts';
import { faultsOf, runScenario, type Scenario } from './run.ts';
import { SCENARIOS } from './scenarios/index.ts';

simulate();

const scenarioOf = (name: string): Scenario => {
  const found = SCENARIOS.find((each) => each.name === name);
  if (!found) throw new Error(`there is no scenario "${name}"`);
  return found;
};

/** The first run that notices, and what it notices: of those of `npm test`, or of all to record one. */
async function findNoticed(mutant: Mutant, scenario: Scenario): Promise<string | undefined> {
  const { outage } = mutant;
  const first = await runScenario(scenario, { mutant, ...(outage ? { outage } : {}) });
  if (first.problems.length > 0) return `${outage ?? 'no fault'}: ${first.problems[0]}`;
  if (outage) return undefined;
  const { calls } = await runScenario(scenario);
  const known = noticingFaults(scenario.name, calls, mutant.name);
  const others = process.env.RECORD_NOTICED === undefined ? [] : faultsOf(scenario, calls);
  for (const planned of [...known, ...others]) {
    const { problems } = await runScenario(scenario, { mutant, planned });
    const { at, fault } = planned;
    if (problems.length === 0) continue;
    if (planned !== known[0]) recordNoticing(scenario.name, mutant.name, planned, calls);
    return `${fault} at ${calls[at]?.name}: ${problems[0]}`;
  }
  return undefined;
}

describe.each(MUTANTS)('where $name', (mutant) => {
  it.each(mutant.scenarios)('"%s" notices', async (name) => {
    expect(await findNoticed(mutant, scenarioOf(name))).toBeDefined();
  });
});
