import { describeFields } from '../fields/field-texts.ts';
import { Address } from './address.ts';
import {
  OwnProviderCredentials,
  ProviderOrderBody,
  ProviderOrderResponse,
  ProviderStatusResponse,
} from './provider-order.ts';
import { DnsRecord, SenderDomain, VerificationRecords } from './sender-domain.ts';

describeFields(Address, {
  fullAddress: 'The full email address.',
  prefix: 'The part before the @.',
  domain: 'The part after the @.',
  type: "builtin on the service's mail domain, custom on a domain of the account.",
  displayName: 'The name that recipients see.',
});

const CHANNEL_TEXTS = { channel: 'EMAIL, SMS or CALL.', ownOrder: "True if the order is the account's own." };
const ENTRY_TEXTS = {
  provider: 'The name of the provider.',
  own: "True if the provider is the account's own.",
};

describeFields(ProviderOrderResponse, {
  ...CHANNEL_TEXTS,
  order: ['Providers in order of preference.', ENTRY_TEXTS],
});

describeFields(ProviderOrderBody, {
  order: 'The names of the providers in order of preference.',
  credentials:
    "The credentials of the account's own providers, by their name in the order: what smtp, twilio or telnyx need. They are stored encrypted, never returned, and deleted with their entry. An entry that has them may omit them.",
});

describeFields(ProviderStatusResponse, {
  channels: [
    'One entry for each channel that has an order.',
    {
      ...CHANNEL_TEXTS,
      order: [
        'Providers in order of preference.',
        {
          ...ENTRY_TEXTS,
          state:
            'closed: it gets messages. open: it is skipped after several certain failures in a row. probing: the next message tries it.',
          openUntil: 'Time when the next message may try the provider.',
          lastFailure: [
            'The last message within 15 days that the provider certainly did not accept.',
            {
              at: 'Time of the event.',
              reason: 'unreachable, busy, unavailable, account or sender.',
            },
          ],
        },
      ],
    },
  ],
});

describeFields(OwnProviderCredentials, {
  url: "An SMTP server's address with user and password, smtps://….",
  accountSid: "The provider's account.",
  authToken: "The account's token, which also signs callbacks.",
  messagingServiceSid: 'Chooses the number of text messages that specify none.',
  apiKey: "The provider's key.",
  publicKey: "The key that verifies the provider's callbacks.",
  applicationId: 'The TeXML application of calls.',
  messagingProfileId: 'Chooses the number of text messages that specify none.',
  from: 'The number that texts or calls come from.',
});

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
