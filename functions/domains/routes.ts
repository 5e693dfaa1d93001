import * as v from 'valibot';
import { findSenderDomain, SENDER_DOMAIN_LENGTH_MAX } from '../../shared/domain/domains/sender-domain.ts';
import { SERVER_ACCESS } from '../../shared/http/access/access.ts';
import { route } from '../../shared/http/rows/route.ts';
import { SenderDomain } from '../../shared/schemas/domains/sender-domain.ts';
import { Id } from '../../shared/schemas/fields/text.ts';

const exampleDomain = {
  sender: 'news.example.com',
  status: 'PENDING',
  lastSync: '2026-11-21T08:30:00.000Z',
  mailFromDomainStatus: 'PENDING',
  createdAt: '2026-11-21T08:30:00.000Z',
  selector: 'nds4f1c09be7a',
  verificationRecords: {
    dkim: {
      recordType: 'TXT',
      recordName: 'nds4f1c09be7a._domainkey.news',
      host: 'nds4f1c09be7a._domainkey.news.example.com',
      recordValue: 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA...',
      required: true,
    },
    mail_from_spf: {
      recordType: 'TXT',
      recordName: 'mail.news',
      host: 'mail.news.example.com',
      recordValue: 'v=spf1 include:amazonses.com ~all',
      required: true,
    },
    mail_from_mx: {
      recordType: 'MX',
      recordName: 'mail.news',
      host: 'mail.news.example.com',
      recordValue: 'feedback-smtp.us-east-1.amazonses.com',
      priority: 10,
      required: true,
    },
    dmarc: {
      recordType: 'TXT',
      recordName: '_dmarc.news',
      host: '_dmarc.news.example.com',
      recordValue: 'v=DMARC1; p=none;',
      required: false,
    },
    inbound_mx: {
      recordType: 'MX',
      recordName: 'news',
      host: 'news.example.com',
      recordValue: 'inbound-smtp.us-east-1.amazonaws.com',
      priority: 10,
      required: false,
    },
  },
};

const Sender = v.pipe(
  v.string(),
  v.check(
    (value) => findSenderDomain(value) !== undefined,
    `must be a domain of at most ${SENDER_DOMAIN_LENGTH_MAX} characters, such as example.com: no address, URL, IP address or public suffix`,
  ),
  v.transform((value) => findSenderDomain(value) ?? value),
);

const settings = [
  'DOMAIN_PROVIDER',
  'MAIL_DOMAIN',
  'MAIL_FEEDBACK_HOST',
  'MAIL_SPF_INCLUDE',
  'MAIL_INBOUND_HOST',
  'MAIL_RECEIVING',
] as const;

export const createDomainRoute = route({
  id: 'createDomain',
  method: 'POST',
  path: '/domains',
  access: SERVER_ACCESS,
  body: v.object({ sender: Sender }),
  response: { kind: 'json', body: v.array(SenderDomain) },
  grants: {
    table: ['get', 'query', 'put', 'update', 'check'],
    keyring: ['decrypt'],
  },
  settings,
  summary: 'Add a sender domain and start its verification',
  description:
    'Returns all domains of the account with the DNS records to publish. The service checks DNS within 5 minutes, then after 5, 15 and every 60 minutes; after 72 hours, the domain is FAILED. A repetition restarts that. inbound_mx moves all mail of its host.',
  example: { request: { sender: 'news.example.com' }, response: [exampleDomain] },
  errors: ['DUPLICATE_RESOURCE'],
});

export const listDomainsRoute = route({
  id: 'listDomains',
  method: 'GET',
  path: '/domains',
  access: SERVER_ACCESS,
  response: { kind: 'json', body: v.array(SenderDomain) },
  grants: { table: ['get', 'query', 'update'] },
  settings,
  summary: 'List the sender domains of the account, oldest first',
  description: 'Each with its status and the DNS records to publish.',
  example: { response: [exampleDomain] },
});

export const deleteDomainRoute = route({
  id: 'deleteDomain',
  method: 'DELETE',
  path: '/domains/{sender}',
  access: SERVER_ACCESS,
  pathParameters: v.object({ sender: Id }),
  response: { kind: 'json', body: v.object({ message: v.string() }) },
  grants: { table: ['get', 'query', 'put', 'update', 'delete', 'check'] },
  summary: 'Delete a sender domain',
  description: 'Also deletes the addresses on it. Email from it is rejected within 10 seconds.',
  example: { response: { message: 'The domain is deleted.' } },
  errors: ['RESOURCE_NOT_FOUND'],
});
