import type { DomainFinding } from '../../domain/domain-verification.ts';
import type { MailHosts } from '../../domain/sender-domain.ts';

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
