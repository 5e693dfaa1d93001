import type { StoredDomain } from '../../shared/database/entities/stored-domain.ts';
import { type MailHosts, verificationRecordsOf } from '../../shared/domain/sender-domain.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { defined } from '../../shared/runtime/defined.ts';
import type { SenderDomain } from '../../shared/schemas/sender-domain.ts';

/** A sender domain as returned, with the DNS records to publish. */
export function domainAnswerOf(domain: StoredDomain, hosts: MailHosts): SenderDomain {
  return {
    sender: domain.sender,
    status: domain.status,
    lastSync: isoOf(domain.lastSyncMs),
    ...defined({
      verificationTokens: domain.verificationTokens?.length ? domain.verificationTokens : undefined,
      mailFromDomainStatus: domain.mailFromDomainStatus || undefined,
    }),
    createdAt: isoOf(domain.createdAtMs),
    ...defined({
      reminderSentAt: domain.reminderSentAtMs === undefined ? undefined : isoOf(domain.reminderSentAtMs),
    }),
    selector: domain.selector,
    verificationRecords: verificationRecordsOf(domain, hosts),
  };
}
