import http from 'node:http';
import https from 'node:https';

/** Addresses of this machine are never asked through a proxy. */
const THIS_MACHINE = 'localhost,127.0.0.1,::1,[::1]';

type Env = Readonly<Record<string, string | undefined>>;

/** HTTP_PROXY, HTTPS_PROXY and NO_PROXY in either letter case; undefined without a proxy. */
export function proxiesOf(env: Env): Record<string, string> | undefined {
  const [httpProxy, httpsProxy, noProxy] = ['http_proxy', 'https_proxy', 'no_proxy'].map(
    (name) => env[name] || env[name.toUpperCase()],
  );
  if (!httpProxy && !httpsProxy) return undefined;
  return {
    ...(httpProxy ? { HTTP_PROXY: httpProxy } : {}),
    ...(httpsProxy ? { HTTPS_PROXY: httpsProxy } : {}),
    NO_PROXY: [noProxy, THIS_MACHINE].filter(Boolean).join(','),
  };
}

const proxies = proxiesOf(process.env);

/**
 * Lets fetch use the proxies of the environment, but not for `host`. Versions of Node before 24.14 cannot change that while
 * they run.
 */
export function useProxies(host?: string): void {
  if (!proxies || !('setGlobalProxyFromEnv' in http)) return;
  http.setGlobalProxyFromEnv({ ...proxies, NO_PROXY: [proxies.NO_PROXY, host].filter(Boolean).join(',') });
}

/** What to set where `useProxies` cannot help. */
export const proxyHint = (env: Env = process.env): string =>
  proxiesOf(env) && !('setGlobalProxyFromEnv' in http) && env.NODE_USE_ENV_PROXY !== '1'
    ? ' A proxy is set: set NODE_USE_ENV_PROXY=1 too, so that Node.js uses it.'
    : '';

/** The options of AWS clients, with the proxies of the environment. */
export const AWS_CLIENT = proxies
  ? {
      requestHandler: {
        httpAgent: new http.Agent({ keepAlive: true, proxyEnv: proxies }),
        httpsAgent: new https.Agent({ keepAlive: true, proxyEnv: proxies }),
      },
    }
  : {};
