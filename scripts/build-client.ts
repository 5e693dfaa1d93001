import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin, transform } from 'esbuild';
import * as styles from '../client/src/inbox/styles.ts';
import { CommandError, EXIT, runTask } from './command.ts';

const ROOT = resolve(import.meta.dirname, '../client');
/** Bytes gzipped: of the client, and of the inbox with the part of the client that it shares. */
const SIZES_MAX = { 'index.js': 12 * 1024, 'inbox.global.js': 14 * 1024 };

/** Properties that only the inbox's own modules have: neither texts, nor the API, nor what a page sees. */
const INTERNAL_NAMES =
  /^(markAll|emptyTitle|emptyHint|isRepeatable|acceptsIdempotencyKey|isTemporary|isUnprocessed|retryAfterMs|onChoose|onToggle|onArchive|onSnooze|isPossible|countNew|setUnread|overlay|readPages|isCounting|recount|setLoaded|isClosed|onPing|onWake|setLive|buildList|panel|skeleton|badge|heading|grid|attempt|oldest|newest|cells|cell|receive|kind|choice|buttonOf|addressed|isCountDue|emptyState|markPart|leftMs|onOpen|onMessage|onClose|textOf|problem|current)$/;

const common = {
  absWorkingDir: ROOT,
  outdir: 'dist',
  bundle: true,
  target: 'es2022',
  metafile: true,
} satisfies BuildOptions;

const HELP = `Builds client/dist: the modules, the file for a page without a bundler, and the types.

npm run build:client`;

runTask(HELP, async () => {
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
  // The entries share their chunks, so that an error of one is an instance of the other's class.
  const packaged = {
    ...common,
    entryPoints: {
      index: 'src/index.ts',
      inbox: 'src/inbox/index.ts',
      react: 'src/react/react.ts',
      testing: 'src/testing/testing.ts',
      'web-push': 'src/web-push/subscribe.ts',
    },
    platform: 'neutral',
    external: ['node:*', 'react'],
    minifySyntax: true,
    minifyWhitespace: true,
  } satisfies BuildOptions;
  const modules = await build({ ...packaged, format: 'esm', splitting: true });
  // For require: in projects of CommonJS, in Jest.
  await build({ ...packaged, format: 'cjs', outdir: 'dist/cjs' });
  // A page without a bundler loads one file, also from a disk.
  const page = await build({
    ...common,
    entryPoints: { 'inbox.global': 'src/inbox/global.ts' },
    format: 'iife',
    minify: true,
    plugins: [minifiedStyles],
    mangleProps: INTERNAL_NAMES,
  });
  // A service worker is loaded as it is, from the site of its page.
  await build({
    ...common,
    entryPoints: { 'service-worker': 'src/web-push/service-worker.ts' },
    format: 'iife',
    minify: true,
  });
  const outputs = { ...modules.metafile.outputs, ...page.metafile.outputs };
  const sizes = Object.entries(SIZES_MAX).map(([name, sizeMax]) => {
    const size = sizeOf(outputs, `dist/${name}`);
    if (size > sizeMax) throw new CommandError(`${name} is ${size} bytes gzipped; the limit is ${sizeMax}.`);
    return `${name} ${(size / 1024).toFixed(1)} KB`;
  });
  emitTypes('dist');
  emitTypes('dist/cjs');
  writeFileSync(join(ROOT, 'dist/cjs/package.json'), '{"type":"commonjs"}\n');
  copyFileSync(join(ROOT, '../LICENSE'), join(ROOT, 'dist/LICENSE'));
  console.log(`Wrote client/dist; gzipped: ${sizes.join(', ')}.`);
  return EXIT.done;
});

/** Minifies the components' CSS, which is text to esbuild. */
const minifiedStyles: Plugin = {
  name: 'minified-styles',
  setup: ({ onLoad }) =>
    onLoad({ filter: /inbox\/styles\.ts$/ }, async () => {
      const lines = Object.entries(styles).map(async ([name, css]) => {
        const { code } = await transform(css, { loader: 'css', minify: true });
        return `export const ${name} = ${JSON.stringify(code.trim())};`;
      });
      return { contents: (await Promise.all(lines)).join('\n') };
    }),
};

type Outputs = Metafile['outputs'];

/** Gzipped bytes of an output and the chunks that it imports. */
function sizeOf(outputs: Outputs, path: string): number {
  const chunks = (outputs[path]?.imports ?? []).filter(({ external }) => !external);
  const own = gzipSync(readFileSync(join(ROOT, path))).byteLength;
  return chunks.reduce((sum, chunk) => sum + sizeOf(outputs, chunk.path), own);
}

function emitTypes(folder: string): void {
  const args = ['-p', join(ROOT, 'tsconfig.build.json'), '--outDir', join(ROOT, folder)];
  const { status, stdout } = spawnSync('tsc', args, { encoding: 'utf8' });
  if (status !== 0) throw new CommandError(`tsc failed:\n${stdout}`);
}
