import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingNames } from './infra/bundle/bundle-facts.ts';

const ROOT = resolve(import.meta.dirname, '..');
const NAME = /`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)`/g;

/** Read by the local run itself, not by a function. */
const LOCAL_ONLY = ['PORT'];

/** Names in the first column of a table. */
function documented(): string[] {
  const lines = readFileSync(resolve(ROOT, 'docs/configuration.md'), 'utf8').split('\n');
  const cells = lines.filter((line) => line.startsWith('| `')).map((line) => line.split(' | ')[0] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(NAME)].map(([, name = '']) => name));
}

function read(): Set<string> {
  const { settings, secrets } = settingNames();
  return new Set([...settings, ...secrets]);
}

describe('docs/configuration.md', () => {
  it('lists every setting that the code reads', () => {
    const known = new Set(documented());
    expect([...read()].filter((name) => !known.has(name)).sort()).toEqual([]);
  });

  it('lists no setting that nothing reads', () => {
    const names = read();
    expect(documented().filter((name) => !names.has(name) && !LOCAL_ONLY.includes(name))).toEqual([]);
  });

  it('lists each setting once', () => {
    const names = documented();
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('cannot miss a setting: nothing but shared/runtime/config.ts reads the environment of functions', () => {
    const readers = globSync('{shared,functions}/**/*.ts', { cwd: ROOT }).filter((path) =>
      readFileSync(resolve(ROOT, path), 'utf8').includes('process.env'),
    );
    expect(readers).toEqual(['shared/runtime/config.ts']);
  });
});
