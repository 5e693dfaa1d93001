import { gunzipSync, gzipSync } from 'node:zlib';
import { findEncoding } from '../../shared/http/endpoint/document-response.ts';
import { loadOnce } from '../../shared/runtime/async/lazily.ts';
import { findJson } from '../../shared/runtime/values/find-json.ts';
import { hasSecret, redacted } from '../../shared/schemas/account/secret.ts';
import { findOperation, isRead, type Operation } from './operation.ts';
import { buildPage } from './page-files.ts';

/** A file of the page, compressed. */
type Asset = { bytes: Buffer; contentType: string };

/**
 * Scripts run from this server only. Emails need inline styles, and remote images once a person requests
 * them.
 */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: https: http:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

/** The name of a chunk has the hash of its contents, so that a browser keeps it. */
const CHUNK = /-[0-9A-Z]{8}\.js$/;
const KEPT = { 'cache-control': 'private, max-age=31536000, immutable' };

const TYPES: Record<string, string> = { js: 'text/javascript', css: 'text/css', html: 'text/html' };

/** Returns a file of the page by its name; the first call bundles the page. */
async function findAsset(name: string): Promise<Asset | undefined> {
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

/** The service behind the page. */
export type StudioOptions = {
  mode: 'sandbox' | 'stage';
  /** Shown in the page's header. */
  name: string;
  isReadOnly: boolean;
  /** Address that the page's calls are sent to. */
  apiUrl: string;
  /** Address that copied requests name. */
  publicUrl: () => string;
  /** The key that is added to every call; undefined while the service starts. The browser never receives it. */
  key: () => string | undefined;
  /** The service clock; this machine's by default. */
  nowMs?: () => number;
};

export type StudioRequest = { method: string; path: string; search: string; headers: Headers; body: Buffer };
export type StudioResponse = { statusCode: number; headers: Record<string, string>; body: Buffer };

const ROOT = '/_sandbox/studio/';
const API = `${ROOT}api/`;
const PASSED = ['content-type', 'idempotency-key', 'if-match', 'x-user-id', 'x-user-hash', 'accept'];
/** Response headers that reach the page. */
const RETURNED = ['content-type', 'etag', 'retry-after', 'x-request-id'];
/** With it, the page reads what may not be there: the response is 204 then, because browsers report every error. */
const MAY_BE_MISSING = 'x-may-be-missing';
/** How the service knows the studio's own requests. */
export const STUDIO_AGENT = 'notification-studio';
const TIMEOUT_MS = 35_000;

/** Returns the handler of the page's requests; undefined for a path that is not the page's. */
export function createStudio(options: StudioOptions) {
  return async (request: StudioRequest): Promise<StudioResponse | undefined> => {
    const { method, path } = request;
    if (path === '/' && method === 'GET') return file('index.html', request.headers);
    if (!path.startsWith(ROOT)) return undefined;
    if (path.startsWith(API)) return proxied(options, request);
    if (method !== 'GET') return rejected(405, 'METHOD_NOT_ALLOWED', 'Use GET.');
    if (path === `${ROOT}config`) return json(200, configOf(options));
    return file(path.slice(ROOT.length), request.headers);
  };
}

function configOf({ mode, name, isReadOnly, publicUrl, nowMs }: StudioOptions) {
  return { mode, name, isReadOnly, apiUrl: publicUrl(), nowMs: nowMs?.() };
}

async function file(name: string, accepted: Headers): Promise<StudioResponse> {
  const asset = await findAsset(name);
  if (!asset) return rejected(404, 'NOT_FOUND', 'The page has no such file.');
  const encoding = findEncoding(accepted.get('accept-encoding'), ['gzip']);
  const kept = CHUNK.test(name) ? KEPT : {};
  const headers = { ...PAGE_HEADERS, ...kept, 'content-type': asset.contentType, vary: 'accept-encoding' };
  return encoding
    ? { statusCode: 200, headers: { ...headers, 'content-encoding': encoding }, body: asset.bytes }
    : { statusCode: 200, headers, body: gunzipSync(asset.bytes) };
}

/** Sends a call of the page to the service, with the key. Its response comes back without credentials. */
async function proxied(options: StudioOptions, request: StudioRequest): Promise<StudioResponse> {
  const operation = findOperation(request.method, request.path.slice(API.length - 1));
  if (!operation) return rejected(404, 'NOT_FOUND', 'The service has no such endpoint.');
  const { secrets } = operation.route;
  if (secrets === 'all')
    return rejected(403, 'SECRET', 'The studio does not pass on keys, client secrets and push credentials.');
  if (options.isReadOnly && !isRead(operation.route, request.search))
    return rejected(403, 'READ_ONLY', 'The studio is read-only.', 'Start it without --read-only.');
  const key = options.key();
  if (key === undefined)
    return rejected(503, 'STARTING', 'The service is starting.', 'Reload this page in a moment.');
  try {
    return await forwarded(options.apiUrl, key, operation, request);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return rejected(502, 'UNREACHABLE', `The service does not respond: ${reason}`);
  }
}

async function forwarded(
  apiUrl: string,
  key: string,
  { route, path }: Operation,
  { method, search, headers, body }: StudioRequest,
): Promise<StudioResponse> {
  const response = await fetch(`${apiUrl.replace(/(?<!\/)\/+$/, '')}${path}${search}`, {
    method,
    headers: { ...picked(headers, PASSED), 'user-agent': STUDIO_AGENT, authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'manual',
    ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (headers.has(MAY_BE_MISSING) && isMissing(response, bytes))
    return { statusCode: 204, headers: PAGE_HEADERS, body: Buffer.alloc(0) };
  return {
    statusCode: response.status,
    headers: { ...PAGE_HEADERS, ...picked(response.headers, RETURNED) },
    body: response.ok ? withoutSecrets(route, bytes) : bytes,
  };
}

function isMissing({ status }: Response, bytes: Buffer): boolean {
  if (status !== 400) return false;
  const body = findJson(bytes.toString('utf8')) as { error?: { code?: string } } | undefined;
  return body?.error?.code === 'RESOURCE_NOT_FOUND';
}

function withoutSecrets({ response }: Operation['route'], bytes: Buffer): Buffer {
  if (response.kind !== 'json' || !hasSecret(response.body)) return bytes;
  return Buffer.from(JSON.stringify(redacted(response.body, findJson(bytes.toString('utf8'))) ?? null));
}

function picked(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [name, headers.get(name)]).filter(([, value]) => value !== null),
  );
}

export function rejected(statusCode: number, code: string, message: string, fix?: string): StudioResponse {
  return json(statusCode, { error: { code, message, fix } });
}

function json(statusCode: number, value: unknown): StudioResponse {
  const headers = { ...PAGE_HEADERS, 'content-type': 'application/json' };
  return { statusCode, headers, body: Buffer.from(JSON.stringify(value)) };
}
