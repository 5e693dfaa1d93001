import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { printable } from '../../infra/terminal.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { findJson } from '../../shared/runtime/values/find-json.ts';
import { assertFetchable, CommandError, EXIT, LOCAL_URL, option } from './command.ts';
import { callSandbox } from './local-run.ts';
import { proxyHint, useProxies } from './proxy.ts';

const TOO_MANY = 429;
/** Attempts after a throttled one, each after the time that the service asks for. */
const THROTTLED_MAX = 30;

export const API_OPTIONS = {
  url: option.value('<base URL>', `the API: a local run or a deployed stage (default ${LOCAL_URL})`),
  key: option.value('<secret key>', 'default: NDS_KEY; of a local run, its first key'),
  json: option.flag('print JSON only'),
  help: option.flag('this text'),
} as const;

export type Api = {
  url: string;
  /** Identifies the address and the key without revealing the key. */
  digest: string;
  /** True if it is a local run, which has the sandbox. */
  isLocal: boolean;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<unknown>;
  /** The same, with the status of a rejection instead of an error. */
  ask: (...request: Parameters<Api['call']>) => Promise<{ status: number; body: unknown }>;
};

const Account = v.object({ secretKey: v.string() });
const Rejected = v.looseObject({
  error: v.looseObject({ code: v.optional(v.string()), message: v.string(), fix: v.optional(v.string()) }),
});

/** A rejection of the API: one line, and the body of the response. */
export class RejectedError extends CommandError {
  readonly body: v.InferOutput<typeof Rejected>;
  constructor(message: string, body: v.InferOutput<typeof Rejected>) {
    super(message);
    this.body = body;
  }
}

export async function openApi(options: { url?: string | undefined; key?: string | undefined }): Promise<Api> {
  const url = (options.url ?? LOCAL_URL).replace(/\/$/, '');
  const isLocal = assertPrivate(url);
  const key = options.key || process.env.NDS_KEY || (isLocal ? await localKey(url) : undefined);
  if (!key) throw new CommandError('A deployed stage needs --key <secret key>, or NDS_KEY.', EXIT.usage);

  async function ask(method: string, path: string, body?: unknown, more: Record<string, string> = {}) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more };
    // The API has no redirects: one would lead the request to another address.
    const init = { method, headers, redirect: 'manual' as const, ...defined({ body: JSON.stringify(body) }) };
    const attempt = () =>
      fetch(url + path, init).catch(() => {
        const fix = isLocal ? 'start the service with npm start' : 'check --url';
        throw new CommandError(`Nothing responds at ${url}: ${fix}.${proxyHint()}`);
      });
    let response = await attempt();
    for (let left = THROTTLED_MAX; left > 0 && response.status === TOO_MANY; left -= 1) {
      await response.body?.cancel();
      await sleep(1000 * (Number(response.headers.get('retry-after')) || 1));
      response = await attempt();
    }
    return { status: response.status, body: findJson((await response.text()) || 'null') };
  }

  return {
    url,
    digest: createHash('sha256').update(`${url} ${key}`).digest('base64url'),
    isLocal,
    ask,
    async call(method, path, body, headers) {
      const response = await ask(method, path, body, headers);
      if (response.status < 300) return response.body;
      const rejected = v.safeParse(Rejected, response.body);
      if (!rejected.success) throw new CommandError(`${method} ${path}: status ${response.status}`);
      const { message, fix } = rejected.output.error;
      throw new RejectedError(printable([message, fix].filter(Boolean).join(' ')), rejected.output);
    },
  };
}

/** Throws unless nobody on the way can read the key that is sent to this address. Returns whether it is this machine's. */
export function assertPrivate(url: string): boolean {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
  if (!/^https?:$/.test(protocol))
    throw new CommandError(`--url must be an address such as ${LOCAL_URL}.`, EXIT.usage);
  assertFetchable('--url', url);
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol === 'http:' && !isLocal)
    throw new CommandError(
      '--url must start with https:// unless it is an address of this machine: anybody on the way could read the key.',
      EXIT.usage,
    );
  if (isLocal) useProxies(hostname);
  return isLocal;
}

async function localKey(url: string): Promise<string | undefined> {
  const account = v.safeParse(Account, await callSandbox(url, 'account'));
  return account.success ? account.output.secretKey : undefined;
}
