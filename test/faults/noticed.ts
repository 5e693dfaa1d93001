import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault, Planned } from './faults.ts';
import type { Run } from './run.ts';

/** A fault at one call of a scenario: its name, and which of the calls of that name it is. */
type Noticing = { call: string; nth: number; fault: Fault };

const FILE = join(import.meta.dirname, 'noticed.json');

/** By scenario and mutant: the fault under which the scenario noticed that mutant last. */
const noticed: Record<string, Record<string, Noticing>> = JSON.parse(readFileSync(FILE, 'utf8'));

/** The recorded faults of a scenario, or a mutant's fault; without faults whose call is no longer made. */
export function noticingFaults(scenario: string, calls: Run['calls'], mutant?: string): Planned[] {
  const recorded = Object.entries(noticed[scenario] ?? {});
  return recorded
    .filter(([name]) => mutant === undefined || name === mutant)
    .flatMap(([, { call, nth, fault }]) => {
      const at = calls.flatMap(({ name }, index) => (name === call ? [index] : []))[nth];
      return at === undefined ? [] : [{ at, fault }];
    });
}

/** Records which fault notices a mutant (`RECORD_NOTICED=1`), so that every run of the scenario includes it. */
export function recordNoticing(
  scenario: string,
  mutant: string,
  { at, fault }: Planned,
  calls: Run['calls'],
): void {
  const call = calls[at]?.name;
  if (process.env.RECORD_NOTICED === undefined || call === undefined) return;
  const nth = calls.slice(0, at).filter(({ name }) => name === call).length;
  noticed[scenario] = { ...noticed[scenario], [mutant]: { call, nth, fault } };
  const sorted = Object.fromEntries(
    Object.entries(noticed).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
  writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}
