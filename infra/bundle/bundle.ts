import { existsSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { ROUTES } from '../../functions/routes.ts';
import { WORKERS } from '../../functions/workers.ts';
import { fileNameOf, type ListedRoute } from '../../shared/http/rows/route.ts';
import type { Worker } from '../../shared/http/rows/worker.ts';
import { LINES_EXTENSION } from '../../shared/runtime/readable-stack.ts';
import { bundleFiles, FORMATS, type Output } from './bundle-files.ts';
import { SHARED } from './bundle-plugins.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const ENTRY_FILE = 'index.mjs';
const COMPANION_FOLDER = 'companions';
/** Maximum size of a function without its lazy files: it is read and compiled before the first response. */
export const ENTRY_BYTES_MAX = { route: 350 * 1024, worker: 600 * 1024 } as const;

/** One handler file to bundle; `id` is the route's operation id or the worker's name. */
export type BundleEntry = { id: string; kind: 'route' | 'worker'; source: string };

/** One function's folder, ready to be zipped: the entry and the modules it loads on first use. */
export type Bundle = {
  id: string;
  kind: 'route' | 'worker';
  /** Absolute; exports `handler` from `entryFile`. */
  folder: string;
  entryFile: string;
  /** Of the entry and its static imports, without the lazy files. */
  sizeBytes: number;
  lazyFiles: { name: string; sizeBytes: number }[];
  /** Own modules in the entry, relative to the repository. */
  sources: string[];
};

/** A file next to the entry of a bundle: the modules with state, or a module loaded by `import()`. */
export type Companion = { name: string; sizeBytes: number; sources: string[] };

/** The handler files of the two tables. */
export function entriesOf(
  routes: readonly ListedRoute[] = ROUTES,
  workers: readonly Worker[] = WORKERS,
): BundleEntry[] {
  return [
    ...routes.map(
      (row): BundleEntry => ({
        id: row.id,
        kind: 'route',
        source: `functions/${row.resource}/${fileNameOf(row.id)}.ts`,
      }),
    ),
    ...workers.map(
      (row): BundleEntry => ({
        id: row.name,
        kind: 'worker',
        source: `functions/workers/${row.concern}/${row.name}.ts`,
      }),
    ),
  ];
}

export function findMissingEntries(entries: readonly BundleEntry[]): BundleEntry[] {
  return entries.filter(({ source }) => !existsSync(join(ROOT, source)));
}

type BundleOptions = { outputFolder: string; entries?: readonly BundleEntry[] };

/**
 * Bundles every handler with one esbuild call, and the files next to them with another. Each bundle's folder
 * has the entry and every file it can reach; source maps are in `source-maps`, outside of the zips. The
 * previous content of `outputFolder` is replaced.
 */
export async function bundleAll(options: BundleOptions): Promise<Bundle[]> {
  return (await bundleWithCompanions(options)).bundles;
}

/** As `bundleAll`, with the metafile of the files next to the entries. */
export async function bundleWithCompanions(
  options: BundleOptions,
): Promise<{ bundles: Bundle[]; companions: Companion[] }> {
  const entries = options.entries ?? entriesOf();
  assertAllThere(entries);
  const outputFolder = resolve(options.outputFolder);
  await rm(outputFolder, { recursive: true, force: true });
  const points = entries.map(
    (entry) => [join(folderOf(entry), ENTRY_FILE), join(ROOT, entry.source)] as const,
  );
  const built = await bundleFiles(points, outputFolder, 'esm');
  const companions = await buildCompanions(built.lazySources, outputFolder);
  const made = entries.map((entry) => toBundle(entry, outputFolder, built.outputs, companions));
  await Promise.all(made.map(({ bundle, files }) => copyCompanions(bundle.folder, files, outputFolder)));
  return {
    bundles: made.map(({ bundle }) => bundle),
    companions: [...companions].map(([name, { sizeBytes, sources }]) => ({ name, sizeBytes, sources })),
  };
}

function assertAllThere(entries: readonly BundleEntry[]): void {
  const missing = findMissingEntries(entries);
  if (missing.length === 0) return;
  const lines = missing.map(({ kind, id, source }) => `  ${kind} ${id}: ${source}`);
  throw new Error(`These handler files are missing:\n${lines.join('\n')}`);
}

/** Repeated until no new modules turn up, because lazy modules can load further lazy modules. */
async function buildCompanions(
  found: ReadonlyMap<string, string>,
  outputFolder: string,
): Promise<Map<string, Output>> {
  const companions = new Map<string, Output>();
  let pending = new Map<string, string>([
    ...SHARED.map(({ file, entry }) => [file, entry] as const),
    ...found,
  ]);
  while (pending.size > 0) {
    const points = [...pending].map(([name, source]) => [join(COMPANION_FOLDER, name), source] as const);
    const isCommonJs = ([file]: readonly [string, string]) => file.endsWith(FORMATS.cjs.extension);
    const parts = await Promise.all([
      bundleFiles(
        points.filter((point) => !isCommonJs(point)),
        outputFolder,
        'esm',
      ),
      bundleFiles(points.filter(isCommonJs), outputFolder, 'cjs'),
    ]);
    for (const { outputs } of parts)
      for (const [path, output] of outputs) companions.set(relative(COMPANION_FOLDER, path), output);
    const next = parts.flatMap(({ lazySources }) => [...lazySources]);
    pending = new Map(next.filter(([name]) => !companions.has(name)));
  }
  return companions;
}

function outputOf(outputs: ReadonlyMap<string, Output>, path: string): Output {
  const output = outputs.get(path);
  if (!output) throw new Error(`esbuild wrote no ${path}`);
  return output;
}

function folderOf({ kind, id }: BundleEntry): string {
  return `${kind}-${fileNameOf(id)}`;
}

function toBundle(
  entry: BundleEntry,
  outputFolder: string,
  outputs: ReadonlyMap<string, Output>,
  companions: ReadonlyMap<string, Output>,
): { bundle: Bundle; files: string[] } {
  const folder = folderOf(entry);
  const output = outputOf(outputs, join(folder, ENTRY_FILE));
  const sizeOf = (name: string) => outputOf(companions, name).sizeBytes;
  const atOnce = reachOf(output.imports, companions, ({ imports }) => imports);
  const all = reachOf([...output.imports, ...output.loads], companions, ({ imports, loads }) => [
    ...imports,
    ...loads,
  ]);
  const lazy = [...all].filter((name) => !atOnce.has(name));
  const bundle: Bundle = {
    id: entry.id,
    kind: entry.kind,
    folder: join(outputFolder, folder),
    entryFile: ENTRY_FILE,
    sizeBytes: [...atOnce].reduce((sum, name) => sum + sizeOf(name), output.sizeBytes),
    lazyFiles: lazy.map((name) => ({ name, sizeBytes: sizeOf(name) })),
    sources: output.sources,
  };
  return { bundle, files: [...all] };
}

function reachOf(
  names: readonly string[],
  companions: ReadonlyMap<string, Output>,
  next: (output: Output) => readonly string[],
): Set<string> {
  const reached = new Set<string>();
  const follow = (name: string): void => {
    if (reached.has(name)) return;
    reached.add(name);
    next(outputOf(companions, name)).forEach(follow);
  };
  names.forEach(follow);
  return reached;
}

async function copyCompanions(folder: string, names: readonly string[], outputFolder: string): Promise<void> {
  const files = names.flatMap((name) => [name, name + LINES_EXTENSION]);
  const copies = files.map((name) =>
    copyFile(join(outputFolder, COMPANION_FOLDER, name), join(folder, name)),
  );
  await Promise.all(copies);
}
