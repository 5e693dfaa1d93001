import { domainToASCII } from 'node:url';
import { parse } from 'tldts';
import type { DnsRecord, VerificationRecords } from '../../schemas/domains/sender-domain.ts';

/** Longest sender domain: the DKIM record's host, its longest, must fit a name of 253 characters. */
export const SENDER_DOMAIN_LENGTH_MAX = 220;

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Characters of URLs, addresses and literals: URL parsers would silently extract a domain from them. */
const NOT_OF_A_DOMAIN = /[\s@/\\:?#%[\]]/;
/** Private suffixes count: the customers below one, such as github.io, do not share a zone. */
const SUFFIXES = { allowPrivateDomains: true } as const;

/**
 * A sender domain in lower-case ASCII (RFC 5891) without a final dot; undefined for an address, a URL, an IP
 * address, a public suffix, a single label and any invalid DNS name.
 */
export function findSenderDomain(text: string): string | undefined {
  if (text.length > SENDER_DOMAIN_LENGTH_MAX || NOT_OF_A_DOMAIN.test(text)) return undefined;
  const ascii = domainToASCII(text.toLowerCase().replace(/\.$/, ''));
  if (ascii.length > SENDER_DOMAIN_LENGTH_MAX || !ascii.split('.').every((label) => LABEL.test(label))) {
    return undefined;
  }
  const { domain, isIp } = parse(ascii, SUFFIXES);
  return isIp || !domain ? undefined : ascii;
}

/** Hosts that a deployment's sender domains point to. */
export type MailHosts = {
  /** Target of the MAIL FROM subdomain's MX record, for bounces. */
  feedback: string;
  /** The host that the SPF record includes. */
  spf: string;
  /** Target of the domain's own MX record, where email is received. */
  inbound?: string;
};

/** The MAIL FROM subdomain of a sender domain: `mail.example.com`. */
export const mailFromOf = (sender: string) => `mail.${sender}`;

/** The DKIM record's value for a public key, base64 of its SPKI form (RFC 6376 §3.6.1). */
const dkimRecordValue = (publicKey: string) => `v=DKIM1; k=rsa; p=${publicKey}`;

/**
 * The records of a sender domain. The record for inbound email moves all mail of its host. For a whole zone, it is listed once
 * the account has an address on that zone.
 */
export function verificationRecordsOf(
  domain: { sender: string; selector: string; publicKey: string; isAddressed?: boolean },
  hosts: MailHosts,
): VerificationRecords {
  const { sender, selector, publicKey, isAddressed = false } = domain;
  const isReceivable = isAddressed || recordNameOf(sender) !== ZONE;
  const record = (host: string, rest: Omit<DnsRecord, 'host' | 'recordName'>): DnsRecord => ({
    recordName: recordNameOf(host),
    host,
    ...rest,
  });
  return {
    dkim: record(`${selector}._domainkey.${sender}`, {
      recordType: 'TXT',
      recordValue: dkimRecordValue(publicKey),
      required: true,
    }),
    mail_from_spf: record(mailFromOf(sender), {
      recordType: 'TXT',
      recordValue: `v=spf1 include:${hosts.spf} ~all`,
      required: true,
    }),
    mail_from_mx: record(mailFromOf(sender), {
      recordType: 'MX',
      recordValue: hosts.feedback,
      priority: 10,
      required: true,
    }),
    dmarc: record(`_dmarc.${sender}`, {
      recordType: 'TXT',
      recordValue: 'v=DMARC1; p=none;',
      required: false,
    }),
    ...(hosts.inbound !== undefined && isReceivable
      ? {
          inbound_mx: record(sender, {
            recordType: 'MX',
            recordValue: hosts.inbound,
            priority: 10,
            required: false,
          }),
        }
      : {}),
  };
}

/** The name of a zone in itself. */
const ZONE = '@';

/** `mail.news.shop.co.uk` -> `mail.news`: the name within the zone `shop.co.uk`; `@` for the zone itself. */
export function recordNameOf(host: string): string {
  const zone = parse(host, { ...SUFFIXES, validateHostname: false }).domain;
  if (!zone || host === zone) return ZONE;
  return host.slice(0, -(zone.length + 1));
}
