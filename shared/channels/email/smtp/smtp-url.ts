import { isIP } from 'node:net';
import { ConfigError } from '../../../runtime/config.ts';
import { defined } from '../../../runtime/values/defined.ts';

/** Connection options of plain SMTP, from `SMTP_URL`. */
export type SmtpServer = {
  host: string;
  port: number;
  /** TLS from the first byte (`smtps:`). */
  secure: boolean;
  auth?: { user: string; pass: string };
  /** Never send email or password to a server that does not offer STARTTLS. */
  requireTLS: boolean;
  ignoreTLS: boolean;
  /** Reject a certificate that does not prove the host. */
  rejectUnauthorized: boolean;
};

const EXAMPLE = 'smtp://user:password@host:587 or smtps://user:password@host:465';

/**
 * Parses an `SMTP_URL`; throws `ConfigError` if it has no server. Ports are 587 and 465 by default. A password is sent only over
 * TLS, except to this machine; `?tls=off` and `?tls=unverified` change that.
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text);
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new ConfigError(`SMTP_URL must be ${EXAMPLE}`);
  }
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const [, tls = ''] = /^\?tls=(off|unverified|)$/.exec(url.search) ?? [];
  if (!/^\/?$/.test(url.pathname) || url.hash !== '' || (url.search !== '' && tls === '') || url.port === '0')
    throw new ConfigError('SMTP_URL may end only in ?tls=off or ?tls=unverified after host and port');
  const isLocal = isLoopback(host);
  const user = decode(url.username);
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    ...defined({ auth: user === '' ? undefined : { user, pass: decode(url.password) } }),
    requireTLS: !secure && user !== '' && !isLocal && tls !== 'off',
    ignoreTLS: !secure && tls === 'off',
    // A server on this machine has no trusted certificate.
    rejectUnauthorized: tls !== 'unverified' && !isLocal,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ConfigError('SMTP_URL: user and password must be percent-encoded');
  }
}

function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.');
  return host === '::1' || host.toLowerCase() === 'localhost';
}
