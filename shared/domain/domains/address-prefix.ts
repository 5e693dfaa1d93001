/** Longest prefix of an address (RFC 5321 §4.5.3.1.1). */
export const ADDRESS_PREFIX_LENGTH_MAX = 64;

const PREFIX = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/**
 * Names on the service's own mail domain that are reserved for the operator (RFC 2142) or the service, such
 * as `r` for replies.
 */
const RESERVED = new Set([
  'abuse',
  'account',
  'accounts',
  'admin',
  'administrator',
  'billing',
  'bounce',
  'bounces',
  'contact',
  'dmarc',
  'feedback',
  'help',
  'hostmaster',
  'info',
  'inbound',
  'mailer-daemon',
  'no-reply',
  'noc',
  'noreply',
  'notifications',
  'postmaster',
  'r',
  'root',
  'security',
  'support',
  'system',
  'unsubscribe',
  'usenet',
  'webmaster',
]);

/** The prefix in lower case; undefined when it is not 1 to 64 of `a-z 0-9 . _ -` without a dot at an end or two in a row. */
export function findAddressPrefix(text: string): string | undefined {
  const prefix = text.toLowerCase();
  return text.length <= ADDRESS_PREFIX_LENGTH_MAX && PREFIX.test(prefix) ? prefix : undefined;
}

/** True if a prefix on the service's own mail domain is reserved. */
export function isReservedPrefix(prefix: string): boolean {
  return RESERVED.has(prefix);
}
