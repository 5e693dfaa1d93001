import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, parse, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin, transform } from 'esbuild';
import * as styles from '../client/src/inbox/styles.ts';
import { CommandError, EXIT, runTask } from './frame/command.ts';

const ROOT = resolve(import.meta.dirname, '../client');
/** Bytes gzipped: of the client, and of the inbox with the part of the client that it shares. */
const SIZES_MAX = { 'index.js': 12 * 1024, 'inbox.global.js': 14 * 1024 };
const LOCALE_SIZE_MAX = 1.5 * 1024;

const LOCALES = readdirSync(join(ROOT, 'src/inbox/locales')).map((file) => `locales/${parse(file).name}`);
const LOCALE_SOURCES = Object.fromEntries(LOCALES.map((name) => [name, `src/inbox/${name}.ts`]));

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
      ...LOCALE_SOURCES,
    },
    charset: 'utf8',
    platform: 'neutral',
    external: ['node:*', 'react'],
    minifySyntax: true,
    minifyWhitespace: true,
  } satisfies BuildOptions;
  const modules = await build({ ...packaged, format: 'esm', splitting: true });
  // For require: in projects of CommonJS, in Jest.
  await build({ ...packaged, format: 'cjs', outdir: 'dist/cjs' });
  // A page without a bundler loads one file, also from a disk, and the others beside it when they are needed.
  const classic = {
    ...common,
    format: 'iife',
    minify: true,
    plugins: [minifiedStyles, lazyScripts],
  } satisfies BuildOptions;
  const page = await build({ ...classic, entryPoints: { 'inbox.global': 'src/inbox/global.ts' } });
  const parts = { preferences: 'src/inbox/preferences-view.ts', ...LOCALE_SOURCES };
  await build({
    ...classic,
    entryPoints: Object.fromEntries(
      Object.entries(parts).map(([name, source]) => [`${name}.global`, source]),
    ),
    globalName: 'notificationPart',
  });
  // A service worker is loaded as it is, from the site of its page.
  await build({
    ...common,
    entryPoints: { 'service-worker': 'src/web-push/service-worker.ts' },
    format: 'iife',
    minify: true,
  });
  const outputs = { ...modules.metafile.outputs, ...page.metafile.outputs };
  const locales = LOCALES.map((name) => [`${name}.js`, LOCALE_SIZE_MAX] as const);
  const sizes = [...Object.entries(SIZES_MAX), ...locales].map(([name, sizeMax]) => {
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

/** Loads the parts that are needed later as scripts. */
const lazyScripts: Plugin = {
  name: 'lazy-scripts',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/lazy(-preferences)?\.ts$/ }, () => ({
      path: join(ROOT, 'src/inbox/lazy.global.ts'),
    })),
};

function sizeOf(outputs: Metafile['outputs'], path: string): number {
  const chunks = (outputs[path]?.imports ?? []).filter(({ external }) => !external);
  const own = gzipSync(readFileSync(join(ROOT, path))).byteLength;
  return chunks.reduce((sum, chunk) => sum + sizeOf(outputs, chunk.path), own);
}

function emitTypes(folder: string): void {
  const args = ['-p', join(ROOT, 'tsconfig.build.json'), '--outDir', join(ROOT, folder)];
  const { status, stdout } = spawnSync('tsc', args, { encoding: 'utf8' });
  if (status !== 0) throw new CommandError(`tsc failed:\n${stdout}`);
}
