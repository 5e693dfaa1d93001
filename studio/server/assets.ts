import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { loadOnce } from '../../shared/runtime/lazily.ts';

const SOURCE = resolve(import.meta.dirname, '../src');

/** A file of the page, compressed. */
export type Asset = { bytes: Buffer; contentType: string };

/**
 * Scripts run from this server only. Emails need inline styles, and remote images once a person requests
 * them.
 */
export const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: https: http:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

const TYPES: Record<string, string> = { js: 'text/javascript', css: 'text/css', html: 'text/html' };

/** Returns a file of the page by its name; the first call bundles the page. */
export async function findAsset(name: string): Promise<Asset | undefined> {
  return (await builtAssets()).get(name);
}

const builtAssets = loadOnce(buildAssets);

/** Bundles the page. The editor is a separate file that the page loads when it needs it. */
export async function buildAssets(): Promise<ReadonlyMap<string, Asset>> {
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
  const files = outputFiles.map(({ path, contents }): [string, Uint8Array] => [basename(path), contents]);
  const html: [string, Uint8Array] = ['index.html', readFileSync(join(SOURCE, 'index.html'))];
  return new Map([html, ...files].map(([name, contents]) => [name, assetOf(name, contents)]));
}

function assetOf(name: string, contents: Uint8Array): Asset {
  const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  return { bytes: gzipSync(contents), contentType: `${type}; charset=utf-8` };
}
