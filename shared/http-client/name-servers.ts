import { type LookupAddress, type LookupAllOptions, Resolver } from 'node:dns';

/**
 * Looks up every address of a name, as `node:dns` `lookup` does. A single address as text is also accepted.
 */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (
    error: NodeJS.ErrnoException | null,
    answers: LookupAddress[] | string,
    family?: number | undefined,
  ) => void,
) => void;

/** A query is repeated once; the time for a connection includes both. */
const QUERY = { timeout: 1000, tries: 2 };
const ABSENT = ['ENOTFOUND', 'ENODATA'];

/**
 * Looks up names at `servers`, by default the machine's. `node:dns` `lookup` occupies a thread for as long as a
 * name server takes, and has two for the whole process: two names whose servers never respond would stop
 * every other lookup.
 */
export function lookupAt(servers?: readonly string[], query = QUERY): Resolve {
  return (hostname, _options, callback) => {
    // Separate: timeouts of one name must not affect how another is looked up.
    const resolver = new Resolver(query);
    if (servers) resolver.setServers(servers);
    Promise.all(([4, 6] as const).map((family) => find(resolver, hostname, family))).then((found) => {
      const addresses = found.flatMap((each) => each.addresses);
      const errors = found.flatMap(({ error }) => error ?? []);
      const failure = errors.find(({ code = '' }) => !ABSENT.includes(code)) ?? errors[0];
      callback(addresses.length > 0 ? null : (failure ?? null), addresses);
    });
  };
}

type Found = { error: NodeJS.ErrnoException | null; addresses: { address: string; family: 4 | 6 }[] };

function find(resolver: Resolver, hostname: string, family: 4 | 6): Promise<Found> {
  return new Promise((found) => {
    const take = (error: NodeJS.ErrnoException | null, addresses: string[] = []) =>
      found({ error, addresses: addresses.map((address) => ({ address, family })) });
    if (family === 4) resolver.resolve4(hostname, take);
    else resolver.resolve6(hostname, take);
  });
}
