import { domainProviderName } from '../../channels/email/mail-domain.ts';
import { lazily } from '../../runtime/async/lazily.ts';
import { findSetting } from '../../runtime/config.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { createDnsResolver, type DnsResolver } from './dns-resolver.ts';
import type { DomainVerifier } from './domain-verifier.ts';
import { createDnsVerifier } from './domains-dns.ts';
import { createSandboxVerifier } from './domains-sandbox.ts';

/** Looks up DNS; `DNS_SERVERS` (`address` or `address:port`, separated by commas) replaces the machine's. */
const dnsResolver = dependency<DnsResolver>('dnsResolver', () =>
  createDnsResolver(findSetting('DNS_SERVERS')?.split(',')),
);

/** The deployment's verifier of sender domains. */
export const domainVerifier = dependency<DomainVerifier>('domainVerifier', () => {
  switch (domainProviderName()) {
    case 'sandbox':
      return createSandboxVerifier();
    case 'dns':
      return createDnsVerifier(resolve(dnsResolver));
    case 'ses':
      return { name: 'ses', ...lazily(loadSesVerifier, { verify: true, remove: true }) };
  }
});

/** Loads the SDK, so that functions that verify nothing do not include it. */
async function loadSesVerifier(): Promise<Pick<DomainVerifier, 'verify' | 'remove'>> {
  const { createSesVerifierOf } = await import('./aws-domains.ts');
  return createSesVerifierOf(resolve(dnsResolver));
}
