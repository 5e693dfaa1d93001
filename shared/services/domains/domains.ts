import { domainProviderName } from '../../channels/email/mail-domain.ts';
import { lazily } from '../../runtime/async/lazily.ts';
import { findSetting } from '../../runtime/config.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import type { DomainStatus, MailFromStatus } from '../../schemas/domains/sender-domain.ts';
import { createDnsResolver, type DnsResolver, isDnsUnavailable } from './dns-resolver.ts';
import type { DomainVerifier } from './domain-verifier.ts';
import { examineRecords, isAsMeant } from './published-records.ts';

const SCENARIOS: readonly [suffix: string, status: Extract<DomainStatus, MailFromStatus>][] = [
  ['.pending.test', 'PENDING'],
  ['.failed.test', 'FAILED'],
  ['.temporary.test', 'TEMPORARY_FAILURE'],
];

/**
 * Simulated DNS: names determine the outcome, such as `shop.pending.test`; every other domain is verified
 * immediately.
 */
export function createSandboxVerifier(): DomainVerifier {
  return {
    name: 'sandbox',
    async verify({ sender }) {
      const status = SCENARIOS.find(([suffix]) => sender.endsWith(suffix))?.[1] ?? 'SUCCESS';
      return { kind: 'known', status, mailFromDomainStatus: status, isRegistered: true };
    },
    async remove() {},
  };
}

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

/** Looks the records up itself: the DKIM record verifies the domain, MX and SPF its MAIL FROM subdomain. */
export function createDnsVerifier(resolver: DnsResolver): DomainVerifier {
  return {
    name: 'dns',
    async verify(domain) {
      try {
        const records = await examineRecords(resolver, domain);
        const hasMailFrom = isAsMeant(records.mail_from_mx) && isAsMeant(records.mail_from_spf);
        const isLost = domain.isVerified ? 'TEMPORARY_FAILURE' : 'PENDING';
        return {
          kind: 'known',
          status: isAsMeant(records.dkim) ? 'SUCCESS' : isLost,
          mailFromDomainStatus: hasMailFrom ? 'SUCCESS' : 'PENDING',
          isRegistered: true,
          records,
        };
      } catch (error) {
        if (isDnsUnavailable(error)) return { kind: 'unknown' };
        throw error;
      }
    },
    async remove() {},
  };
}
