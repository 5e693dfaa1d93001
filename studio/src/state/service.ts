import { signal } from '@preact/signals';
import { type Client, createClient } from '../../../client/src/client.ts';
import { ServiceError } from '../../../client/src/errors.ts';
import { noteDown, observedFetch, whenUp } from './connection.ts';

/** The page server's information about the service behind it. */
export type Config = {
  mode: 'sandbox' | 'stage';
  name: string;
  isReadOnly: boolean;
  /** Public address of the API, for copied requests. */
  apiUrl: string;
  publicKey?: string;
  /** The service clock, of a sandbox. */
  nowMs?: number;
};

/** The studio's environment; undefined until its server has responded. */
export const config = signal<Config | undefined>(undefined);

/** The service clock: its offset from this machine's. */
export const clockOffsetMs = signal(0);

export function setClock(nowMs: number): void {
  clockOffsetMs.value = nowMs - Date.now();
}

export const serviceNowMs = () => Date.now() + clockOffsetMs.value;

/** All calls go through the page's own server, which adds the key. */
const clientWith = (headers: Record<string, string>): Client =>
  createClient({
    baseUrl: `${location.origin}/_sandbox/studio/api`,
    key: 'studio',
    fetch: (input, init) => guarded(input, { ...init, headers: { ...headersOf(init), ...headers } }),
  });

const headersOf = (init?: RequestInit) => Object.fromEntries(new Headers(init?.headers));

export const api = clientWith({});
/** Its reads return undefined where nothing is stored: browsers report every response that is an error. */
export const apiOfMaybe = clientWith({ 'x-may-be-missing': 'yes' });

export const isSandbox = () => config.value?.mode === 'sandbox';

/** Writes to a stage ask first; a dry run, a preview and a lookup change nothing. */
async function guarded(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const { method = 'GET' } = init ?? {};
  const address = String(input);
  const isRead = method === 'GET' || /\/logs\/bulk|\/preview$|dryRun=true/.test(address);
  if (!isRead && !isSandbox() && !(await confirmWrite(method, new URL(address).pathname))) {
    return new Response(JSON.stringify({ error: { code: 'CANCELED', message: 'Cancelled.' } }), {
      status: 400,
    });
  }
  return observedFetch(input, init);
}

export const pendingWrite = signal<{ text: string; decide: (isSuccess: boolean) => void } | undefined>(
  undefined,
);

function confirmWrite(method: string, path: string): Promise<boolean> {
  const text = `${method} ${path.replace('/_sandbox/studio/api', '')} on ${config.value?.name ?? 'this stage'}`;
  return new Promise((resolve) => {
    pendingWrite.value = {
      text,
      decide: (isSuccess) => {
        pendingWrite.value = undefined;
        resolve(isSuccess);
      },
    };
  });
}

/** Calls a local-only path of the sandbox. Throws with the error's message. */
export async function sandbox<T>(path: string, method = 'GET', body?: unknown): Promise<T> {
  const response = await observedFetch(`/_sandbox/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const value = text === '' ? undefined : JSON.parse(text);
  if (!response.ok)
    throw new ServiceError(response, {
      error: { code: '', message: `Status ${response.status}`, ...value, ...value?.error },
    });
  return value;
}

export async function loadConfig(): Promise<void> {
  while (!config.value) {
    await whenUp();
    await sandbox<Config>('studio/config').then((loaded) => {
      if (loaded.nowMs) setClock(loaded.nowMs);
      config.value = loaded;
    }, noteDown);
  }
}
