import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { lookupAt, type Resolve } from './name-servers.ts';

/** Why the guard rejected: a closed list of names, safe to log and to show. */
export type RefusalReason = 'malformed' | 'scheme' | 'credentials' | 'port' | 'name' | 'address';

/** `host:port` pairs, written as in a URL, that the guard allows in addition to public addresses. */
export type AllowedHosts = ReadonlySet<string>;

/** What the guard says about a URL; `allowed`: its host and port are on the operator's list. */
export type CheckedUrl = { ok: true; url: URL; allowed: boolean } | { ok: false; reason: RefusalReason };

/** A name resolved to at least one address that is not public. Thrown by a guarded lookup. */
export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
  constructor() {
    super('The name resolves to an address that is not public');
    this.name = 'AddressRefused';
  }
}

const ALLOWED_ENTRY = /^(\[[0-9a-fA-F:.]+\]|[^\s:/?#@[\]\\]+):(\d{1,5}|\*)$/;
/** A name without a dot is one of the network around, as those of RFC 6761, 6762 and 8375 are. */
const PRIVATE_NAME = /^[^.]+$|\.(?:localhost|localdomain|local|internal|home\.arpa)$/;
const DEFAULT_PORTS: Record<string, string> = { 'https:': '443', 'http:': '80' };

/**
 * Parses EGRESS_ALLOW_HOSTS, `host:port,host:*`, IPv6 literals in brackets; `*` is any port, empty text an
 * empty list. Throws if an entry is not a host and a port.
 */
export function parseAllowedHosts(list: string): AllowedHosts {
  const entries = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return new Set(entries.map(parseAllowedHost));
}

function parseAllowedHost(entry: string): string {
  const [, host = '', port = ''] = ALLOWED_ENTRY.exec(entry) ?? [];
  const url = URL.parse(`http://${host}/`);
  const portNumber = Number(port);
  if (url && port === '*') return `${url.hostname}:*`;
  if (!url || !(portNumber >= 1 && portNumber <= 65_535)) {
    throw new Error(`An allowed host is "host:port", with an IPv6 address in brackets; "${entry}" is not`);
  }
  return `${url.hostname}:${portNumber}`;
}

/**
 * Checks a customer's URL before any lookup: https, port 443 or at least 1024, no user or password, no
 * private name, a literal address only if it is public. A host and port on the list may be anything,
 * including plain http, but still without user and password. A passed name is not safe yet: connect through
 * `guardedLookup(allowed)`.
 */
export function checkUrl(text: string, allowedHosts: AllowedHosts): CheckedUrl {
  const url = URL.parse(text);
  if (!url || url.hostname === '') return { ok: false, reason: url ? 'scheme' : 'malformed' };
  const port = url.port || DEFAULT_PORTS[url.protocol];
  if (port === undefined) return { ok: false, reason: 'scheme' };
  const allowed = [port, '*'].some((each) => allowedHosts.has(`${url.hostname}:${each}`));
  if (url.protocol !== 'https:' && !(allowed && url.protocol === 'http:'))
    return { ok: false, reason: 'scheme' };
  if (url.username !== '' || url.password !== '') return { ok: false, reason: 'credentials' };
  if (allowed) return { ok: true, url, allowed };
  if (port !== '443' && Number(port) < 1024) return { ok: false, reason: 'port' };
  const reason = checkHostname(url.hostname);
  return reason ? { ok: false, reason } : { ok: true, url, allowed };
}

/** True unless a customer's server is named by a private name or address. */
export function isPublicHost(host: string): boolean {
  const { hostname = '' } = URL.parse(`http://${isIP(host) === 6 ? `[${host}]` : host}/`) ?? {};
  return hostname !== '' && checkHostname(hostname) === undefined;
}

// URL has already turned every spelling of an IPv4 address (127.1, 0x7f.1, 2130706433, circled digits) into dots.
function checkHostname(hostname: string): RefusalReason | undefined {
  const literal = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  if (isIP(literal) !== 0) return isPublicAddress(literal) ? undefined : 'address';
  return hostname.split('.').includes('') || PRIVATE_NAME.test(hostname) ? 'name' : undefined;
}

/**
 * True if an address in canonical text is on the public internet. False for addresses with a zone (`fe80::1%eth0`) and addresses
 * that contain an IPv4 address (NAT64, 6to4, Teredo); IPv4-mapped addresses count as their IPv4.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // ipaddr.js reports every unlisted range as unicast, ::7f00:1 too; only 2000::/3 is assigned (RFC 4291 2.4).
  return parsed.kind() === 'ipv4' || ((parsed.toByteArray()[0] ?? 0) & 0xe0) === 0x20;
}

/**
 * A `lookup` for sockets that fails with `AddressRefused` unless every address of the name is public, and
 * passes the socket the same addresses that it checked, so that DNS cannot change in between. With `allowed`
 * (from `checkUrl`), addresses are not checked, and the name may be one that only this machine knows. Sockets do not
 * call it for literal addresses; `checkUrl` checks those.
 */
export function guardedLookup(
  allowed: boolean,
  resolve: Resolve = allowed ? systemLookup : lookupAt(),
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses, family) => {
      if (error) return callback(error, []);
      const answers =
        typeof addresses === 'string'
          ? [{ address: addresses, family: family ?? isIP(addresses) }]
          : addresses;
      const [first] = answers;
      if (!first) return callback(noAddress(), []);
      if (!allowed && !answers.every(({ address }) => isPublicAddress(address))) {
        return callback(new AddressRefused(), []);
      }
      if (options.all) return callback(null, answers);
      callback(null, first.address, first.family);
    });
  };
}

function noAddress(): NodeJS.ErrnoException {
  return Object.assign(new Error('The name has no address'), { code: 'ENOTFOUND' });
}
