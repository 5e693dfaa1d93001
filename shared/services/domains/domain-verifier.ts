import type { DomainFinding } from '../../domain/domains/domain-verification.ts';
import type { MailHosts } from '../../domain/domains/sender-domain.ts';

/** The data of a sender domain that a verifier gets. */
export type DomainToVerify = {
  sender: string;
  selector: string;
  /** Base64 of the SPKI form, as the DKIM record publishes it. */
  publicKey: string;
  /** Decrypts the private key, for verifiers that sign. */
  privateKeyPem: () => Promise<string>;
  isVerified: boolean;
  /** An earlier check has given the verifier this account's key since the verification was started. */
  isRegistered: boolean;
  hosts: MailHosts;
};

/** Checks whether the records of a sender domain are published. */
export type DomainVerifier = {
  name: 'ses' | 'dns' | 'sandbox';
  /** Repeatable. A failed check is `unknown` or throws; neither affects the domain. */
  verify(domain: DomainToVerify): Promise<DomainFinding>;
  /**
   * Removes a domain that no account has verified, if it still has the removed domain's key. Removing an unknown one,
   * or one that this stage has not created, succeeds and changes nothing.
   */
  remove(domain: Pick<DomainToVerify, 'sender' | 'selector'>): Promise<void>;
};
