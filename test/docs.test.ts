import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, ROOT, read } from './support/project-files.ts';

const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...filesBelow('docs', '.md'),
];
const FOLDERS = 'bench|docs|functions|infra|scripts|shared|test';

/** Paths in a document: relative links, and code that begins with a folder of the project. */
function namedPaths(file: string): string[] {
  const text = read(file);
  const links = [...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, link = '']) =>
    relative(ROOT, resolve(ROOT, dirname(file), link)),
  );
  const code = [...text.matchAll(new RegExp(`\`((?:${FOLDERS})/[\\w./-]*)\``, 'g'))].map(
    ([, path = '']) => path,
  );
  return [...links, ...code];
}

describe('the documents', () => {
  it.each(DOCUMENTS)('%s names only files that exist', (file) => {
    expect(namedPaths(file).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it.each(DOCUMENTS)('%s names only commands that exist', (file) => {
    const { scripts } = JSON.parse(read('package.json'));
    const named = [...read(file).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  it('name files and commands at all', () => {
    const all = DOCUMENTS.map(read).join('\n');
    expect(DOCUMENTS.flatMap(namedPaths).length).toBeGreaterThan(100);
    expect(all.match(/\bnpm run [\w:-]+/g)?.length).toBeGreaterThan(50);
  });

  it('exist when the code names them', () => {
    const sources = ['functions', 'shared', 'infra', 'scripts', 'bench']
      .filter((folder) => existsSync(join(ROOT, folder)))
      .flatMap((folder) => filesBelow(folder, '.ts'));
    expect(sources.filter((file) => /\bdocs\/[\w/-]+\.md\b/.test(read(file))).length).toBeGreaterThan(3);
    const missing = sources.flatMap((file) =>
      [...read(file).matchAll(/\bdocs\/[\w/-]+\.(?:md|json)\b/g)]
        .map(([path]) => path)
        .filter((path) => !existsSync(join(ROOT, path)))
        .map((path) => `${file}: ${path}`),
    );
    expect(missing).toEqual([]);
  });
});
