import type { DnsResolver } from './dns-resolver.ts';
import { DnsUnavailable } from './dns-resolver.ts';
import type { DomainVerifier } from './domain-verifier.ts';
import { examineRecords, isAsMeant } from './published-records.ts';

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
        if (error instanceof DnsUnavailable) return { kind: 'unknown' };
        throw error;
      }
    },
    async remove() {},
  };
}
