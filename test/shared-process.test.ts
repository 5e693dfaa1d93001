import { readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import config, { APART, IN_PARTS } from '../vitest.config.ts';

const ROOT = resolve(import.meta.dirname, '..');
/** Vitest runs these once for each test file. */
const SET_UP_FILES = ['test/support/properties.ts', 'test/support/settings.ts'];

const HOOKS_AT_IMPORT =
  /^(?:export )?(?:const [^=\n]+= )?(?:(?:before|after)(?:All|Each)|use[A-Z]\w*|use)\(/m;
const CHANGES_PROCESS =
  /^(?:process\.env|Object\.assign\(process\.env)|^vi\.hoisted\(|spyOn\((?:process|console|globalThis)\b/m;
const STARTS_PROCESS = /^(?:import .*|\} )from 'node:child_process'/m;

const SOURCES = readdirSync(join(ROOT, 'test'), { recursive: true, withFileTypes: true })
  .filter(({ name, parentPath }) => name.endsWith('.ts') && !/\/(node_modules|test\/aws)\b/.test(parentPath))
  .map(({ name, parentPath }) => relative(ROOT, join(parentPath, name)));
const isTest = (file: string) => file.endsWith('.test.ts');
const isIn = (patterns: readonly string[]) => (file: string) =>
  patterns.some((each) => matchesGlob(file, each));
const codeOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

describe('a module that test files share', () => {
  const modules = SOURCES.filter((file) => !isTest(file) && !SET_UP_FILES.includes(file));

  it('registers no hook when it is imported', () => {
    expect(modules.length).toBeGreaterThan(100);
    expect(modules.filter((file) => HOOKS_AT_IMPORT.test(codeOf(file)))).toEqual([]);
  });

  it.each([
    'export const app = useApp();',
    "import { x } from './x.ts';\nbeforeAll(() => {});",
    'const { a } = useThings();',
    'use(app);',
  ])('is recognized by: %s', (code) => expect(code).toMatch(HOOKS_AT_IMPORT));
});

describe('a test file that shares its process', () => {
  const sharing = SOURCES.filter(isTest).filter((file) => !isIn(APART)(file));
  const atScale = (file: string) => file.endsWith('.scale.test.ts');
  const isFast = (file: string) => !atScale(file) && !file.startsWith('test/faults/');

  it('sets no variable at import and spies on no global; one of `npm test` starts no process', () => {
    expect(sharing.filter(isFast).length).toBeGreaterThan(200);
    expect(sharing.filter(atScale).length).toBeGreaterThan(60);
    expect(sharing.filter((file) => CHANGES_PROCESS.test(codeOf(file)))).toEqual([]);
    expect(sharing.filter(isFast).filter((file) => STARTS_PROCESS.test(codeOf(file)))).toEqual([]);
  });

  it('is any that is not named in vitest.config.ts, where each name stands for a file', () => {
    expect(APART.filter((pattern) => !SOURCES.some((file) => matchesGlob(file, pattern)))).toEqual([]);
    expect(
      sharing
        .filter(isFast)
        .filter((file) => /support\/cases\.ts'/.test(codeOf(file)))
        .sort(),
    ).toEqual(IN_PARTS);
    for (const name of ['main', 'scale'])
      expect(config.test?.projects).toContainEqual({
        test: expect.objectContaining({ name, isolate: false }),
      });
  });
});
