import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { createCache } from '../../runtime/async/cache.ts';
import type { HttpResponse } from './response.ts';

const CACHE_CONTROL = 'public, max-age=300';
/** The most thorough compression takes seconds; this one milliseconds, for a tenth more bytes. */
const BROTLI_QUALITY = 5;
const HELD_MAX = 6;

const encoders = {
  br: (text: string) =>
    brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (text: string) => gzipSync(text),
} as const;
type Encoding = keyof typeof encoders;

const held = createCache<string>({ max: HELD_MAX });

/**
 * Returns a text document with an ETag, compressed if the caller accepts it; 304 if the caller already has
 * it. The last compressed documents are cached in memory.
 */
export function documentResponse(
  text: string,
  requested: Record<string, string>,
  requestId: string,
): HttpResponse {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  const headers = {
    'content-type': 'application/json',
    'cache-control': CACHE_CONTROL,
    etag,
    vary: 'accept-encoding, host',
    'x-request-id': requestId,
  };
  if (isKnown(requested['if-none-match'], etag)) return { statusCode: 304, headers, body: '' };
  const encoding = findEncoding(requested['accept-encoding'], ['br', 'gzip']);
  if (!encoding) return { statusCode: 200, headers, body: text };
  const body = encoded(text, encoding, etag);
  return {
    statusCode: 200,
    headers: { ...headers, 'content-encoding': encoding },
    body,
    isBase64Encoded: true,
  };
}

/** Proxies that compress mark the ETag as weak: the document is the same. */
function isKnown(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((each) => ['*', etag].includes(each.trim().replace(/^W\//, '')));
}

export function findEncoding<E extends Encoding>(
  header: string | null | undefined,
  offered: readonly E[],
): E | undefined {
  const entries = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.trim().split(';'))
    .map(([name, quality]) => [name?.trim(), !/^\s*q\s*=\s*0(\.0*)?\s*$/.test(quality ?? '')] as const);
  const accepted = new Map(entries);
  return offered.find((name) => accepted.get(name) ?? accepted.get('*'));
}

function encoded(text: string, encoding: Encoding, etag: string): string {
  const key = `${encoding} ${etag}`;
  const found = held.find(key) ?? encoders[encoding](text).toString('base64');
  held.keep(key, found);
  return found;
}
