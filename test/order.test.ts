import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../functions/routes.ts';
import { WORKERS } from '../functions/workers.ts';
import { fileNameOf } from '../shared/http/rows/route.ts';
import { findCycles, findUpwardImports, type ImportGraph, importsOf } from './support/import-order.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** The rooms from the bottom up: a file imports from its own room and from those before it in this list. */
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
  'client',
  'studio',
  'infra',
  'scripts',
  'import',
  'bench',
];

/** Folders whose own folders are rooms: between those, imports never go both ways, directly or through others. */
const FLOORS = ['functions/workers', 'infra/local', 'infra/aws'];

/** Rooms that are published alone: they import nothing of the others. */
const ALONE = ['client'];

function readGraph(): ImportGraph {
  const files = [...new Set(ROOMS.map((room) => room.split('/')[0] ?? room))].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
      .filter((file) => !/(^|\/)(node_modules|dist)\//.test(file)),
  );
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(join(ROOT, file), 'utf8'))]));
}

const graph = readGraph();

/** Returns the imports of other rooms by the separate rooms, as `file -> imported`. */
function findStrayImports(graph: ImportGraph): string[] {
  return ALONE.flatMap((room) =>
    [...graph]
      .filter(([file]) => file.startsWith(`${room}/`))
      .flatMap(([file, imports]) =>
        imports
          .filter((imported) => !imported.startsWith(`${room}/`))
          .map((imported) => `${file} -> ${imported}`),
      ),
  );
}

/** Returns the groups of rooms of a floor that import each other in a circle. */
function findRoomCycles(graph: ImportGraph, floor: string): string[][] {
  const roomOf = (file: string) => new RegExp(`^${floor}/[^/]+(?=/)`).exec(file)?.[0];
  const rooms = new Map<string, string[]>();
  for (const [file, imports] of graph) {
    const room = roomOf(file);
    if (!room) continue;
    const others = imports.flatMap((imported) => roomOf(imported) ?? []).filter((each) => each !== room);
    rooms.set(room, [...(rooms.get(room) ?? []), ...others]);
  }
  return findCycles(rooms);
}

/** Returns the files of shared/ that are in no room. */
function findLooseFiles(graph: ImportGraph): string[] {
  return [...graph.keys()].filter(
    (file) => file.startsWith('shared/') && !ROOMS.some((room) => file.startsWith(`${room}/`)),
  );
}

const NAMES_MAX = 12;
/** Folders whose folders are the rooms, and a folder of commands. */
const LISTED = ['shared', 'functions', 'functions/workers', 'scripts'];

/** Returns the folders with more than `NAMES_MAX` names, except files of operations and workers, which are named by their rows. */
function findCrowdedFolders(files: readonly string[]): string[] {
  const byRow = new Set([
    ...ROUTES.map((row) => `functions/${row.resource}/${fileNameOf(row.id)}.ts`),
    ...WORKERS.map(({ concern, name }) => `functions/workers/${concern}/${name}.ts`),
  ]);
  const names = new Map<string, Set<string>>();
  for (const file of files.filter(
    (each) => /^(shared|functions|infra|scripts)\//.test(each) && !byRow.has(each),
  )) {
    const parts = file.replace(/(\.texts)?\.tsx?$/, '').split('/');
    for (const [depth, part] of parts.entries()) {
      const folder = parts.slice(0, depth).join('/');
      names.set(folder, (names.get(folder) ?? new Set()).add(part));
    }
  }
  return [...names]
    .filter(([folder, { size }]) => folder !== '' && !LISTED.includes(folder) && size > NAMES_MAX)
    .map(([folder, { size }]) => `${folder}: ${size}`);
}

