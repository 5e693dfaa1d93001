import { isIP } from 'node:net';
import { isPublicAddress } from './address-guard.ts';

/** Top-level names that nothing on the internet has (RFC 2606, 6761, 6762, 8375, 9476). */
const RESERVED_SUFFIX =
  /(?:^|\.)(?:localhost|localdomain|local|internal|invalid|test|example|onion|alt|home\.arpa)$/;

/** True for a host that others can reach by this name: at least two labels, none of the reserved names, or a public address. */
export function isPublicName(host: string): boolean {
  const literal = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) !== 0) return isPublicAddress(literal);
  const name = host.toLowerCase().replace(/\.$/, '');
  return /^[^.]+(\.[^.]+)+$/.test(name) && !RESERVED_SUFFIX.test(name);
}
