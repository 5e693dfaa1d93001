import { domainToASCII } from 'node:url';
import { isPublicName } from '../../http-client/public-name.ts';

/** Sources of the contact in web push requests, in their order. */
type Sources = {
  subject?: string | undefined;
  mailDomain?: string | undefined;
  baseUrl?: string | undefined;
};

/**
 * The contact in web push requests (RFC 8292): the configured contact, then the postmaster of the mail domain, then the service's
 * address. Undefined if none of them is public: Apple rejects requests with localhost.
 */
export function findVapidSubject({ subject, mailDomain = '', baseUrl = '' }: Sources): string | undefined {
  if (subject) return subject;
  const domain = domainToASCII(mailDomain);
  if (isPublicName(domain)) return `mailto:postmaster@${domain}`;
  const base = URL.parse(baseUrl);
  return base?.protocol === 'https:' && isPublicName(base.hostname) ? base.origin : undefined;
}

/** True for a contact that push services accept: a mailto: address or an https URL, of a public host. */
export function isVapidSubject(subject: string): boolean {
  const host = /^mailto:\S+@([^\s@]+)$/.exec(subject)?.[1] ?? URL.parse(subject)?.hostname ?? '';
  return /^(?:mailto|https):/.test(subject) && isPublicName(domainToASCII(host) || host);
}
