import { findAsset, PAGE_HEADERS } from './assets.ts';

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
};

export type StudioRequest = { method: string; path: string; search: string; headers: Headers; body: Buffer };
export type StudioResponse = { statusCode: number; headers: Record<string, string>; body: Buffer };

const ROOT = '/_sandbox/studio/';
const API = `${ROOT}api/`;
/** Request headers that reach the service. */
const PASSED = ['content-type', 'idempotency-key', 'x-user-id', 'x-user-hash', 'accept'];
/** Response headers that reach the page. */
const RETURNED = ['content-type', 'retry-after', 'x-request-id'];
const READS = /^\/(?:logs\/bulk|notifications\/[^/]+\/[^/]+\/templates\/preview)$/;
const TIMEOUT_MS = 35_000;

/** Returns the handler of the page's requests; undefined for a path that is not the page's. */
export function createStudio(options: StudioOptions) {
  return async (request: StudioRequest): Promise<StudioResponse | undefined> => {
    const { method, path } = request;
    if (path === '/' && method === 'GET') return file('index.html');
    if (!path.startsWith(ROOT)) return undefined;
    if (path.startsWith(API)) return proxied(options, request);
    if (method !== 'GET') return json(405, { error: { code: 'METHOD_NOT_ALLOWED', message: 'Use GET.' } });
    if (path === `${ROOT}config`) return json(200, configOf(options));
    return file(path.slice(ROOT.length));
  };
}

function configOf({ mode, name, isReadOnly, publicUrl }: StudioOptions) {
  return { mode, name, isReadOnly, apiUrl: publicUrl() };
}

async function file(name: string): Promise<StudioResponse> {
  const asset = await findAsset(name);
  if (!asset) return json(404, { error: { code: 'NOT_FOUND', message: 'The page has no such file.' } });
  const headers = { ...PAGE_HEADERS, 'content-type': asset.contentType, 'content-encoding': 'gzip' };
  return { statusCode: 200, headers, body: asset.bytes };
}

/** Sends a call of the page to the service, with the key. */
async function proxied(options: StudioOptions, request: StudioRequest): Promise<StudioResponse> {
  const { method, search, headers, body } = request;
  const path = request.path.slice(API.length - 1);
  if (options.isReadOnly && !isRead(method, path, search)) {
    const error = {
      code: 'READ_ONLY',
      message: 'The studio is read-only.',
      fix: 'Start it without --read-only.',
    };
    return json(403, { error });
  }
  const key = options.key();
  if (key === undefined) {
    const error = {
      code: 'STARTING',
      message: 'The service is starting.',
      fix: 'Reload this page in a moment.',
    };
    return json(503, { error });
  }
  const passed = PASSED.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  try {
    const response = await fetch(`${options.apiUrl.replace(/\/+$/, '')}${path}${search}`, {
      method,
      headers: { ...Object.fromEntries(passed), authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    });
    const returned = RETURNED.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return {
      statusCode: response.status,
      headers: { ...PAGE_HEADERS, ...Object.fromEntries(returned) },
      body: bytes,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return json(502, { error: { code: 'UNREACHABLE', message: `The service does not respond: ${reason}` } });
  }
}

function isRead(method: string, path: string, search: string): boolean {
  if (method === 'GET' || READS.test(path)) return true;
  return path === '/send' && new URLSearchParams(search).get('dryRun') === 'true';
}

function json(statusCode: number, value: unknown): StudioResponse {
  const headers = { ...PAGE_HEADERS, 'content-type': 'application/json' };
  return { statusCode, headers, body: Buffer.from(JSON.stringify(value)) };
}
