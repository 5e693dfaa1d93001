import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { FORMATS } from '../infra/bundle/bundle-files.ts';
import { readGuide } from '../infra/local/reference/guide-pages.ts';
import { buildPage } from '../studio/server/page-files.ts';
import { EXIT, runTask } from './frame/command.ts';

const ROOT = resolve(import.meta.dirname, '..');
const REFERENCE = '@scalar/fastify-api-reference';

/** Builds `dist` of the package in `folder`: the local run in files of JavaScript, and the documents that it serves. */
async function buildLocalPackage(folder: string): Promise<void> {
  const dist = join(folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: { start: 'infra/local/start.ts', reference: REFERENCE },
    outdir: dist,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    mainFields: ['module', 'main'],
    minify: true,
    // The embedded table finds an operation by the name of its command's class.
    keepNames: true,
    legalComments: 'none',
    banner: { js: FORMATS.esm.banner },
    logLevel: 'silent',
    plugins: [builtPage, ownPlaces, referenceApart],
  });
  const { pages, files } = readGuide(ROOT);
  const documents = [...[...pages.values()].map(({ file }) => join(ROOT, file)), ...files.values()];
  for (const file of [...documents, join(ROOT, 'LICENSE')]) {
    const copy = join(dist, relative(ROOT, file));
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(file, copy);
  }
}

/** A file still finds what lies beside it in the repository: the same paths lead there from `dist`. */
const ownPlaces: Plugin = {
  name: 'own-places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/\\](infra|shared|functions|studio)[/\\].*\.ts$/ }, ({ path }) => {
      const own = relative(ROOT, path);
      const code = readFileSync(path, 'utf8');
      if (own.includes('node_modules') || !code.includes('import.meta.')) return undefined;
      const contents = code
        .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${dirname(own)}`)})`)
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(own)}, import.meta.url).href`);
      return { contents, loader: 'ts' };
    }),
};

/** The studio's page, bundled in advance: the package has no bundler. */
const builtPage: Plugin = {
  name: 'built-page',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/\\]studio[/\\]server[/\\]page-files\.ts$/ }, async () => {
      const files = JSON.stringify([...(await buildPage())]);
      return { contents: `export const buildPage = async () => new Map(${files});` };
    }),
};

/** The script of the reference, 5 MB, is read with the first request for it. */
const referenceApart: Plugin = {
  name: 'reference-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^@scalar\/fastify-api-reference$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './reference.js', external: true } : undefined,
    ),
};

const HELP = `Builds local/dist: the local run with everything that it needs.

npm run build:local && npm pack ./local`;

runTask(HELP, async () => {
  await buildLocalPackage(join(ROOT, 'local'));
  console.log('Wrote local/dist.');
  return EXIT.done;
});
