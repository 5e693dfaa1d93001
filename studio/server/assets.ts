import { gzipSync } from 'node:zlib';
import { loadOnce } from '../../shared/runtime/async/lazily.ts';
import { buildPage } from './page-files.ts';

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

/** Compresses the files of the page. */
export async function buildAssets(): Promise<ReadonlyMap<string, Asset>> {
  const files = await buildPage();
  return new Map([...files].map(([name, text]) => [name, assetOf(name, text)]));
}

function assetOf(name: string, contents: string): Asset {
  const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  return { bytes: gzipSync(contents), contentType: `${type}; charset=utf-8` };
}
