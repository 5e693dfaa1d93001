import { domainProviderName } from '../../channels/email/mail-domain.ts';
import type { DomainFinding } from '../../domain/domain-verification.ts';
import type { MailHosts } from '../../domain/sender-domain.ts';
import { findSetting } from '../../runtime/config.ts';
import { dependency, resolve } from '../../runtime/dependency.ts';
import { createDnsResolver, type DnsResolver } from './dns-resolver.ts';
import { createDnsVerifier } from './domains-dns.ts';
import { createSandboxVerifier } from './domains-sandbox.ts';

/** What a verifier is told of a sender domain. */
export type DomainToVerify = {
  sender: string;
  selector: string;
  /** Base64 of the SPKI form, as the DKIM record publishes it. */
  publicKey: string;
  /** Decrypts the private key, for verifiers that sign. */
  privateKeyPem: () => Promise<string>;
  isVerified: boolean;
  /** An earlier look gave the verifier this account's key since the verification was started. */
  isRegistered: boolean;
  hosts: MailHosts;
};

/** Looks whether the records of a sender domain are published. */
export type DomainVerifier = {
  name: 'ses' | 'dns' | 'sandbox';
  /** Repeatable. A look that fails is `unknown` or throws; neither says anything about the domain. */
  verify(domain: DomainToVerify): Promise<DomainFinding>;
  /** Forgets a domain that no account has verified. Forgetting an unknown one succeeds. */
  forget(sender: string): Promise<void>;
};

/** Looks up DNS; `DNS_SERVERS` (`address` or `address:port`, by commas) in place of the machine's. */
export const dnsResolver = dependency<DnsResolver>('dnsResolver', () =>
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
      return lazyVerifier('ses', async () => {
        const { createSesVerifierOf } = await import('./aws-domains.ts');
        return createSesVerifierOf(resolve(dnsResolver));
      });
  }
});

/** Loads the SDK on first use, so that functions that verify nothing do not carry it. */
function lazyVerifier(name: DomainVerifier['name'], load: () => Promise<DomainVerifier>): DomainVerifier {
  let loaded: Promise<DomainVerifier> | undefined;
  const verifier = () => {
    loaded ??= load();
    return loaded;
  };
  return {
    name,
    verify: async (domain) => (await verifier()).verify(domain),
    forget: async (sender) => (await verifier()).forget(sender),
  };
}
