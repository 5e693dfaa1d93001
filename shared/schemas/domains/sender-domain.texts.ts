import { describeFields } from '../fields/field-texts.ts';
import { DnsRecord, SenderDomain, VerificationRecords } from './sender-domain.ts';

describeFields(DnsRecord, {
  recordType: 'TXT or MX.',
  recordName: "The record's name relative to the registrable zone, @ for the zone itself.",
  host: 'The full name of the DNS record.',
  recordValue: 'The value of the DNS record.',
  priority: 'The priority of an MX record.',
  required: 'True if the record is needed to send.',
  found: 'What DNS had for the record at the last check; empty if it was not published.',
  problem: 'What makes receivers reject the record, or prevents the verification, and what to do.',
});

describeFields(SenderDomain, {
  sender: 'The domain.',
  status: 'Verification status; SUCCESS means that the domain can send.',
  lastSync: 'Time of the last DNS check.',
  verificationTokens: 'The tokens that the DNS records contain.',
  mailFromDomainStatus: 'The state of the MAIL FROM subdomain.',
  createdAt: 'Time the domain was added.',
  reminderSentAt: 'Time the reminder about missing DNS records was sent.',
  selector: 'The DKIM selector.',
  verificationRecords: 'The DNS records to publish.',
});

describeFields(VerificationRecords, {
  dkim: 'The record of the DKIM key.',
  mail_from_spf: 'The SPF record of the MAIL FROM subdomain.',
  mail_from_mx: 'The MX record of the MAIL FROM subdomain.',
  dmarc: 'The DMARC record.',
  inbound_mx:
    'The MX record for inbound email, where this deployment receives email. It moves all mail of its host to this service: mailboxes on that host receive nothing more. So it is returned for a subdomain, and for a whole domain only once an address on it is created.',
});
