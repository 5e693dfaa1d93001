import { isIP } from 'node:net';
import type { FindAddress } from '../../channels/email/smtp/smtp.ts';
import {
  type AllowedHosts,
  checkUrl,
  guardedLookup,
  isPublicAddress,
  isPublicHost,
  parseAllowedHosts,
} from '../../http-client/address-guard.ts';
import { setting } from '../../runtime/config.ts';

const MAIL_PORTS = [25, 465, 587];

type Server = { host: string; port: number };

function isListed({ host, port }: Server, allowedHosts: AllowedHosts): boolean {
  const written = isIP(host) === 6 ? `[${host}]` : host;
  return [port, '*'].some((each) => allowedHosts.has(`${written}:${each}`));
}

const isMailPort = ({ port }: Server) => MAIL_PORTS.includes(port) || port >= 1024;

/** True if connecting to a mail server that a customer configured is allowed, as far as its name shows. */
export function mayBeMailServer(server: Server): boolean {
  const isAllowed = isListed(server, parseAllowedHosts(setting('EGRESS_ALLOW_HOSTS')));
  return isAllowed || (isMailPort(server) && isPublicHost(server.host));
}

export const MUST_BE_PUBLIC_URL =
  'must be an https URL of a public host, without user and password, on port 443 or from 1024; the operator allows other hosts with the setting EGRESS_ALLOW_HOSTS';

/** True if calling a customer's URL is allowed, as far as its text shows. */
export const mayBeCalled = (url: string): boolean =>
  checkUrl(url, parseAllowedHosts(setting('EGRESS_ALLOW_HOSTS'))).ok;

/**
 * Finds the address of a mail server that a customer configured: a public one, on a mail port or one from
 * 1024, unless `EGRESS_ALLOW_HOSTS` lists it. The connection uses the same address that was checked.
 */
export function createPublicHost(): FindAddress {
  const allowedHosts = parseAllowedHosts(setting('EGRESS_ALLOW_HOSTS'));
  return async (server) => {
    const { host } = server;
    const isAllowed = isListed(server, allowedHosts);
    if (!isAllowed && !isMailPort(server)) return undefined;
    if (isIP(host) !== 0) return isAllowed || isPublicAddress(host) ? host : undefined;
    const lookup = guardedLookup(isAllowed);
    return new Promise((resolve) => {
      lookup(host, {}, (error, address) => {
        resolve(error || typeof address !== 'string' ? undefined : address);
      });
    });
  };
}
