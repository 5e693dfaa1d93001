import { Resolver } from 'node:dns/promises';

/** Looks up records of a host; empty if there are none. Throws if DNS did not respond. */
export type DnsResolver = ReturnType<typeof createDnsResolver>;

const UNAVAILABLE = 'DnsUnavailable';

/** DNS did not respond: this proves nothing about the record. Known by its name: a function can have this module twice. */
export const isDnsUnavailable = (error: unknown): boolean =>
  error instanceof Error && error.name === UNAVAILABLE;

const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);
const TIMEOUT_MS = 3000;
const TRIES = 2;

/** A resolver on the given servers (`address` or `address:port`), by default the machine's resolver. */
export function createDnsResolver(servers?: readonly string[]) {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers?.length) resolver.setServers(servers.map((server) => server.trim()));
  return {
    /** The TXT records, each with its strings joined. */
    findTxt: (host: string): Promise<string[]> =>
      orNone(async () => (await resolver.resolveTxt(host)).map((strings) => strings.join(''))),
    findMx: (host: string): Promise<{ exchange: string; priority: number }[]> =>
      orNone(async () => {
        const records = await resolver.resolveMx(host);
        return records.map(({ exchange, priority }) => ({ exchange, priority }));
      }),
  };
}

async function orNone<T>(lookUp: () => Promise<T[]>): Promise<T[]> {
  try {
    return await lookUp();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (ABSENT.has(code)) return [];
    throw Object.assign(new Error('DNS did not respond', { cause: error }), { name: UNAVAILABLE });
  }
}
