import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  FAILURE_EXPLANATIONS,
  REASON_EXPLANATIONS,
  REASON_FIXES,
  ROUTING_EXPLANATIONS,
} from '../../shared/domain/logs/explanations.ts';
import { inStudio } from '../../studio/src/state/studio-words.ts';

const TABLES = [REASON_EXPLANATIONS, ROUTING_EXPLANATIONS, ...Object.values(FAILURE_EXPLANATIONS)];
const FIXES = [
  ...new Set([
    ...TABLES.flatMap((table) => Object.values(table).map(({ fix }) => fix)),
    ...Object.values(REASON_FIXES),
  ]),
];

it.each(FIXES)('says in the studio what to do in the studio: %s', (fix) => {
  const said = inStudio(fix);
  expect(said).not.toMatch(/\b(?:GET|POST|PUT|PATCH|DELETE)\b|\/\{|dryRun|_internal/);
  expect(said).not.toBe('');
});

/** The resources that pages of the studio ask for, and what they send. */
const ASKED = globSync('studio/src/**/*.{ts,tsx}').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/\bapi(?:OfMaybe)?\.(\w+)\./g)].map(([, name]) => name),
);
const FOLDERS = [...new Set(ASKED), 'sending'].map((name) => `functions/${name}/**/*.ts`);
const NAMES_CALL = /\bfix:\s+(['`])((?:(?!\1).)*?\b(?:GET|POST|PUT|PATCH|DELETE) \/.*?)\1/g;
const ERROR_FIXES = globSync([...FOLDERS, 'shared/http/problems/*.ts'])
  // The studio exports nothing.
  .filter((file) => !file.includes('/export/'))
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(NAMES_CALL)].map(([, , fix = '']) => fix));

it('finds the fixes of errors that name calls', () => expect(ERROR_FIXES.length).toBeGreaterThan(20));

it.each([...new Set(ERROR_FIXES)])('says in the studio what to do about an error: %s', (fix) => {
  expect(inStudio(fix)).toMatch(/^(?!.*(?:(?:GET|POST|PUT|PATCH|DELETE)\b|\/\{|\?locale)).+\.$/);
});

it('says it with every error that a page shows', () => {
  const source = readFileSync('studio/src/state/field-problems.ts', 'utf8');
  expect(source).toMatch(/inStudio\(fix\)/);
});
