import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCycles, findUpwardImports, type ImportGraph, importsOf } from './support/import-order.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** The rooms of shared/, from the bottom up: a file imports from its own room and from those above it in this list. */
const ROOMS = [
  'shared/runtime',
  'shared/schemas',
  'shared/domain',
  'shared/http-client',
  'shared/messaging',
  'shared/blobs',
  'shared/tokens',
  'shared/encryption',
  'shared/rendering',
  'shared/database',
  'shared/channels',
  'shared/receipts',
  'shared/providers',
  'shared/services',
  'shared/http',
  'functions',
  'infra',
  'scripts',
];

/** Folders whose files must not import each other in a circle. */
const ACYCLIC = ['shared'];

function readGraph(): ImportGraph {
  const files = [...new Set(ROOMS.map((room) => room.split('/')[0] ?? room))].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name))),
  );
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(join(ROOT, file), 'utf8'))]));
}

const graph = readGraph();

describe('the rooms', () => {
  it('hold every file of shared/', () => {
    const strays = [...graph.keys()].filter(
      (file) => file.startsWith('shared/') && !ROOMS.some((room) => file.startsWith(`${room}/`)),
    );
    expect(strays).toEqual([]);
  });

  it('import downwards only, type imports included', () => {
    expect(findUpwardImports(graph, ROOMS)).toEqual([]);
  });

  it('have no import cycle between files, type-only cycles included', () => {
    const files = [...graph].filter(([file]) => ACYCLIC.some((folder) => file.startsWith(`${folder}/`)));
    expect(findCycles(new Map(files))).toEqual([]);
  });
});

describe('a planted violation', () => {
  const planted = (file: string, code: string): ImportGraph =>
    new Map([...graph, [file, importsOf(file, code)]]);

  it.each([
    ['a value import', "import { log } from '../http/endpoint.ts';"],
    ['a type import', "import type { Route } from '../http/route.ts';"],
    ['a lazy import', "const loaded = import('../http/endpoint.ts');"],
    ['an import type in an expression', "type Row = import('../http/route.ts').Route;"],
    ['an export from', "export { endpoint } from '../http/endpoint.ts';"],
    ['an import over several lines', "import {\n  endpoint,\n} from '../http/endpoint.ts';"],
  ])('fails as %s from a higher room', (_kind, code) => {
    const found = findUpwardImports(planted('shared/domain/planted.ts', code), ROOMS);
    expect(found).toEqual([expect.stringMatching(/^shared\/domain\/planted\.ts -> shared\/http\//)]);
  });

  it('fails as a cycle of types', () => {
    const graph: ImportGraph = new Map([
      ['shared/domain/a.ts', importsOf('shared/domain/a.ts', "import type { B } from './b.ts';")],
      ['shared/domain/b.ts', importsOf('shared/domain/b.ts', "import type { A } from './a.ts';")],
    ]);
    expect(findCycles(graph)).toEqual([['shared/domain/a.ts', 'shared/domain/b.ts']]);
  });
});
