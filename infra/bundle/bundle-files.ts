import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { build, type Metafile, type OutputFile } from 'esbuild';
import { LINES_EXTENSION } from '../../shared/runtime/readable-stack.ts';
import { lazyPackages } from './bundle-lazy-packages.ts';
import { leanPhoneNumbers, leanSdk, packedSuffixList } from './bundle-lean-packages.ts';
import {
  builtinModules,
  lazyModules,
  onlyExporting,
  pureDeclarations,
  sharedModules,
} from './bundle-plugins.ts';
import { parseSourceMap, stackLinesOf } from './stack-lines.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SOURCE_MAP_FOLDER = 'source-maps';
/** CommonJS packages inside of an ES module ask for Node's own modules by `require`, seldom when they load. */
const REQUIRE_BANNER =
  "const require=(id)=>process.getBuiltinModule('node:module').createRequire(import.meta.url)(id);";

/** A file that esbuild wrote, with its own modules and the files next to it that it imports and loads. */
export type Output = { sizeBytes: number; sources: string[]; imports: string[]; loads: string[] };
type Built = { outputs: Map<string, Output>; lazySources: Map<string, string> };

/** The extension and first line of each module format. */
export const FORMATS = {
  esm: { extension: '.mjs', banner: REQUIRE_BANNER },
  cjs: { extension: '.cjs', banner: '' },
} as const;

/** Bundles each `[file, source]`, files relative to `outputFolder`. */
export async function bundleFiles(
  points: readonly (readonly [file: string, source: string])[],
  outputFolder: string,
  format: keyof typeof FORMATS,
): Promise<Built> {
  const lazySources = new Map<string, string>();
  const { extension, banner } = FORMATS[format];
  if (points.length === 0) return { outputs: new Map(), lazySources };
  const result = await build({
    absWorkingDir: ROOT,
    entryPoints: Object.fromEntries(
      points.map(([file, source]) => [file.slice(0, -extension.length), source]),
    ),
    // Not the output folder: its path would be in the source maps, and so in the hash of every function.
    outdir: ROOT,
    write: false,
    bundle: true,
    metafile: true,
    format,
    outExtension: { '.js': extension },
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    // One letter outside of Latin-1 makes V8 keep and read the whole file at two bytes a letter.
    charset: 'ascii',
    sourcemap: 'external',
    sourcesContent: false,
    banner: { js: banner },
    logLevel: 'silent',
    logOverride: { 'import-is-undefined': 'error' },
    plugins: [
      builtinModules(),
      leanSdk(),
      leanPhoneNumbers(),
      packedSuffixList(),
      onlyExporting(),
      pureDeclarations(ROOT),
      sharedModules(ROOT),
      lazyPackages(ROOT, lazySources),
      lazyModules(ROOT, lazySources),
    ],
  });
  await Promise.all(result.outputFiles.map((file) => writeOutput(file, outputFolder)));
  return { outputs: readMetafile(result.metafile), lazySources };
}

/** Writes a file; source maps outside of the zipped folders, which have only the parts that stack traces need. */
async function writeOutput(output: OutputFile, outputFolder: string): Promise<void> {
  const path = relative(ROOT, output.path);
  const file = join(outputFolder, path);
  if (!path.endsWith('.map')) return write(file, output.contents);
  const map = parseSourceMap(output.text);
  await write(join(outputFolder, SOURCE_MAP_FOLDER, path), JSON.stringify(map));
  await write(file.slice(0, -'.map'.length) + LINES_EXTENSION, JSON.stringify(stackLinesOf(map)));
}

async function write(file: string, contents: string | Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, contents);
}

function readMetafile(metafile: Metafile): Map<string, Output> {
  const files = Object.entries(metafile.outputs).filter(([path]) => !path.endsWith('.map'));
  const outputs = files.map(([path, output]): [string, Output] => {
    const siblings = output.imports.filter((each) => each.path.startsWith('./'));
    const namesOf = (isLazy: boolean) =>
      siblings
        .filter(({ kind }) => (kind !== 'import-statement') === isLazy)
        .map((each) => each.path.slice('./'.length));
    const sources = Object.entries(output.inputs)
      .filter(([source, { bytesInOutput }]) => bytesInOutput > 0 && source.startsWith('shared/'))
      .map(([source]) => source);
    const read = { sizeBytes: output.bytes, sources, imports: namesOf(false), loads: namesOf(true) };
    return [path, read];
  });
  return new Map(outputs);
}
