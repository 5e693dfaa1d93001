import { isIP } from 'node:net';
import type { FindAddress } from '../channels/email/smtp.ts';
import { guardedLookup, isPublicAddress, parseAllowedHosts } from '../http-client/address-guard.ts';
import { setting } from '../runtime/config.ts';

const MAIL_PORTS = [25, 465, 587];

/**
 * Finds the address of a mail server that a customer configured: a public one, on a mail port or one from
 * 1024, unless `EGRESS_ALLOW_HOSTS` lists it. The connection uses the same address that was checked.
 */
export function createPublicHost(): FindAddress {
  const allowedHosts = parseAllowedHosts(setting('EGRESS_ALLOW_HOSTS'));
  return async ({ host, port }) => {
    const written = isIP(host) === 6 ? `[${host}]` : host;
    const isAllowed = [port, '*'].some((each) => allowedHosts.has(`${written}:${each}`));
    if (!isAllowed && !MAIL_PORTS.includes(port) && port < 1024) return undefined;
    if (isIP(host) !== 0) return isAllowed || isPublicAddress(host) ? host : undefined;
    const lookup = guardedLookup(isAllowed);
    return new Promise((resolve) => {
      lookup(host, {}, (error, address) => {
        resolve(error || typeof address !== 'string' ? undefined : address);
      });
    });
  };
}
