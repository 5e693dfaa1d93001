import { relative, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { pureDeclarations } from '../../../../infra/bundle/bundle-plugins.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');

/** The frame's check of a public key's user hash, which only routes with `self` reach. */
export const USER_HASH = 'shared/http/access/user-hash.ts';

/** Imports of the frames that are followed separately, or not at all: the trigger grants access to the own queue. */
const FRAME_IMPORTS: Readonly<Record<string, string>> = {
  'shared/http/access/authenticate.ts': USER_HASH,
  'shared/http/workers/queue-worker.ts': 'shared/messaging/queues.ts',
};

/**
 * This project's code by file: each handler, and each module that `import()` loads, with what it imports and without
 * what it does not use.
 */
export type Units = ReadonlyMap<string, string>;

/** Bundles the handlers without packages, and every module that they can load. */
export async function readUnits(sources: readonly string[]): Promise<Units> {
  const units = new Map<string, string>();
  let pending = [...sources, USER_HASH];
  while (pending.length > 0) {
    for (const [source, code] of await bundled(pending)) units.set(source, code);
    const loaded = [...units.values()].flatMap(loadsOf);
    pending = [...new Set(loaded)].filter((source) => !units.has(source));
  }
  return units;
}

/** The units that a handler reaches, including `more`. */
export function reachedUnits(units: Units, source: string, more: readonly string[] = []): string[] {
  const reached = new Set([source, ...more]);
  for (const each of reached) for (const next of loadsOf(units.get(each) ?? '')) reached.add(next);
  return [...reached].map((each) => units.get(each) ?? '');
}

const LOADED = 'loaded:';

function loadsOf(code: string): string[] {
  return [...code.matchAll(/"loaded:([^"]+)"/g)].map(([, source = '']) => source);
}

async function bundled(sources: readonly string[]): Promise<[string, string][]> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [...sources],
    outdir: ROOT,
    outbase: ROOT,
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    plugins: [separateUnits, pureDeclarations(ROOT)],
  });
  return outputFiles.map(({ path, text }) => [relative(ROOT, path).replace(/\.js$/, '.ts'), text]);
}

const separateUnits: Plugin = {
  name: 'separate-units',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ kind, path, importer, resolveDir }) => {
      if (kind === 'entry-point') return undefined;
      const unused = { external: true, sideEffects: false };
      if (!path.startsWith('.')) return { path, ...unused };
      const source = relative(ROOT, resolve(resolveDir, path));
      if (kind === 'dynamic-import') return { path: LOADED + source, ...unused };
      if (FRAME_IMPORTS[relative(ROOT, importer)] === source) return { path: `frame:${source}`, ...unused };
      return undefined;
    });
  },
};
