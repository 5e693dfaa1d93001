import { verificationRecordsOf } from '../../domain/sender-domain.ts';
import type { DnsResolver } from './dns-resolver.ts';
import { DnsUnavailable } from './dns-resolver.ts';
import type { DomainToVerify, DomainVerifier } from './domain-verifier.ts';

type Names = Pick<DomainToVerify, 'sender' | 'selector' | 'publicKey' | 'hosts'>;

/** Looks the records up itself: the DKIM record verifies the domain, MX and SPF its MAIL FROM subdomain. */
export function createDnsVerifier(resolver: DnsResolver): DomainVerifier {
  return {
    name: 'dns',
    async verify(domain) {
      try {
        const [hasKey, hasMailFrom] = await Promise.all([
          isKeyPublished(resolver, domain),
          isMailFromPublished(resolver, domain),
        ]);
        return {
          kind: 'known',
          status: hasKey ? 'SUCCESS' : domain.isVerified ? 'TEMPORARY_FAILURE' : 'PENDING',
          mailFromDomainStatus: hasMailFrom ? 'SUCCESS' : 'PENDING',
          isRegistered: true,
        };
      } catch (error) {
        if (error instanceof DnsUnavailable) return { kind: 'unknown' };
        throw error;
      }
    },
    async remove() {},
  };
}

/** True if the domain's DKIM record publishes this key: only the owner of the domain can do that. */
export async function isKeyPublished(resolver: DnsResolver, domain: Names): Promise<boolean> {
  const { dkim } = verificationRecordsOf(domain, domain.hosts);
  const texts = await resolver.findTxt(dkim.host);
  return texts.some((text) => dkimTag(text, 'p') === domain.publicKey);
}

async function isMailFromPublished(resolver: DnsResolver, domain: Names): Promise<boolean> {
  const { mail_from_mx: mx, mail_from_spf: spf } = verificationRecordsOf(domain, domain.hosts);
  const [exchanges, texts] = await Promise.all([resolver.findMx(mx.host), resolver.findTxt(spf.host)]);
  const hasExchange = exchanges.some(({ exchange }) => plainHost(exchange) === plainHost(mx.recordValue));
  return hasExchange && texts.some((text) => includesHost(text, domain.hosts.spf));
}

/** A tag of a DKIM record (RFC 6376 §3.2), without white space in its value. */
function dkimTag(text: string, name: string): string | undefined {
  for (const tag of text.split(';')) {
    const at = tag.indexOf('=');
    if (at > 0 && tag.slice(0, at).trim() === name) return tag.slice(at + 1).replace(/\s/g, '');
  }
  return undefined;
}

function includesHost(text: string, host: string): boolean {
  const [version, ...terms] = text.trim().toLowerCase().split(/\s+/);
  return version === 'v=spf1' && terms.some((term) => /^\+?include:/.test(term) && term.endsWith(`:${host}`));
}

const plainHost = (host: string) => host.toLowerCase().replace(/\.$/, '');