describe('the rooms', () => {
  it('show at most twelve names in a folder', () => {
    expect(findCrowdedFolders([...graph.keys()])).toEqual([]);
  });

  it('of which one has more names are found', () => {
    const planted = Array.from(
      { length: NAMES_MAX + 1 },
      (_, index) => `shared/domain/planted/file-${index}.ts`,
    );
    expect(findCrowdedFolders(planted)).toEqual([`shared/domain/planted: ${NAMES_MAX + 1}`]);
  });

  it('contain every file of shared/', () => {
    expect(findLooseFiles(graph)).toEqual([]);
  });

  it('each contain files', () => {
    const empty = ROOMS.filter((room) => ![...graph.keys()].some((file) => file.startsWith(`${room}/`)));
    expect(empty).toEqual([]);
  });

  it('import downwards only, type imports included', () => {
    expect(findUpwardImports(graph, ROOMS)).toEqual([]);
  });

  it('import nothing from other rooms when they are published alone', () => {
    expect(findStrayImports(graph)).toEqual([]);
  });

  it('have no import cycle between files, type-only cycles included', () => {
    expect(findCycles(graph)).toEqual([]);
  });

  it.each(FLOORS)('of %s import in one direction, type imports included', (floor) => {
    expect(findRoomCycles(graph, floor)).toEqual([]);
  });
});

/** Files in which an answer is a text message, or what DNS or a person says: see the words in CONTRIBUTING.md. */
const ABOUT_RESPONSES =
  /\/(incoming|inbound|dispatch|schemas\/account|redrive\/lost|receipts\/inbound-texts|logs\/log-items|http-client\/address-guard|parts\/dialog)\b/;
