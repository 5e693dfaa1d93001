import { expect, it } from 'vitest';
import { MUTANTS } from './mutants.ts';
import { SCENARIOS } from './scenarios/index.ts';

it('every mutant names scenarios that exist', () => {
  const names = new Set(SCENARIOS.map(({ name }) => name));
  const unknown = MUTANTS.flatMap(({ scenarios }) => scenarios.filter((name) => !names.has(name)));
  expect(unknown).toEqual([]);
});
