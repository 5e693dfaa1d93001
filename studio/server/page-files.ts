import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const SOURCE = resolve(import.meta.dirname, '../src');

/** Bundles the page: the text of each file by its name. The editor is a separate file that the page loads when it needs it. */
export async function buildPage(): Promise<ReadonlyMap<string, string>> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: { main: join(SOURCE, 'main.tsx'), style: join(SOURCE, 'main.css') },
    outdir: '/studio',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2023',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
  });
  const files = outputFiles.map(({ path, text }): [string, string] => [basename(path), text]);
  return new Map([['index.html', readFileSync(join(SOURCE, 'index.html'), 'utf8')], ...files]);
}