const RESPONSE_AS_RESPONSE =
  /\b(?:const|let|type|function) (?:answer|[a-z]*Answer|Answer)\b|\banswer: \{ kind\b/;

describe('a response', () => {
  it.each([
    ['const answer = await ask();', true],
    ['  answer: { kind: "json" },', true],
    ['const answered = true;', false],
  ])('in %s is named in another word: %s', (code, isMisnamed) => {
    expect(RESPONSE_AS_RESPONSE.test(code)).toBe(isMisnamed);
  });

  it('is named in no other word', () => {
    const files = [...graph.keys()].filter((file) => !ABOUT_RESPONSES.test(file));
    expect(files.length).toBeGreaterThan(1000);
    expect(files.filter((file) => RESPONSE_AS_RESPONSE.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual(
      [],
    );
  });
});

describe('the pictures in docs/adr/0001-layout.md', () => {
  const page = readFileSync(join(ROOT, 'docs/adr/0001-layout.md'), 'utf8');
  const pictures = [...page.matchAll(/```mermaid\n(.*?)```/gs)].map(([, picture = '']) => picture);
  const [ofRooms = '', ofPath = ''] = pictures;

  it('show every room, the lowest last, each with a sentence', () => {
    const shown = [...ofRooms.matchAll(/\["<b>(.+?)<\/b><br\/>([A-Z].+\.)"\]/g)].map(([, room]) => room);
    expect(shown.toReversed()).toEqual(ROOMS);
    for (const room of shown) expect(readdirSync(join(ROOT, room ?? ''))).not.toEqual([]);
  });

  it('show the path of a notification: at most twelve stops, and each solid line is an import', () => {
    const files = new Map(
      [...ofPath.matchAll(/^ +(\w+)\["(.+?)<br/gm)].map(([, id = '', file = '']) => [id, file]),
    );
    expect(files.size).toBeGreaterThan(5);
    expect(files.size).toBeLessThanOrEqual(12);
    for (const file of files.values()) expect([...graph.keys()]).toContain(file);
    const lines = [...ofPath.matchAll(/^ +(\w+(?: --> \w+)+)$/gm)].map(([, line = '']) =>
      line.split(' --> '),
    );
    const steps = lines.flatMap((ids) => ids.slice(1).map((to, index) => [ids[index] ?? '', to]));
    const missing = steps.filter(
      ([from = '', to = '']) => !reaches(files.get(from) ?? '', files.get(to) ?? ''),
    );
    expect(steps.length).toBeGreaterThan(5);
    expect(missing).toEqual([]);
  });
});

/** True if a file imports another, directly or through others. */
function reaches(from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const file of seen) for (const imported of graph.get(file) ?? []) seen.add(imported);
  return from !== to && seen.has(to);
}

describe('a planted violation', () => {
  const planted = (files: Record<string, string>): ImportGraph =>
    new Map([
      ...graph,
      ...Object.entries(files).map(([file, code]): [string, string[]] => [file, importsOf(file, code)]),
    ]);

  it.each([
    ['a value import', "import { log } from '../http/endpoint.ts';"],
    ['a type import', "import type { Route } from '../http/route.ts';"],
    ['a lazy import', "const loaded = import('../http/endpoint.ts');"],
    ['an import type in an expression', "type Row = import('../http/route.ts').Route;"],
    ['an export from', "export { endpoint } from '../http/endpoint.ts';"],
    ['an import in double quotes', 'import { endpoint } from "../http/endpoint.ts";'],
    ['an import without a name', "import '../http/endpoint.ts';"],
    ['an import over several lines', "import {\n  endpoint,\n} from '../http/endpoint.ts';"],
  ])('fails as %s from a higher room', (_kind, code) => {
    const found = findUpwardImports(planted({ 'shared/domain/planted.ts': code }), ROOMS);
    expect(found).toEqual([expect.stringMatching(/^shared\/domain\/planted\.ts -> shared\/http\//)]);
  });

  it.each([
    ['functions', 'infra/planted'],
    ['functions', 'client/src/planted'],
    ['studio', 'infra/planted'],
    ['infra', 'scripts/planted'],
    ['scripts', 'bench/planted'],
  ])('fails as an import of a file in %s from %s, by value or by type', (room, target) => {
    for (const kind of ['import', 'import type']) {
      const code = `${kind} { planted } from '../${target}.ts';`;
      const found = findUpwardImports(planted({ [`${room}/planted.ts`]: code }), ROOMS);
      expect(found).toEqual([`${room}/planted.ts -> ${target}.ts`]);
    }
  });

  it.each([
    ['functions/workers', 'delivery', 'digest/collect-digest.ts'],
    ['infra/local', 'gateway', 'queue/queue-consumer.ts'],
    ['infra/aws', 'triggers', 'permissions/role-policy.ts'],
  ])('fails as an import that goes back, in %s from %s', (floor, room, target) => {
    const code = `import type { Planted } from '../${target}';`;
    expect(findRoomCycles(planted({ [`${floor}/${room}/planted.ts`]: code }), floor)).not.toEqual([]);
  });

  it('fails as an import of shared/ by the published client', () => {
    const code = "import type { Channel } from '../../shared/schemas/channel.ts';";
    expect(findStrayImports(planted({ 'client/src/planted.ts': code }))).toEqual([
      'client/src/planted.ts -> shared/schemas/channel.ts',
    ]);
  });

  it.each(['shared/planted.ts', 'shared/planted/loose.ts', 'shared/domain.ts'])(
    'fails as the file %s, which is in no room',
    (file) => {
      expect(findLooseFiles(planted({ [file]: 'export const planted = 1;' }))).toEqual([file]);
    },
  );

  const rooms = ['shared/domain', 'functions/sending', 'infra/local', 'scripts', 'client/src', 'studio/src'];
  it.each(rooms)('fails as an import cycle in %s, of values, of types or of both', (room) => {
    for (const [there, back] of [
      ['import', 'import'],
      ['import type', 'import type'],
      ['import', 'import type'],
    ]) {
      const cycles = findCycles(
        planted({
          [`${room}/planted-a.ts`]: `${there} { b } from './planted-b.ts';`,
          [`${room}/planted-b.ts`]: `${back} { a } from './planted-a.ts';`,
        }),
      );
      expect(cycles).toEqual([[`${room}/planted-a.ts`, `${room}/planted-b.ts`]]);
    }
  });
});
